/**
 * Our lab manager in place of the real one, with its own real managers: counts and reasons match the running managers
 * while these are stopped and started.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '#api/client/client.ts';
import { labContext, labHealth, labHistory, type LabHealth } from '#api/lab/lab.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import { contextKey, healthKey, managerKeys, type ManagerKey } from '#api/managers.ts';
import { startService, type TestService } from '../../support/service.ts';
import { hangMs } from '../../support/pollUntil.ts';
import { startRealLab, type RealLab } from '../realLab.ts';

let lab: RealLab;
let service: TestService;

beforeAll(async () => {
  const python = process.env['LAB_MANAGER_MADSCI_PYTHON'];
  if (python === undefined) throw new Error('There is no Python with MADSci: run it with npm run test:interop');
  lab = await startRealLab(python, { nodes: [] });
  const settings = managerKeys.map((key) => `${contextKey(key)}: ${lab.managers[key]}\n`).join('');
  service = await startService({ files: { 'settings.yaml': settings } });
});
afterAll(async () => {
  try {
    await service.stop();
  } finally {
    await lab.stop();
  }
});

async function read(path: string): Promise<unknown> {
  return (await fetch(`${service.url}${path}`)).json();
}

async function health(): Promise<LabHealth> {
  return labHealth.parse(await read('lab_health'));
}

/** Returns the expected `/lab_health` while these managers are stopped. */
function expected(stopped: readonly ManagerKey[]): object {
  const healthy = managerKeys.length - stopped.length;
  const entry = (key: ManagerKey) =>
    stopped.includes(key)
      ? { healthy: false, description: `Failed to connect: connection refused (${new URL(lab.managers[key]).host})` }
      : { healthy: true, version: '0.8.1' };
  return {
    healthy: healthy > managerKeys.length / 2,
    description: `${healthy}/${managerKeys.length} managers are healthy`,
    total_managers: managerKeys.length,
    healthy_managers: healthy,
    managers: Object.fromEntries(managerKeys.map((key) => [healthKey(key), entry(key)])),
  };
}

it('our lab manager returns the addresses of the managers and their own health data', async () => {
  const context = labContext.parse(await read('context'));
  for (const key of managerKeys) expect(context[contextKey(key)]).toBe(lab.managers[key]);
  const { managers } = await health();
  for (const key of managerKeys) {
    const body: unknown = await (await fetch(`${lab.managers[key]}health`)).json();
    // Totals can grow between the two requests: the managers log to each other.
    expect(Object.keys(managers[healthKey(key)] ?? {}), key).toEqual(Object.keys(body as object));
  }
});

it('our lab manager lists the active workflows that a restart of the workcell manager loses', async () => {
  const workcell = createClient(workcellApi, { baseUrl: lab.managers.workcell, timeoutMs: hangMs });
  await workcell.addNode({ node_name: 'gone', node_url: 'http://127.0.0.1:9/' });
  const definition = { name: 'Overnight', steps: [{ name: 'run', node: 'gone', action: 'run' }] };
  const workflow_definition_id = await workcell.addWorkflowDefinition({ body: definition });
  const { workflow_id: id } = await workcell.startWorkflow({ body: { workflow_definition_id } });
  const readActivity = async () => labHistory.parse(await read('lab_health/history')).activity;
  // The counts of the metrics make the service read the active workflows more often.
  const readMetrics = async () => (await fetch(`${service.url}metrics`)).text();
  await expect.poll(readMetrics).toMatch(/^labmanager_workflows_active\{state="queued"\} 1$/m);
  await lab.program('workcell').stop();
  await lab.program('workcell').start();
  await expect
    .poll(readActivity)
    .toMatchObject({ lost_workflows: { total: 1, workflows: [{ id, name: 'Overnight', state: 'queued' }] } });
});

it('our lab manager counts the running managers while they stop and start, and reports why the others fail', async () => {
  expect(await health()).toMatchObject(expected([]));
  const stopped: ManagerKey[] = [];
  for (const key of ['data', 'experiment', 'workcell', 'location'] as const) {
    await lab.program(key).stop();
    stopped.push(key);
    expect(await health()).toMatchObject(expected(stopped));
  }
  while (stopped.length > 0) {
    const key = stopped.shift();
    if (key === undefined) break;
    await lab.program(key).start();
    expect(await health()).toMatchObject(expected(stopped));
  }
});
