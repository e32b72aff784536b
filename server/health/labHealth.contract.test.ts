/** Tests `/lab_health` and its history over real sockets, with managers that fail in many ways. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { labHistory } from '../../api/lab/lab.ts';
import { managerKeys } from '../../api/managers.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { requestHealth, setUpPausedLabs } from '../../e2e/support/pausedLab.ts';
import { pickFreePort, startLab } from '../../e2e/support/managers.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';

const { start, onEnd } = setUpPausedLabs();

describe('/lab_health', () => {
  it('lists the managers in the order of /context with their own messages and extra fields', async () => {
    const { service } = await start();
    const body = await requestHealth(service);
    expect(Object.keys(body)).toEqual([
      'healthy',
      'description',
      'version',
      'managers',
      'total_managers',
      'healthy_managers',
    ]);
    expect(Object.keys(body.managers)).toEqual(managerKeys.map((key) => `${key}_manager`));
    expect(body).toMatchObject({
      healthy: true,
      description: '6/6 managers are healthy',
      version: '9.8.7',
      total_managers: 6,
      healthy_managers: 6,
    });
    expect(body.managers['event_manager']).toEqual({
      healthy: true,
      description: 'Event Manager is running normally',
      version: '0.8.1',
      db_connected: true,
    });
  });

  it('contains the reason for every unhealthy manager within the time limit', async () => {
    const time = useManualClock(Date.now());
    const { lab, service } = await start({
      event: 'hang',
      experiment: 'http-503',
      resource: 'garbage',
      data: 'redirect',
      workcell: 'unhealthy',
    });
    await lab.managers.location.stop();
    const body = await time.settle(requestHealth(service), { withinMs: 5000 });
    const output = Object.fromEntries(
      Object.entries(body.managers).map(([key, { description }]) => [key, description]),
    );
    expect(output).toEqual({
      event_manager: 'timed out after 5 s',
      experiment_manager: 'HTTP 503',
      resource_manager: 'answered with something that is not a health object: <html>hello</html>',
      data_manager: 'HTTP 307 (redirects to http://127.0.0.1:9/health; redirects are not followed)',
      workcell_manager: 'Workcell Manager lost its database',
      location_manager: `Failed to connect: connection refused (127.0.0.1:${lab.managers.location.port})`,
    });
    expect(body).toMatchObject({ healthy: false, description: '0/6 managers are healthy', healthy_managers: 0 });
    expect(Object.values(body.managers).every(({ healthy }) => !healthy)).toBe(true);
  });

  it.each([
    [3, false],
    [4, true],
  ])('reports a lab with %i of 6 healthy managers as healthy: %s', async (healthy, isHealthy) => {
    const { service } = await start(
      Object.fromEntries(managerKeys.slice(healthy).map((key) => [key, 'http-503' as const])),
    );
    expect(await requestHealth(service)).toMatchObject({
      healthy: isHealthy,
      description: `${healthy}/6 managers are healthy`,
      total_managers: 6,
    });
  });

  it('excludes disabled managers, and is unhealthy without managers', async () => {
    const time = useManualClock(Date.now());
    const { service } = await start();
    const health = () => time.settle(requestHealth(service));
    await service.write({ 'lab.settings.yaml': 'data_server_url: null\n' });
    await time.waitFor(async () => expect((await health()).total_managers).toBe(5));
    expect((await health()).description).toBe('5/5 managers are healthy');
    await service.write({
      'lab.settings.yaml': managerKeys.map((key) => `${key}_server_url: null\n`).join(''),
    });
    await time.waitFor(async () => expect((await health()).total_managers).toBe(0));
    expect(await health()).toMatchObject({
      healthy: false,
      description: '0/0 managers are healthy',
      managers: {},
    });
  });

  it('keeps the last result of a busy manager with a note and rejects a body over 64 KiB', async () => {
    const { lab, service } = await start();
    await requestHealth(service);
    lab.managers.event.behaviour = 'busy';
    const body = await requestHealth(service);
    expect(body.managers['event_manager']).toMatchObject({
      healthy: true,
      description: 'Event Manager is running normally (busy (HTTP 429), its last result still applies)',
    });
    await lab.managers.data.stop();
    const big = http.createServer((_request, response) =>
      response.end(`{"healthy": true, "x": "${'x'.repeat(70_000)}"}`),
    );
    onEnd(() => big.close());
    await new Promise<void>((resolve) => big.listen(lab.managers.data.port, '127.0.0.1', resolve));
    expect((await requestHealth(service)).managers['data_manager']?.description).toBe(
      'answered with more than 64 KiB, which is not a health object',
    );
  });

  it('checks below a base path and names TLS errors of an https manager', async () => {
    const time = useManualClock(Date.now());
    const { service } = await start();
    const requestedUrls: (string | undefined)[] = [];
    const based = http.createServer((request, response) => {
      requestedUrls.push(request.url);
      response.end('{"healthy": true}');
    });
    onEnd(() => based.close());
    await new Promise<void>((resolve) => based.listen(0, '127.0.0.1', resolve));
    const { port } = based.address() as AddressInfo;
    await service.write({
      'lab.settings.yaml': `event_server_url: http://127.0.0.1:${port}/base/path\ndata_server_url: https://127.0.0.1:${port}/\n`,
    });
    await time.waitFor(() => expect(requestedUrls).toContain('/base/path/health'));
    const body = await requestHealth(service);
    expect(body.managers['event_manager']).toEqual({ healthy: true, description: 'Event Manager is running' });
    expect(body.managers['data_manager']?.description).toMatch(/^TLS: 127\.0\.0\.1:\d+ does not speak TLS/);
  });
});

describe('/lab_health/history', () => {
  async function history(service: TestService) {
    return labHistory.parse(JSON.parse((await sendRequest(service.port, '/lab_health/history')).body));
  }

  it('contains the records of the watch, and reading it checks no manager', async () => {
    const { lab, service } = await start({ data: 'http-503' });
    await vi.waitFor(async () => {
      const { state, managers } = await history(service);
      expect(state).toBe('degraded');
      // A manager's result is known a moment before it is recorded.
      expect(managers.map(({ changes }) => changes.length)).toEqual(managers.map(() => 1));
    });
    const requests = lab.managers.event.requests;
    const bodies = await Promise.all(Array.from({ length: 50 }, () => history(service)));
    expect(lab.managers.event.requests).toBe(requests);
    const [body] = bodies;
    expect(body).toMatchObject({
      description: '5/6 managers are healthy',
      window_seconds: 7200,
      interval_seconds: 3600,
      service: { name: 'lab-manager', version: '9.8.7' },
    });
    expect(body?.managers.map(({ manager }) => manager)).toEqual([...managerKeys]);
    expect(body?.managers[3]).toMatchObject({
      state: 'unhealthy',
      reason: 'HTTP 503',
      changes: [{ state: 'unhealthy' }],
    });
    // On a busy machine, the manager is slow.
    expect(body?.managers[0]?.changes).toMatchObject([{ state: expect.stringMatching(/^(healthy|slow)$/) as string }]);
    expect(body?.managers[0]?.latency_ms).toBeGreaterThan(0);
  });

  it('reports the failure and the recovery of a manager within 12 s each, even while another one hangs', async () => {
    const time = useManualClock(Date.now());
    const { lab, service } = await start({ event: 'hang' }, ({ settings }) => settings);
    const state = async () => (await history(service)).managers[2]?.state;
    await time.waitFor(async () => expect(await state()).toBe('healthy'));
    await lab.managers.resource.stop();
    await time.waitFor(async () => expect(await state()).toBe('unreachable'), { withinMs: 12_000 });
    await lab.managers.resource.start();
    await time.waitFor(async () => expect(await state()).toBe('healthy'), { withinMs: 12_000 });
  });

  it('contains the outages of a window, also before a restart, and the availability of the managers', async () => {
    const time = useManualClock(Date.now());
    const lab = await startLab();
    onEnd(() => lab.stop());
    const service = await startService({
      files: { 'settings.yaml': `${lab.settings}\nlab_listen_port: ${await pickFreePort()}\n` },
      env: { LAB_LISTEN_PORT: undefined },
    });
    onEnd(() => service.stop());
    const past = async (hours: string) =>
      JSON.parse((await sendRequest(service.port, `/lab_health/history?hours=${hours}`)).body) as unknown;
    await time.waitFor(async () => expect((await history(service)).state).toBe('healthy'));
    await lab.managers.data.stop();
    await time.waitFor(async () => expect(labHistory.parse(await past('24')).incidents).toHaveLength(1));
    await lab.managers.data.start();
    await service.manager.restart();
    const body = await time.waitFor(async () => {
      const response = labHistory.parse(await past('24'));
      expect(response.incidents?.[0]?.to).toEqual(expect.any(String));
      return response;
    });
    expect(body.window_seconds).toBe(86_400);
    expect(body.incidents).toMatchObject([
      { kind: 'manager', id: 'data', name: 'Data Manager', state: 'unreachable', to: expect.any(String) as string },
    ]);
    expect(body.managers[0]?.availability).toMatchObject({ percent: 100, window_seconds: 86_400 });
    expect(body.managers[3]?.availability?.percent).toBeLessThan(100);
    expect(body.managers[3]?.changes.map(({ state }) => state)).toContain('unreachable');
  });

  it.each(['0', '2161', 'many', '-1'])('rejects a window of %s hours', async (hours) => {
    const { service } = await start();
    const response = await sendRequest(service.port, `/lab_health/history?hours=${hours}`);
    expect(response.status).toBe(422);
    expect(response.body).toContain('hours');
  });
});
