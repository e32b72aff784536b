/** A failing collector affects neither the requests nor the end of the service. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useAdvancingClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import { TracedLab } from '../fixtures/tracedLab.ts';

let lab: TracedLab;
let time: ManualClock;

beforeAll(async () => {
  lab = await TracedLab.start();
});
afterAll(() => lab.stop());
beforeEach(() => {
  time = useAdvancingClock();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await lab.reset();
});

const findLines = (text: string) => lab.service.log.filter((line) => line.includes(text));

describe.each(['http', 'grpc'] as const)('telemetry over %s', (protocol) => {
  it('delays neither requests nor the stop of the service while the collector does not respond', async () => {
    lab.collector.behaviour = 'hang';
    const { log } = await lab.startService(lab.otlp(protocol));
    for (let count = 0; count < 20; count += 1) expect((await lab.send('managers/workcell/nodes')).status).toBe(200);
    const startedAt = time.monotonic();
    await lab.stopService();
    // The timeouts of the exporters are 10 s, and the service waits 1.5 s.
    expect(time.monotonic() - startedAt).toBeLessThan(8000);
    expect(log).toContain('warn The last traces could not be exported in time');
  });

  it('logs one line for an unreachable collector', async () => {
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
    // The exporter sends again after a second, unless its timeout is before that.
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '2000');
    const settings = lab.otlp(protocol).map((line) => line.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1'));
    await lab.startService(settings);
    for (const count of [1, 2, 3]) {
      await lab.send('managers/workcell/nodes');
      await expect.poll(() => lab.service.log.length).toBeGreaterThanOrEqual(count === 1 ? 2 : 0);
      await expect.poll(() => findLines('cannot be exported')).toHaveLength(1);
    }
    expect(findLines('cannot be exported')[0]).toMatch(
      /^warn Traces cannot be exported to 127\.0\.0\.1:1: Failed to connect: connection refused \(127\.0\.0\.1:1\)$/,
    );
  });
});

it.each([
  [307, 'HTTP 307 (redirects are not followed)'],
  [404, 'HTTP 404'],
  [503, 'temporary error of the collector (HTTP 429, 502, 503 or 504)'],
] as const)('a collector that responds with %d is reported with the reason', async (status, reason) => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '1000');
  lab.collector.behaviour = status;
  await lab.startService(lab.otlp('http'));
  await lab.send('managers/workcell/nodes');
  await expect.poll(() => findLines('cannot be exported')[0]).toContain(`: ${reason}`);
});

it.each(['http', 'grpc'] as const)('a collector that does not respond is reported over %s', async (protocol) => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '300');
  lab.collector.behaviour = 'hang';
  await lab.startService(lab.otlp(protocol));
  await lab.send('managers/workcell/nodes');
  await expect.poll(() => findLines('cannot be exported')[0]).toMatch(/: no response in time$/);
});

it('a collector that works again is reported once, with the number of lost spans', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '50');
  lab.collector.behaviour = 400;
  await lab.startService(lab.otlp('http'));
  await lab.send('managers/workcell/nodes');
  await expect.poll(() => findLines('cannot be exported')).toHaveLength(1);
  lab.collector.behaviour = 'receive';
  await lab.send('managers/workcell/nodes');
  await expect.poll(() => findLines('again; spans and log records lost meanwhile: 1')).toHaveLength(1);
});

it('the queue of spans is bounded', async () => {
  vi.stubEnv('OTEL_BSP_MAX_QUEUE_SIZE', '5');
  vi.stubEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '5');
  lab.collector.behaviour = 'hang';
  await lab.startService(lab.otlp('http'));
  for (let count = 0; count < 30; count += 1) await lab.send('managers/workcell/nodes');
  await expect.poll(() => lab.collector.requests).toHaveLength(1);
  lab.collector.behaviour = 'receive';
  const { spans } = await lab.exported();
  expect(spans.length).toBeLessThanOrEqual(5);
});

it('the service exports the log record of a command whose client disconnected before the response', async () => {
  lab.respond = 'hang';
  await lab.startService(lab.otlp('http'));
  const controller = new AbortController();
  const sent = lab
    .send('managers/workcell/admin/pause', { method: 'POST', signal: controller.signal })
    .catch(() => null);
  await expect.poll(() => lab.received).toHaveLength(1);
  controller.abort();
  await sent;
  await expect.poll(() => findLines('the client disconnected before the response')).toHaveLength(1);
  const { logs, spans } = await lab.exported();
  expect(logs).toMatchObject([
    { traceId: spans[0]?.traceId, body: expect.stringContaining('the client disconnected') },
  ]);
  expect(spans).toMatchObject([{ attributes: { 'error.type': 'aborted' }, status: { code: 'STATUS_CODE_UNSET' } }]);
});

it('the service sends the headers of the standard variables, and shows them nowhere', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20hunter2');
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=bench');
  await lab.startService(lab.otlp('http'));
  await lab.send('managers/workcell/nodes');
  const settings = await (await fetch(new URL('settings', lab.service.url))).text();
  expect(settings).toContain('otel_endpoint');
  expect(settings).not.toContain('hunter2');
  const { log } = lab.service;
  const { requests, spans } = await lab.exported();
  expect(requests[0]).toMatchObject({ authorization: 'Bearer hunter2' });
  expect(spans).toMatchObject([{ resource: { 'deployment.environment.name': 'bench' } }]);
  expect(log.join('\n')).not.toContain('hunter2');
});
