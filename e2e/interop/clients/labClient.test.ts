/** MADSci's `LabClient`, unmodified, against our lab manager. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { contextKey, managerKeys } from '#api/managers.ts';
import { startService, type TestService } from '../../support/service.ts';
import { target } from '../behaviour/lab.ts';
import { runPython } from '../python.ts';

const object = z.record(z.string(), z.unknown());
const clientOutput = z.object({ context: object, health: object, lab_health: object, async: z.array(object) });

let service: TestService;

beforeAll(async () => {
  const settings = managerKeys.map((key) => `${contextKey(key)}: ${target.context[key]}`).join('\n');
  service = await startService({ files: { 'settings.yaml': `${settings}\nlab_server_url: http://127.0.0.1:8000\n` } });
});
afterAll(() => service.stop());

it('the LabClient reads context, health and lab health synchronously and asynchronously', async () => {
  const { context, health, lab_health, async } = clientOutput.parse(await runPython(['lab', service.url]));
  const addresses = managerKeys.map((key) => [contextKey(key), target.context[key]] as const);
  expect(context).toEqual({ ...Object.fromEntries(addresses), lab_server_url: 'http://127.0.0.1:8000/' });
  expect(health).toMatchObject({ healthy: true, description: 'Lab Manager is running', version: '9.8.7' });
  expect(lab_health).toMatchObject({
    healthy: true,
    description: '6/6 managers are healthy',
    total_managers: 6,
    healthy_managers: 6,
    managers: { event_manager: { healthy: true, version: '0.8.1' }, workcell_manager: { healthy: true } },
  });
  expect(async).toMatchObject([context, health, { healthy: true, healthy_managers: 6 }]);
});
