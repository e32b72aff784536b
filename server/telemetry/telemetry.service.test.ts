/** Traces and logs of relayed requests, received by an OTLP collector over real sockets. */
// cspell:ignore tracestate
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TracedLab } from '../fixtures/tracedLab.ts';

const clientTrace = '0af7651916cd43dd8448eb211c80319c';
const clientSpan = 'b7ad6b7169203331';
const traceparent = `00-${clientTrace}-${clientSpan}-01`;
const traceHeader = /^00-([\da-f]{32})-([\da-f]{16})-01$/;

let lab: TracedLab;

beforeAll(async () => {
  lab = await TracedLab.start();
});
afterAll(() => lab.stop());
afterEach(() => lab.reset());

describe.each(['http', 'grpc'] as const)('telemetry with OTLP over %s', (protocol) => {
  it('exports one span per relayed request, with the attributes of the semantic conventions', async () => {
    const { port } = await lab.startService(lab.otlp(protocol));
    await lab.send('managers/workcell/workflow/01J0/pause?token=hunter2', { method: 'POST' });
    const { spans } = await lab.exported();
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({
      name: 'POST /managers/workcell/workflow/{workflow_id}/pause',
      kind: 'SPAN_KIND_SERVER',
      status: { code: 'STATUS_CODE_UNSET' },
      resource: { 'service.name': 'madsci.labmanager', 'service.version': '9.8.7' },
    });
    expect(spans[0]?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'http.route': '/managers/workcell/workflow/{workflow_id}/pause',
      'url.scheme': 'http',
      'url.path': '/managers/workcell/workflow/01J0/pause',
      'network.protocol.version': '1.1',
      'client.address': '127.0.0.1',
      'server.address': '127.0.0.1',
      'server.port': port,
      'madsci.manager': 'workcell',
      'user.roles': ['operator'],
    });
  });

  it('exports the log records of a command with the IDs of its span, and no other records', async () => {
    await lab.startService(lab.otlp(protocol));
    await lab.send('managers/workcell/admin/pause/arm', { method: 'POST' });
    await lab.send('managers/workcell/nodes');
    const { logs, spans } = await lab.exported();
    expect(logs).toHaveLength(1);
    const command = spans.find(({ name }) => name.startsWith('POST'));
    expect(logs[0]).toMatchObject({
      severityText: 'INFO',
      traceId: command?.traceId,
      spanId: command?.spanId,
      resource: { 'service.name': 'madsci.labmanager' },
    });
    expect(logs[0]?.body).toMatch(
      /^Relayed POST \/managers\/workcell\/admin\/pause\/arm for “ann” \(operator, session\)/,
    );
  });
});

it('the service exports the log records of the level in the settings', async () => {
  await lab.startService([...lab.otlp('http'), 'lab_log_level: DEBUG']);
  await lab.send('managers/workcell/nodes?token=hunter2');
  await lab.send('health');
  const { logs, spans } = await lab.exported();
  expect(logs).toMatchObject([{ severityText: 'DEBUG', traceId: spans[0]?.traceId }]);
  expect(logs[0]?.body).toBe('GET /managers/workcell/nodes?token=… 200');
});

describe('the trace of a relayed request', () => {
  it('continues the trace of its client, and the manager continues it', async () => {
    await lab.startService(lab.otlp('http'));
    await lab.send('managers/workcell/nodes', {
      headers: { traceparent, tracestate: 'vendor=1', baggage: 'user=ann' },
    });
    const [, traceId, spanId] = traceHeader.exec(String(lab.received[0]?.['traceparent'])) ?? [];
    expect(traceId).toBe(clientTrace);
    expect(spanId).not.toBe(clientSpan);
    expect(lab.received[0]).toMatchObject({ tracestate: 'vendor=1' });
    expect(lab.received[0]).not.toHaveProperty('baggage');
    const { spans } = await lab.exported();
    expect(spans).toMatchObject([{ traceId: clientTrace, spanId, parentSpanId: clientSpan }]);
  });

  it('begins at this service when the client sends no valid one', async () => {
    await lab.startService(lab.otlp('http'));
    await lab.send('managers/workcell/nodes', { headers: { traceparent: '00-invalid' } });
    const [, traceId, spanId] = traceHeader.exec(String(lab.received[0]?.['traceparent'])) ?? [];
    const { spans } = await lab.exported();
    expect(spans).toMatchObject([{ traceId, spanId }]);
    expect(spans[0]?.parentSpanId ?? '').toBe('');
  });

  it('is not exported when the client decided against it', async () => {
    await lab.startService(lab.otlp('http'));
    await lab.send('managers/workcell/nodes', { headers: { traceparent: traceparent.replace(/01$/, '00') } });
    expect(lab.received[0]?.['traceparent']).toMatch(new RegExp(`^00-${clientTrace}-[\\da-f]{16}-00$`));
    expect((await lab.exported()).spans).toEqual([]);
  });

  it.each([
    ['a manager that fails', 'workcell/nodes', '500'],
    ['a manager that is unreachable', 'location/locations', 'unreachable'],
  ])('has an error with %s', async (_case, path, type) => {
    lab.respond = 500;
    await lab.startService(lab.otlp('http'));
    await lab.send(`managers/${path}`);
    const { spans } = await lab.exported();
    expect(spans).toMatchObject([{ status: { code: 'STATUS_CODE_ERROR' }, attributes: { 'error.type': type } }]);
  });

  it('does not exist for a request that is refused or not relayed', async () => {
    await lab.startService(lab.otlp('http'));
    lab.role = null;
    expect((await lab.send('managers/workcell/nodes')).status).toBe(401);
    lab.role = 'viewer';
    expect((await lab.send('managers/workcell/admin/pause', { method: 'POST' })).status).toBe(403);
    expect((await lab.send('managers/workcell/nothing')).status).toBe(404);
    await lab.send('health');
    expect((await lab.exported()).spans).toEqual([]);
  });

  it('contains the age of a shared response', async () => {
    await lab.startService(lab.otlp('http'));
    await lab.send('managers/workcell/nodes');
    await lab.send('managers/workcell/nodes', { headers: { 'cache-control': 'max-age=60' } });
    expect(lab.received).toHaveLength(1);
    const { spans } = await lab.exported();
    expect(spans.map(({ attributes }) => attributes['http.response.header.age'])).toEqual([['0'], ['0']]);
  });
});

describe('the telemetry settings', () => {
  it('are MADSci’s, and /health reports them like MADSci’s managers', async () => {
    await lab.startService([], {
      LAB_OTEL_ENABLED: 'true',
      LAB_OTEL_EXPORTER: 'otlp',
      LAB_OTEL_ENDPOINT: `${lab.collector.httpAddress}/v1/traces`,
      LAB_OTEL_PROTOCOL: 'http',
      LAB_OTEL_SERVICE_NAME: 'bench4',
    });
    expect(await lab.health()).toMatchObject({
      'otel.enabled': true,
      'otel.exporter_type': 'otlp',
      'otel.endpoint': `${lab.collector.httpAddress}/v1/traces`,
    });
    await lab.send('managers/workcell/admin/pause', { method: 'POST' });
    const { spans, logs } = await lab.exported();
    expect(spans).toMatchObject([{ resource: { 'service.name': 'bench4' } }]);
    expect(logs).toMatchObject([{ resource: { 'service.name': 'bench4' } }]);
  });

  it('change nothing when they are not set', async () => {
    await lab.startService([]);
    await lab.send('managers/workcell/nodes', { headers: { traceparent } });
    expect(lab.received[0]).not.toHaveProperty('traceparent');
    expect(await lab.health()).not.toHaveProperty('otel.enabled');
  });

  it('take effect without a restart', async () => {
    const service = await lab.startService([]);
    await service.write({ 'settings.yaml': [...lab.settings, ...lab.otlp('http')].join('\n') });
    await expect.poll(() => service.log).toContain('info Settings changed and applied');
    await lab.send('managers/workcell/nodes');
    expect((await lab.exported()).spans).toHaveLength(1);
  });

  it('write each span to the log with the default exporter', async () => {
    await lab.startService(['lab_otel_enabled: true']);
    await lab.send('managers/workcell/nodes');
    await expect.poll(() => lab.service.log).toContain('info GET /managers/workcell/nodes 200');
  });

  it('pass the trace on to the managers without exporting it when the exporter is none', async () => {
    await lab.startService(['lab_otel_enabled: true', 'lab_otel_exporter: none']);
    await lab.send('managers/workcell/nodes', { headers: { traceparent } });
    expect(lab.received[0]?.['traceparent']).toContain(clientTrace);
  });

  it('cause a warning without a collector, and the service runs', async () => {
    const { log } = await lab.startService(['lab_otel_enabled: true', 'lab_otel_exporter: otlp']);
    expect(log).toContainEqual(expect.stringMatching(/^warn OpenTelemetry is not available: .*LAB_OTEL_ENDPOINT/));
    expect((await lab.send('managers/workcell/nodes')).status).toBe(200);
    expect(await lab.health()).toMatchObject({ 'otel.enabled': false });
  });
});
