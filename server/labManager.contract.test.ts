/** Starting, stopping and changing settings at run time, over real sockets and files. */
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useAdvancingClock, type ManualClock } from '../api/fixtures/manualClock.ts';
import { labHistory } from '../api/lab/lab.ts';
import { labEndpoints } from '../api/lab/labDocs.ts';
import { sendRequest } from '../e2e/support/rawRequest.ts';
import { pickFreePort, startLab } from '../e2e/support/managers.ts';
import {
  makeService,
  findOutsideAddress,
  startService,
  type ServiceOptions,
  type TestService,
} from '../e2e/support/service.ts';
import { serializeRecord } from './history/record.ts';

const services: TestService[] = [];
const closers: (() => void)[] = [];
let time: ManualClock;
beforeEach(() => {
  time = useAdvancingClock();
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await Promise.all(services.splice(0).map((service) => service.stop()));
});

async function createTestService(options: ServiceOptions = {}): Promise<TestService> {
  const service = await makeService(options);
  services.push(service);
  return service;
}

async function startTestService(options: ServiceOptions = {}): Promise<TestService> {
  const service = await startService(options);
  services.push(service);
  return service;
}

/** Returns the options of a service that listens on `port`. */
const portSettings = (port: number): ServiceOptions => ({ env: { LAB_LISTEN_PORT: String(port) } });

async function openServer(server: net.Server, host: string | undefined = '127.0.0.1', port = 0): Promise<number> {
  closers.push(() => server.close());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

describe('start and stop of the lab manager', () => {
  it('reports “running” only once it listens on IPv4 and IPv6 loopback', async () => {
    const service = await createTestService();
    const phases: string[] = [];
    let response: Promise<{ status: number }> | undefined;
    service.manager.onStatus((status) => {
      phases.push(status.phase);
      if (status.phase === 'running') response = sendRequest(status.port, '/health');
    });
    await service.manager.start();
    expect(phases).toEqual(['starting', 'running']);
    expect((await response)?.status).toBe(200);
    expect((await sendRequest(service.port, '/health', { host: '::1' })).status).toBe(200);
    expect(service.running).toMatchObject({
      loopbackUrl: `http://127.0.0.1:${service.port}/`,
      listening: [`[::]:${service.port}`],
      serverUrl: 'http://localhost:8000/',
      restartNeeded: [],
    });
  });

  it('handles concurrent and repeated calls of start, stop and restart', async () => {
    const service = await createTestService();
    const [first, second] = await Promise.all([service.manager.start(), service.manager.start()]);
    expect(first).toEqual(second);
    const { port } = service;
    expect(await Promise.all([service.manager.stop(), service.manager.stop()])).toMatchObject([
      { phase: 'stopped' },
      { phase: 'stopped' },
    ]);
    await expect(sendRequest(port, '/health')).rejects.toThrow('ECONNREFUSED');
    await service.manager.start();
    expect((await sendRequest(service.port, '/health')).status).toBe(200);
    // The last request counts: a stop during a restart stops the service.
    expect(await Promise.all([service.manager.restart(), service.manager.stop()])).toMatchObject([
      { phase: 'running' },
      { phase: 'stopped' },
    ]);
    await expect(sendRequest(port, '/health')).rejects.toThrow('ECONNREFUSED');
  });

  it('stops within 3 s with open connections and hanging managers, and answers the pending request', async () => {
    const lab = await startLab({ event: 'hang' });
    closers.push(() => void lab.stop());
    const service = await startTestService({ files: { 'settings.yaml': lab.settings } });
    const { port } = service;
    const agent = new http.Agent({ keepAlive: true });
    closers.push(() => agent.destroy());
    await new Promise<void>((resolve) =>
      http.get({ port, host: '127.0.0.1', path: '/health', agent }, (response) => response.resume().on('end', resolve)),
    );
    const silent = net.connect(port, '127.0.0.1');
    const half = net.connect(port, '127.0.0.1', () => half.write('GET /health HTTP/1.1\r\n'));
    for (const socket of [silent, half]) socket.on('error', () => undefined);
    closers.push(
      () => silent.destroy(),
      () => half.destroy(),
    );
    const pending = sendRequest(port, '/lab_health').catch((error: unknown) => error);
    await vi.waitFor(() => expect(lab.managers.data.requests).toBeGreaterThan(1));

    const startedAt = time.monotonic();
    await service.manager.stop();
    expect(time.monotonic() - startedAt).toBeLessThan(3000);
    await expect(sendRequest(port, '/health')).rejects.toThrow('ECONNREFUSED');
    // The pending request gets an error response, not a closed connection or partial data.
    expect(await pending).toMatchObject({ status: 503, body: '{"detail":"The lab manager is stopping"}' });
  });
});

describe('a restart of the lab manager', () => {
  it('keeps the live history and the counted time of the availability', async () => {
    const lab = await startLab();
    closers.push(() => void lab.stop());
    const service = await createTestService({
      files: { 'settings.yaml': lab.settings },
      ...portSettings(await pickFreePort()),
    });
    const history = async () =>
      labHistory.parse(JSON.parse((await sendRequest(service.port, '/lab_health/history?hours=1')).body)).managers[0];
    const liveHistory = async () =>
      labHistory.parse(JSON.parse((await sendRequest(service.port, '/lab_health/history')).body)).managers[0];
    await service.manager.start();
    await expect.poll(async () => (await liveHistory())?.changes.map(({ state }) => state)).toEqual(['healthy']);
    const first = (await liveHistory())?.changes[0];
    await expect.poll(async () => (await history())?.availability?.counted_seconds).toBeGreaterThan(1);
    await service.manager.restart();
    await expect.poll(async () => (await liveHistory())?.changes.at(-1)?.state).toBe('healthy');
    const after = await liveHistory();
    expect(after?.changes[0]).toEqual(first);
    expect(after?.bars).toContain('healthy');
    expect((await history())?.availability?.counted_seconds).toBeGreaterThan(1);
  });

  it('restores states, incidents and watched times from the history file', async () => {
    const lab = await startLab();
    closers.push(() => void lab.stop());
    const port = await pickFreePort();
    const service = await createTestService({ files: { 'settings.yaml': lab.settings }, ...portSettings(port) });
    const begin = Math.floor(time.now() / 60_000) * 60_000 - 60 * 60_000;
    const at = (minutes: number) => new Date(begin + minutes * 60_000).toISOString();
    const state = (minutes: number, managerState: 'healthy' | 'unreachable', reason: string | null) =>
      ({ kind: 'state', at: at(minutes), manager: 'data', state: managerState, reason }) as const;
    const path = service.statePath('history.jsonl', port);
    await mkdir(dirname(path), { recursive: true });
    const records = [
      { kind: 'start', at: at(0), version: '1' } as const,
      state(0, 'healthy', null),
      state(10, 'unreachable', 'connection refused'),
      state(20, 'healthy', null),
      { kind: 'watched', at: at(30), since: at(0) } as const,
      { kind: 'stop', at: at(30) } as const,
    ];
    await writeFile(path, records.map(serializeRecord).join(''));
    await service.manager.start();
    const body = labHistory.parse(JSON.parse((await sendRequest(port, '/lab_health/history')).body));
    const changes = body.managers.find(({ manager }) => manager === 'data')?.changes ?? [];
    expect(changes.slice(0, 3).map((change) => [change.at, change.state])).toEqual([
      [at(0), 'healthy'],
      [at(10), 'unreachable'],
      [at(20), 'healthy'],
    ]);
    expect(body.incidents).toMatchObject([
      { id: 'data', state: 'unreachable', reason: 'connection refused', from: at(10), to: at(20) },
    ]);
    expect(body.watched?.[0]).toEqual({ from: at(0), to: at(30) });
  });
});

describe('an https address', () => {
  it('serves plain HTTP and logs that TLS must end at a proxy', async () => {
    const service = await startTestService({ files: { 'settings.yaml': 'lab_server_url: https://lab.example/\n' } });
    expect((await sendRequest(service.port, '/health')).status).toBe(200);
    expect(JSON.parse((await sendRequest(service.port, '/context')).body)).toMatchObject({
      lab_server_url: 'https://lab.example/',
    });
    expect(service.log.join('\n')).toContain('terminate TLS at a proxy');
  });
});

describe('start on a port that is taken', () => {
  it('reports version, name and address of another copy of the service', async () => {
    const first = await startTestService({ files: { 'settings.yaml': 'lab_manager_name: Bench 4\n' } });
    const second = await createTestService(portSettings(first.port));
    expect(await second.manager.start()).toMatchObject({
      phase: 'port-taken',
      port: first.port,
      portSetting: 'listen_port',
      portOrigin: { source: 'environment', name: 'LAB_LISTEN_PORT' },
      portOwner: { kind: 'ours', version: '9.8.7', name: 'Bench 4', url: `http://127.0.0.1:${first.port}/` },
    });
    expect((await sendRequest(first.port, '/health')).status).toBe(200);
  });

  it('reports version and name of a MADSci lab manager', async () => {
    const bodies: Record<string, unknown> = {
      '/health': { healthy: true, description: 'Lab Manager is running', version: '0.8.1' },
      '/context': labEndpoints[0].example,
      '/settings': { settings: { manager_type: 'lab_manager', manager_name: 'Python Lab' } },
    };
    const port = await openServer(
      http.createServer((request, response) => {
        const body = bodies[request.url ?? ''];
        response.writeHead(body ? 200 : 404).end(JSON.stringify(body ?? {}));
      }),
    );
    const service = await createTestService({
      files: { 'settings.yaml': `lab_server_url: http://localhost:${port}/\n` },
      env: { LAB_LISTEN_PORT: undefined },
    });
    expect(await service.manager.start()).toMatchObject({
      phase: 'port-taken',
      port,
      portSetting: 'server_url',
      portOrigin: { source: 'yaml', line: 1 },
      portOwner: { kind: 'madsci', version: '0.8.1', name: 'Python Lab' },
    });
  });

  it.each(['127.0.0.1', '::1', '0.0.0.0'])(
    'reports an unresponsive program on %s and suggests a free port',
    async (host) => {
      const sockets = new Set<net.Socket>();
      const port = await openServer(
        net.createServer((socket) => sockets.add(socket)),
        host,
      );
      closers.push(() => sockets.forEach((socket) => socket.destroy()));
      const service = await createTestService(portSettings(port));
      const status = await service.manager.start();
      expect(status).toMatchObject({
        phase: 'port-taken',
        port,
        portOwner: { kind: 'unknown', version: null, name: null },
      });
      if (status.phase !== 'port-taken') throw new Error('not taken');
      expect(status.freePort).toBeGreaterThan(port);
      expect(service.log.join('\n')).toContain(`error Port ${port} is already in use by another program`);
      const secondService = await startTestService(portSettings(status.freePort));
      expect(secondService.port).toBe(status.freePort);
    },
  );

  it('succeeds on a retry once the port is free', async () => {
    const portOwner = net.createServer((socket) => socket.destroy());
    const port = await openServer(portOwner);
    const service = await createTestService(portSettings(port));
    expect((await service.manager.start()).phase).toBe('port-taken');
    await new Promise((resolve) => portOwner.close(resolve));
    expect(await service.manager.start()).toMatchObject({ phase: 'running', port });
  });
});

describe('the setting LAB_LISTEN_HOST', () => {
  const outside = findOutsideAddress();
  if (outside === null)
    console.log('This machine has only loopback addresses: two tests of LAB_LISTEN_HOST are skipped');

  it.runIf(outside)('makes the service listen on the given interface and on loopback', async () => {
    const service = await startTestService({ env: { LAB_LISTEN_HOST: outside ?? '' } });
    expect(service.running.listening).toEqual([`${outside}:${service.port}`, `127.0.0.1:${service.port}`]);
    for (const host of [outside ?? '', '127.0.0.1'])
      expect((await sendRequest(service.port, '/health', { host })).status).toBe(200);
  });

  it.runIf(outside)('prevents connections to other addresses of the machine if it is 127.0.0.1', async () => {
    const service = await startTestService({ env: { LAB_LISTEN_HOST: '127.0.0.1' } });
    expect(service.running.listening).toEqual([`127.0.0.1:${service.port}`]);
    await expect(sendRequest(service.port, '/health', { host: outside ?? '' })).rejects.toThrow('ECONNREFUSED');
  });

  it('fails the start with a message if the machine has no such interface', async () => {
    const service = await createTestService({ env: { LAB_LISTEN_HOST: '203.0.113.77' } });
    expect(await service.manager.start()).toEqual({
      phase: 'failed',
      reason: 'This machine has no interface 203.0.113.77: correct LAB_LISTEN_HOST',
    });
  });
});

describe('settings that change at run time', () => {
  const readEventAddress = async (service: TestService) =>
    (JSON.parse((await sendRequest(service.port, '/context')).body) as Record<string, unknown>)['event_server_url'];

  it('take effect without a restart: addresses, origins, dashboard, name', async () => {
    const service = await startTestService({ files: { 'ui/index.html': 'theirs' } });
    const { port } = service;
    expect(await readEventAddress(service)).toBe('http://localhost:8001/');
    await service.write({
      'settings.yaml': [
        'event_server_url: http://lab-pc:9001/',
        'lab_cors_allowed_origins: ["http://lab-pc:8000"]',
        'lab_dashboard_files_path: ./ui',
        'lab_manager_name: Renamed',
      ].join('\n'),
    });
    await service.waitForStatus((status) => status.phase === 'running' && status.labName === 'Renamed');
    expect(service.port).toBe(port);
    expect(await readEventAddress(service)).toBe('http://lab-pc:9001/');
    const response = await sendRequest(port, '/context', { headers: { origin: 'http://evil.example' } });
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    expect((await sendRequest(port, '/')).body).toBe('theirs');
    expect(service.running).toMatchObject({
      restartNeeded: [],
      problems: [],
      configured: true,
      dashboard: 'directory',
    });

    await service.write({ 'settings.yaml': 'lab_dashboard_files_path: None\n' });
    await service.waitForStatus((status) => status.phase === 'running' && status.dashboard === 'none');
    expect((await sendRequest(port, '/')).status).toBe(404);
    expect(await readEventAddress(service)).toBe('http://localhost:8001/');
  });

  it.each([
    ['settings.yaml', 'event_server_url: [unclosed\n'],
    ['settings.toml', 'event_server_url = \n'],
    ['settings.json', '{"event_server_url": "http://x/",}'],
    ['lab.settings.yaml', 'event_server_url: ftp://lab-pc/\n'],
    ['.env', 'EVENT_SERVER_URL=nonsense\n'],
  ])('are rejected if %s has an error, and the previous settings stay', async (name, text) => {
    const service = await startTestService({
      env: { LAB_LISTEN_PORT: '0' },
      files: { 'lab.env': 'DATA_SERVER_URL=http://d:1/\n' },
    });
    await service.write({ [name]: text });
    const status = await service.waitForStatus(
      (candidate) => candidate.phase === 'running' && candidate.problems.length > 0,
    );
    expect(status).toMatchObject({ problems: [{ path: join(service.labFolder, name), line: expect.any(Number) }] });
    expect((await sendRequest(service.port, '/health')).status).toBe(200);
    expect(await readEventAddress(service)).toBe('http://localhost:8001/');
    await service.write({ [name]: '' });
    await rm(join(service.labFolder, name));
    await service.waitForStatus((candidate) => candidate.phase === 'running' && candidate.problems.length === 0);
  });

  it('take effect without a restart: the address that two servers share', async () => {
    const service = await startTestService();
    const standby = () => service.manager.lab?.currentStatus().standby;
    expect(standby()).toBeUndefined();
    await service.write({ 'settings.yaml': 'lab_shared_address: 192.0.2.1\n' });
    await expect.poll(standby).toBe('this machine does not have the shared address 192.0.2.1');
    await service.write({ 'settings.yaml': '' });
    await expect.poll(standby).toBeUndefined();
  });

  it('are reported and wait for a restart if they concern the listening address', async () => {
    const [first, second] = [await pickFreePort(), await pickFreePort()];
    const service = await startTestService({
      files: { 'settings.yaml': `lab_listen_port: ${first}\n` },
      env: { LAB_LISTEN_PORT: undefined },
    });
    expect(service.port).toBe(first);
    await service.write({ 'settings.yaml': `lab_listen_port: ${second}\nlab_listen_host: 127.0.0.1\n` });
    const changed = await service.waitForStatus(
      (candidate) => candidate.phase === 'running' && candidate.restartNeeded.length > 0,
    );
    expect(changed).toMatchObject({ port: first, restartNeeded: ['LAB_LISTEN_PORT', 'LAB_LISTEN_HOST'] });
    expect((await sendRequest(first, '/health')).status).toBe(200);
    await service.manager.restart();
    expect(service.running).toMatchObject({ port: second, restartNeeded: [] });
    await expect(sendRequest(first, '/health')).rejects.toThrow('ECONNREFUSED');
  });

  it('leave the generated ID unchanged', async () => {
    const service = await startTestService({ env: { LAB_ENABLE_REGISTRY_RESOLUTION: 'false' } });
    const id = async () =>
      (JSON.parse((await sendRequest(service.port, '/settings')).body) as { settings: Record<string, unknown> })
        .settings['manager_id'];
    const before = await id();
    await service.write({ 'settings.yaml': 'lab_manager_name: Renamed\n' });
    await service.waitForStatus((status) => status.phase === 'running' && status.labName === 'Renamed');
    expect(await id()).toBe(before);
    expect(String(before)).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });
});

describe('settings that are invalid at the start', () => {
  it('prevent the start until they are corrected, and the line of the error is reported', async () => {
    const service = await createTestService({ files: { 'settings.yaml': 'a: 1\nevent_server_url: ftp://lab-pc/\n' } });
    expect(await service.manager.start()).toMatchObject({
      phase: 'settings-error',
      problems: [{ path: join(service.labFolder, 'settings.yaml'), line: 2, key: 'event_server_url' }],
    });
    await service.write({ 'settings.yaml': 'event_server_url: http://lab-pc:1/\n' });
    await service.waitForStatus((status) => status.phase === 'running');
    expect((await sendRequest(service.port, '/health')).status).toBe(200);
  });

  it('are reported with the new problem after a change that replaces the error by another one', async () => {
    const service = await createTestService({ files: { 'settings.yaml': 'event_server_url: ftp://lab-pc/\n' } });
    await service.manager.start();
    await service.write({ 'settings.yaml': 'data_server_url: 7\n' });
    const status = await service.waitForStatus(
      (candidate) => candidate.phase === 'settings-error' && candidate.problems[0]?.key === 'data_server_url',
    );
    expect(status).toMatchObject({ problems: [{ line: 1 }] });
  });
});

describe('a service that follows another lab manager', () => {
  it('serves that lab manager’s addresses on a loopback port, and is never on standby', async () => {
    const context = { ...labEndpoints[0].example, event_server_url: 'http://elsewhere:7/' };
    const port = await openServer(
      http.createServer((request, response) =>
        response.end(
          JSON.stringify(request.url === '/context' ? context : { settings: { manager_name: 'Python Lab' } }),
        ),
      ),
    );
    const service = await startTestService({
      // This setting belongs to this machine's own lab, and must have no effect here.
      env: { LAB_SHARED_ADDRESS: '192.0.2.1' },
      managerOptions: { follow: `http://127.0.0.1:${port}/`, listen: { host: '127.0.0.1', port: 0 } },
    });
    expect(service.running).toMatchObject({
      followedUrl: `http://127.0.0.1:${port}/`,
      labName: 'Python Lab',
      listening: [`127.0.0.1:${service.port}`],
    });
    expect(JSON.parse((await sendRequest(service.port, '/context')).body)).toEqual(context);
    expect(service.manager.lab?.currentStatus().managers[0]?.url).toBe('http://elsewhere:7/');
    expect(service.manager.lab?.currentStatus().standby).toBeUndefined();
  });
});
