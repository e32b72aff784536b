/** Compares the installer that this project compiles with the one of electron-builder. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { userConfigDir, stateDir } from '../../server/storage/installation.ts';
import { appId } from '../../electron/folders/appId.ts';
import { installerDefinitions, installerName, nsisHeader, sharedDefinitions, windowsNames } from '../windows/names.mjs';
import { electronBuilderOptions, packageWindows, writeBuilderInclude } from './windowsInstaller.mjs';

const root = join(import.meta.dirname, '..', '..');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Definitions = Readonly<Record<string, unknown>>;

/** The definitions and commands that electron-builder passes to NSIS. */
async function builderDefinitions(): Promise<readonly Definitions[]> {
  // A replacement of the archiver that packs nothing, because only the name of the archive is checked.
  const archiver = join(folder, '7za');
  writeFileSync(archiver, '#!/bin/sh\nfor name; do case $name in *.7z) : > "$name";; esac; done\n');
  chmodSync(archiver, 0o755);
  vi.stubEnv('ELECTRON_BUILDER_7ZIP_PATH', archiver);
  const app = join(folder, 'app');
  mkdirSync(join(app, 'resources'), { recursive: true });
  const { win, nsis } = electronBuilderOptions(writeBuilderInclude(root, folder));
  const passedArguments: Definitions[] = [];
  await build({
    projectDir: root,
    prepackaged: app,
    publish: 'never',
    targets: Platform.WINDOWS.createTarget('nsis', Arch.x64),
    config: {
      appId,
      productName: windowsNames.productName,
      executableName: 'lab-manager',
      electronVersion: '33.2.1',
      directories: { output: folder, buildResources: 'build' },
      publish: null,
      win: { ...win, icon: null },
      nsis: { ...nsis, packElevateHelper: false, differentialPackage: false },
    },
    effectiveOptionComputed: async (options) => {
      passedArguments.push(...(options as Definitions[]));
      return true;
    },
  });
  return passedArguments;
}

// The replacement of the archiver is a shell script.
it.skipIf(process.platform === 'win32')("electron-builder's installer has the same names and IDs", async () => {
  const [definitions, commands] = await builderDefinitions();
  const { APP_ID, ...names } = await installerDefinitions(root);
  expect(APP_ID).toBe(appId);
  expect(definitions).toMatchObject({ APP_ID, ...names });
  expect(definitions).toMatchObject({
    UNINSTALL_APP_KEY: windowsNames.guid,
    APP_INSTALLER_STORE_FILE: `${sharedDefinitions().INSTALLER_CACHE}\\installer.exe`,
    DO_NOT_CREATE_DESKTOP_SHORTCUT: null,
    INSTALL_MODE_PER_ALL_USERS_REQUIRED: null,
    MULTIUSER_INSTALLMODE_ALLOW_ELEVATION: null,
  });
  expect(definitions).not.toHaveProperty('MENU_FILENAME');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(commands).toMatchObject({ OutFile: `"${join(folder, installerName(version))}"` });
});

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

it('packageWindows refuses a folder without the program', async () => {
  const installer = { app: folder, version: '1.2.3', file: join(folder, 'setup.exe') };
  await expect(packageWindows(root, installer)).rejects.toThrow('has no Lab Manager.exe');
});
