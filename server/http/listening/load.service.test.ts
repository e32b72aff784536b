/** Tests that the lab's own clients are served while malicious clients keep resources occupied. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import express from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testBudget } from '#api/fixtures/testBudget.ts';
import { sendRequest, requestRaw } from '#e2e/support/rawRequest.ts';
import { startService, type TestService } from '#e2e/support/service.ts';
import { silentLog } from '../../logging/log.ts';
import { maxConnections, maxRequests } from './connections.ts';
import { listen } from './listen.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start(): Promise<TestService> {
  const service = await startService();
  closers.push(() => service.stop());
  return service;
}

/**
 * Opens connections in a separate process, keeps them without reading, and prints the number of open ones. From another
 * address, each connection sets its local port, because the system's search for a free port slows down with every used one.
 */
const attacker = `
  const net = require('net');
  const [port, count, from, bytes] = process.argv.slice(1);
  let begun = 0, opened = 0, failed = 0;
  const begin = () => {
    if (opened + failed >= Number(count)) return;
    const own = from === '127.0.0.1' ? {} : { localAddress: from, localPort: 10_000 + begun };
    begun += 1;
    const socket = net.connect({ port: Number(port), host: '127.0.0.1', ...own });
    socket.on('connect', () => { opened += 1; socket.pause(); socket.write(bytes); begin(); });
    socket.on('error', () => { if (socket.pending) { failed += 1; begin(); } });
  };
  for (let i = 0; i < 50; i += 1) begin();
  setInterval(() => console.log(JSON.stringify({ opened, failed })), 50);
`;

interface OpenConnections {
  readonly opened: number;
  readonly failed: number;
}

async function attack(
  port: number,
  count: number,
  from: string,
  bytes: string,
): Promise<{ readonly connections: () => OpenConnections }> {
  const child: ChildProcess = spawn(process.execPath, ['-e', attacker, String(port), String(count), from, bytes], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closers.push(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  let connections: OpenConnections = { opened: 0, failed: 0 };
  child.stdout?.on('data', (text: Buffer) => {
    const last = text.toString().trim().split('\n').at(-1) ?? '';
    connections = JSON.parse(last) as OpenConnections;
  });
  await vi.waitFor(() => expect(connections.opened + connections.failed).toBeGreaterThanOrEqual(count), {
    timeout: 120_000,
  });
  return { connections: () => connections };
}

/** The sockets of this process, which runs the service: its connections, and a few to managers. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}

/** Checks that all kinds of requests of the lab's own clients succeed. */
async function expectServed({ port }: TestService): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    for (const path of ['/health', '/context', '/lab_health', '/lab_health/history', '/', '/workflows/abc', '/docs']) {
      expect([path, (await sendRequest(port, path)).status]).toEqual([path, 200]);
    }
  }
}

const history = 'GET /lab_health/history HTTP/1.1\r\nHost: x\r\n\r\n';
/** The service accepts 1,000 connections. */
const connectionCount = testBudget(2500, 10_000);
// Only Linux has all of 127.0.0.0/8.
const otherAddress = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

// Under Wine one process serves the sockets of all programs, so the load slows down every client.
describe.skipIf(process.platform === 'win32')('the lab’s own clients', () => {
  it.each([
    ['idle connections of another machine', connectionCount, otherAddress, ''],
    ['idle connections of this machine', connectionCount, '127.0.0.1', ''],
    ['unfinished requests', 1500, otherAddress, 'GET / HTTP/1.1\r\nX-Slow: '],
    ['connections that never read their response', 1500, otherAddress, history],
    ['connections with 1,000 unread requests', 200, otherAddress, history.repeat(1000)],
  ])('are served during more %s than the service accepts', { timeout: 180_000 }, async (_name, count, from, bytes) => {
    const service = await start();
    const { connections } = await attack(service.port, count, from, bytes);
    await expectServed(service);
    expect(openSockets()).toBeLessThanOrEqual(maxConnections + 10);
    expect(connections().opened).toBeGreaterThan(count / 10);
    await expectServed(service);
  });
});

describe('a single connection', () => {
  it('is closed when it has too many concurrent requests', async () => {
    const service = await start();
    const socket = net.connect(service.port, '127.0.0.1');
    closers.push(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(history.repeat(maxRequests + 1));
    await once(socket.resume(), 'close');
    expect(service.manager.status.phase).toBe('running');
  });

  it.skipIf(process.platform === 'win32')('is closed when its response is not read', async () => {
    const app = express();
    const connectionClosed = new Promise<void>((resolve) => {
      app.get('/', (_request, response) => {
        response.once('close', resolve);
        response.send('x'.repeat(64 * 1024 * 1024));
      });
    });
    const limits = { maxConnections: 10, unreadTimeoutMs: 300 };
    const listening = await listen(app, { host: '127.0.0.1', port: 0 }, silentLog, { limits });
    closers.push(() => listening.stop());
    const socket = net.connect(listening.port, '127.0.0.1');
    closers.push(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await connectionClosed;
    // The socket receives the kernel's buffer and then the end, long before the 64 MB.
    let size = 0;
    socket.on('data', (chunk: Buffer) => (size += chunk.length));
    await once(socket, 'close');
    expect(size).toBeLessThan(64 * 1024 * 1024);
  });
});

it('a path that is longer or deeper than any file is rejected', async () => {
  const service = await start();
  for (const path of [`/${'a/'.repeat(7000)}`, `/${'a'.repeat(3000)}`, `/${'a/'.repeat(40)}x.js`]) {
    const response = await requestRaw(service.port, path);
    expect([response.status, response.body]).toEqual([414, '{"detail":"The path of this request is too long"}']);
  }
});
