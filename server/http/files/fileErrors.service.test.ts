/** Tests disk errors of dashboard files: the request fails, and the service continues. */
import fs from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendRequest } from '#e2e/support/rawRequest.ts';
import { startService, type TestService } from '#e2e/support/service.ts';

/** The error code with which `index.html` cannot be opened; `null` for none. */
const broken: { code: string | null } = vi.hoisted(() => ({ code: null }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const failing =
    <F extends (...args: never[]) => Promise<unknown>>(call: F, syscall: string) =>
    (...args: Parameters<F>) =>
      broken.code !== null && String(args[0]).endsWith('index.html')
        ? Promise.reject(Object.assign(new Error(`${broken.code}: ${args[0]}`), { code: broken.code, syscall }))
        : call(...args);
  return { ...real, open: failing(real.open, 'open') };
});

let service: TestService;
let rejections: unknown[] = [];
const onRejection = (error: unknown) => void rejections.push(error);
beforeEach(async () => {
  rejections = [];
  process.on('unhandledRejection', onRejection);
  service = await startService();
});
afterEach(async () => {
  broken.code = null;
  process.off('unhandledRejection', onRejection);
  await service.stop();
});

describe('a deep link with an unreadable entry page', () => {
  it.each([
    ['EACCES', 500, 'A file of the lab manager cannot be read (EACCES); the log contains its name'],
    ['EIO', 500, 'A file of the lab manager cannot be read (EIO); the log contains its name'],
    ['ESTALE', 500, 'A file of the lab manager cannot be read (ESTALE); the log contains its name'],
    ['EMFILE', 503, 'The lab manager has too many files open; try again in a moment'],
    ['ENFILE', 503, 'The lab manager has too many files open; try again in a moment'],
  ])('fails with %s, returns %i, is logged, and works again afterwards', async (code, status, detail) => {
    broken.code = code;
    for (const path of ['/workflows/abc', '/']) {
      const response = await sendRequest(service.port, path);
      expect([response.status, JSON.parse(response.body)]).toEqual([status, { detail }]);
      expect(response.body).not.toContain(service.folder.path);
    }
    expect(service.log.join('\n')).toContain(`GET /workflows/abc: ${code}`);
    broken.code = null;
    expect((await sendRequest(service.port, '/workflows/abc')).status).toBe(200);
    expect(rejections).toEqual([]);
  });

  // Windows has no file modes.
  it.skipIf(process.platform === 'win32')('returns 500 when this account may not read the page', async () => {
    // Root can read any file, so this test runs as user `nobody` then.
    const isRoot = process.geteuid?.() === 0;
    await chmod(service.folder.path, 0o755);
    await chmod(join(service.folder.path, 'bundled/index.html'), 0);
    if (isRoot) process.seteuid?.('nobody');
    try {
      expect((await sendRequest(service.port, '/workflows/abc')).status).toBe(500);
      expect((await sendRequest(service.port, '/health')).status).toBe(200);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(rejections).toEqual([]);
  });
});

describe('a file that breaks off while it is read', () => {
  it('closes the connection, so that no client treats it as complete, and the service continues', async () => {
    vi.spyOn(fs, 'createReadStream').mockImplementationOnce(() => {
      let parts = 0;
      const stream = new Readable({
        read() {
          parts += 1;
          if (parts === 1) return void this.push('console.');
          // After the first part was sent, so that the response has begun.
          setImmediate(() => this.destroy(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' })));
        },
      });
      return stream as fs.ReadStream;
    });
    await expect(sendRequest(service.port, '/assets/plain.js')).rejects.toThrow(/aborted|hang up|reset/);
    expect((await sendRequest(service.port, '/assets/plain.js')).status).toBe(200);
    expect(rejections).toEqual([]);
  });

  it('returns 500 without a content encoding when it fails before its first byte', async () => {
    vi.spyOn(fs, 'createReadStream').mockImplementationOnce(() => {
      const stream = new Readable({ read: () => undefined });
      stream.destroy(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'open' }));
      return stream as fs.ReadStream;
    });
    const response = await sendRequest(service.port, '/assets/app-D_5CzI00.js', {
      headers: { 'accept-encoding': 'br' },
    });
    expect(response.status).toBe(500);
    expect(response.headers).not.toHaveProperty('content-encoding');
  });
});
