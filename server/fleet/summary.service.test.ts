/** Tests `/summary` of a running service. */
import { afterEach, expect, it } from 'vitest';
import { labSummary } from '../../api/lab/fleet.ts';
import { startLab, type FakeLab } from '../../e2e/support/managers.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';

let service: TestService;
let lab: FakeLab | null = null;
afterEach(async () => {
  await service.stop();
  await lab?.stop();
  lab = null;
});

const read = async () => labSummary.parse(JSON.parse((await sendRequest(service.port, '/summary')).body));

it('/summary serves the state of the lab, readable by pages of other origins and never cached', async () => {
  lab = await startLab({ data: 'unhealthy' });
  service = await startService({ files: { 'settings.yaml': `${lab.settings}\nlab_manager_name: Bench 4\n` } });
  // The incident is recorded after the check that finds it.
  await expect.poll(read).toMatchObject({
    lab_name: 'Bench 4',
    state: 'degraded',
    managers: { healthy: 5, total: 6 },
    incidents: { open: 1 },
  });
  const { headers } = await sendRequest(service.port, '/summary', { headers: { origin: 'http://other.example' } });
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
});

it('/summary is available while every manager hangs or refuses connections', async () => {
  lab = await startLab({ event: 'hang', workcell: 'hang', resource: 'hang' });
  await lab.managers.data.stop();
  service = await startService({ files: { 'settings.yaml': lab.settings } });
  const summary = await read();
  expect(summary).toMatchObject({ nodes: null, workflows: null, safety_stop: null, stops_read: false });
  expect(Date.parse(summary.now)).toBeGreaterThan(Date.now() - 60_000);
});
