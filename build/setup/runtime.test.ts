import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { downloadRuntime } from './runtime.mjs';

const root = resolve(import.meta.dirname, '..', '..');

afterEach(() => vi.unstubAllEnvs());

test('ELECTRON_OVERRIDE_DIST_PATH names a custom runtime for another system', async () => {
  await using folder = await makeTempFolder({ version: 'v45.4.1\n' });
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', folder.path);
  expect(await downloadRuntime(root, 'darwin', 'x64')).toEqual({
    dist: folder.path,
    version: '45.4.1',
    origin: 'own',
  });
});
