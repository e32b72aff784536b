import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { downloadRuntime } from './runtime.mjs';

const root = resolve(import.meta.dirname, '..', '..');

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
