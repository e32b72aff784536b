import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { userConfigDir, stateDir } from '../../server/storage/installation.ts';
import { nsisHeader, sharedDefinitions } from '../windows/names.mjs';
import { buildWindowsInstaller } from './windowsInstaller.mjs';

const root = join(import.meta.dirname, '..', '..');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('the definitions for the uninstaller name the folders in which the app stores its data', () => {
  const { DATA_FOLDER: name, UPDATE_CACHE: cache } = sharedDefinitions();
  expect(userConfigDir('win32', { APPDATA: 'A' }, 'H')).toBe(join('A', name));
  expect(stateDir('win32', { LOCALAPPDATA: 'L' }, 'H')).toBe(join('L', name));
  const client = readFileSync(join(root, 'electron', 'updates', 'feedClient.ts'), 'utf8');
  expect(client).toContain(`updaterCacheDirName: ${cache}\\n`);
});

it('nsisHeader refuses values that NSIS would change', () => {
  expect(nsisHeader({ NAME: 'Lab Manager', CODE: 3 })).toBe('!define NAME "Lab Manager"\n!define CODE "3"\n');
  expect(() => nsisHeader({ NAME: 'cost: $5' })).toThrow('NAME: NSIS can’t read "cost: $5" as it is');
});

it('buildWindowsInstaller refuses a folder without the program', async () => {
  const installer = { app: folder, version: '1.2.3', file: join(folder, 'setup.exe') };
  await expect(buildWindowsInstaller(root, installer)).rejects.toThrow('has no Lab Manager.exe');
});
