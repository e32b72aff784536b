/** `/metrics` of a running service. */
import { afterEach, expect, it } from 'vitest';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';

let service: TestService;
afterEach(() => service.stop());

it('/metrics serves the metrics as text, on GET and HEAD only', async () => {
  service = await startService();
  const { status, headers, body } = await sendRequest(service.port, '/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  expect(body).toContain('labmanager_active 1');
  expect(body).toContain('labmanager_info{version="9.8.7",demo="false"} 1');
  expect(body).toMatch(/^process_resident_memory_bytes \d+/m);
  expect((await sendRequest(service.port, '/metrics', { method: 'HEAD' })).body).toBe('');
  expect((await sendRequest(service.port, '/metrics', { method: 'POST' })).status).toBe(405);
});

it('/metrics responds with 404 and the name of the setting while the metrics are switched off', async () => {
  service = await startService({ files: { 'settings.yaml': 'lab_metrics: false\n' } });
  const { status, body } = await sendRequest(service.port, '/metrics');
  expect(status).toBe(404);
  expect(JSON.parse(body)).toEqual({ detail: 'Not Found: the metrics are switched off by LAB_METRICS' });
});
