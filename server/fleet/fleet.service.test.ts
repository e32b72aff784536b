/** Tests `/fleet/labs` and the page `/fleet` of a running service. */
import { afterEach, expect, it } from 'vitest';
import { useAdvancingClock } from '../../api/fixtures/manualClock.ts';
import { fleetLabs } from '../../api/lab/fleet.ts';
import { labHistory } from '../../api/lab/lab.ts';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';

let services: TestService[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});

async function start(settings: string): Promise<TestService> {
  const service = await startService({ files: { 'settings.yaml': settings } });
  services.push(service);
  return service;
}

const read = async ({ port }: TestService) =>
  fleetLabs.parse(JSON.parse((await sendRequest(port, '/fleet/labs')).body));

it('the service serves the labs of LAB_FLEET, including its own, and responds with 304 to the ETag of an unchanged response', async () => {
  useAdvancingClock();
  const otherService = await start('lab_manager_name: Other Lab\n');
  const dead = `http://127.0.0.1:${await pickFreePort()}/`;
  const service = await start('lab_manager_name: This Lab\n');
  expect((await read(service)).labs).toEqual([]);
  await service.write({
    'settings.yaml': `lab_manager_name: This Lab\nlab_fleet: [${service.url}, 'Second=${otherService.url}', Dead=${dead}]\n`,
  });
  const states = async () => (await read(service)).labs.map(({ name, state }) => `${name}: ${state === 'unreachable'}`);
  await expect.poll(states).toEqual(['This Lab: false', 'Second: false', 'Dead: true']);
  const history = labHistory.parse(JSON.parse((await sendRequest(service.port, '/lab_health/history')).body));
  expect(history.fleet).toBe(3);

  const { headers } = await sendRequest(service.port, '/fleet/labs');
  const { etag = '' } = headers;
  const again = await sendRequest(service.port, '/fleet/labs', { headers: { 'if-none-match': etag } });
  const isSame = again.headers['etag'] === etag;
  expect([again.status, again.body === '']).toEqual(isSame ? [304, true] : [200, false]);
  expect((await sendRequest(service.port, '/fleet/labs', { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
});

it('the service serves a page at /fleet without a rate limit, and 404 for an unknown path below it', async () => {
  const service = await start('');
  for (const path of ['/fleet', '/fleet/', '/fleet?q=1']) {
    const { status, headers } = await sendRequest(service.port, path, { headers: { accept: 'text/html' } });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers).not.toHaveProperty('x-ratelimit-limit');
  }
  expect((await sendRequest(service.port, '/fleet/lab')).status).toBe(404);
});
