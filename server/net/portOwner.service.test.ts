import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { identify, isPortInUse, processOnPort } from './portOwner.ts';

const servers: net.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: net.Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** A service that responds with JSON at some paths. */
function serveJson(bodies: Readonly<Record<string, unknown>>): http.Server {
  return http.createServer((request, response) => {
    const body = bodies[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? { detail: 'Not Found' }));
  });
}

const example = (path: string) => labEndpoints.find((endpoint) => endpoint.path === path)?.example;

describe('identify', () => {
  it.each([
    [
      'the lab manager of this project',
      {
        '/health': { healthy: true, description: 'Lab Manager is running', version: '0.1.0' },
        '/lab_health/history': example('/lab_health/history'),
        '/context': example('/context'),
        '/settings': { settings: { manager_name: 'Bench 4' } },
      },
      { kind: 'ours', version: '0.1.0', name: 'Bench 4' },
    ],
    [
      'a MADSci lab manager',
      {
        '/health': { healthy: true, version: '0.8.1' },
        '/settings': { settings: { manager_type: 'lab_manager', manager_name: 'Other Lab' } },
      },
      { kind: 'madsci', version: '0.8.1', name: 'Other Lab' },
    ],
    [
      'a lab manager whose name has terminal sequences',
      {
        '/settings': {
          settings: { manager_type: 'lab_manager', manager_name: `\u001b[2J\u009b31m${'x'.repeat(500)}` },
        },
      },
      { kind: 'madsci', name: `${'x'.repeat(119)}…` },
    ],
    [
      'a lab manager that serves only a context',
      { '/context': example('/context') },
      { kind: 'madsci', version: null },
    ],
    ['another manager', { '/settings': { settings: { manager_type: 'event_manager' } } }, { kind: 'unknown' }],
    [
      'a program with another kind of history',
      { '/lab_health/history': { service: { name: 'other' } } },
      { kind: 'unknown' },
    ],
    ['another web server', {}, { kind: 'unknown', version: null, name: null }],
  ])('returns the kind of %s', async (_name, bodies, portOwner) => {
    const port = await listen(serveJson(bodies));
    expect(await identify('127.0.0.1', port)).toMatchObject({ ...portOwner, url: `http://127.0.0.1:${port}/` });
  });

  it('times out for a program that sends nothing', async () => {
    const sockets: net.Socket[] = [];
    const port = await listen(net.createServer((socket) => sockets.push(socket)));
    const time = useManualClock();
    const identity = await time.settle(
      identify('127.0.0.1', port, async () => null),
      { withinMs: 6000 },
    );
    expect(identity.kind).toBe('unknown');
    for (const socket of sockets) socket.destroy();
  });
});

describe('isPortInUse', () => {
  it('is true when a program accepts connections over IPv4 or IPv6', async () => {
    const port = await listen(net.createServer((socket) => socket.destroy()));
    expect(await isPortInUse('127.0.0.1', port)).toBe(true);
    const port6 = await listen(
      net.createServer((socket) => socket.destroy()),
      '::1',
    );
    expect(await isPortInUse('::1', port6)).toBe(true);
  });

  it('is false when no program listens', async () => {
    const server = net.createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await isPortInUse('127.0.0.1', port)).toBe(false);
  });
});

describe('processOnPort', () => {
  it.runIf(process.platform === 'linux')('names this process for its own port', async () => {
    const port = await listen(net.createServer());
    expect(await processOnPort(port)).toMatch(new RegExp(`^${process.pid} .*node`));
  });

  it.runIf(process.platform === 'linux')('removes terminal sequences from the command line', async () => {
    const script =
      "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })";
    const child = spawn(process.execPath, ['-e', script], { stdio: 'pipe', argv0: '\u001b]0;owned\u0007fine\u202e' });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const owner = await processOnPort(Number(line.toString()));
      expect(owner).toMatch(new RegExp(`^${child.pid} fine -e require`));
      expect(owner).not.toMatch(/[\p{Cc}\u202e]/u);
    } finally {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    }
  });

  it('is null for a free port', async () => {
    const server = net.createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await processOnPort(port)).toBeNull();
  });
});
