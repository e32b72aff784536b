import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { downloadRuntime } from './runtime.mjs';

const root = resolve(import.meta.dirname, '..', '..');

afterEach(() => vi.unstubAllEnvs());

test('an archive of Electron for another system is refused when its checksum is not that of the npm package', async () => {
  const requests: string[] = [];
  const mirror = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('another archive');
  });
  await new Promise<void>((done) => void mirror.listen(0, '127.0.0.1', done));
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', '');
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`);
  try {
    await expect(downloadRuntime(root, 'darwin', 'arm64')).rejects.toThrow(
      /^The Electron runtime for darwin\/arm64 could not be downloaded \([^)]*checksum/,
    );
    expect(requests).toEqual([expect.stringMatching(/electron-v[\d.]+-darwin-arm64\.zip$/)]);
  } finally {
    mirror.close();
  }
});

test('ELECTRON_OVERRIDE_DIST_PATH names a custom runtime for another system', async () => {
  await using folder = await makeTempFolder({ version: 'v45.4.1\n' });
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', folder.path);
  expect(await downloadRuntime(root, 'darwin', 'x64')).toEqual({
    dist: folder.path,
    version: '45.4.1',
    origin: 'own',
  });
});
