/** Tests disk errors of dashboard files: the request fails, and the service continues. */
import fs from 'node:fs';
import { chmod, type FileHandle } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendRequest } from '#e2e/support/rawRequest.ts';
import { startService, type TestService } from '#e2e/support/service.ts';

/** The error code with which `index.html` cannot be opened; `null` for none. */
const broken: { code: string | null } = vi.hoisted(() => ({ code: null }));
/** The opening of `index.html` waits for `open`; `null` if it does not wait. */
const slow = vi.hoisted(() => ({ open: null as Promise<void> | null, requested: 0, opened: [] as FileHandle[] }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const failing =
    <F extends (...args: never[]) => Promise<unknown>>(call: F, syscall: string) =>
    (...args: Parameters<F>) =>
      broken.code !== null && String(args[0]).endsWith('index.html')
        ? Promise.reject(Object.assign(new Error(`${broken.code}: ${args[0]}`), { code: broken.code, syscall }))
        : call(...args);
  const open: typeof real.open = async (path, ...options) => {
    if (slow.open === null || !String(path).endsWith('index.html')) return real.open(path, ...options);
    slow.requested += 1;
    await slow.open;
    const handle = await real.open(path, ...options);
    slow.opened.push(handle);
    return handle;
  };
  return { ...real, open: failing(open, 'open') };
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
  slow.open = null;
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

it('closes a file whose client disconnects before it is open', async () => {
  let continueOpening = (): void => undefined;
  slow.open = new Promise((resolve) => (continueOpening = resolve));
  const socket = connect(service.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await vi.waitFor(() => expect(slow.requested).toBe(1));
  socket.destroy();
  // This response follows the end of that connection.
  expect((await sendRequest(service.port, '/health')).status).toBe(200);
  continueOpening();
  await vi.waitFor(() => expect(slow.opened.map(({ fd }) => fd)).toEqual([-1]));
  expect(rejections).toEqual([]);
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
