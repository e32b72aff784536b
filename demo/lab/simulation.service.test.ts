import { afterEach, describe, expect, it } from 'vitest';
import { recordId } from '../base/demoManager.ts';
import type { Experiment } from '../../api/managers/experiment.ts';
import { workflows } from '../../api/managers/workflow.ts';
import type { DemoLab } from './lab.ts';
import { postControl, getJson, startTestLab, stopLabs } from './testLabs.ts';

afterEach(stopLabs);

function newest(lab: DemoLab): Experiment {
  const [experiment] = lab.managers.experiment.store.list(1);
  if (experiment === undefined) throw new Error('The lab has no experiment');
  return experiment;
}

it('the simulation submits workflows, which end, until it is stopped', async () => {
  const { lab, clock } = await startTestLab({ simulation: true });
  clock.advance(30 * 60_000);
  const archived = workflows.parse(await getJson(`${lab.context.workcell_server_url}workflows/archived?number=0`));
  const endedRuns = Object.values(archived).filter((workflow) => workflow.status.completed);
  expect(endedRuns.length).toBeGreaterThan(5);
  await postControl(lab, 'simulation', { running: false });
  clock.advance(10 * 60_000);
  const idsBefore = Object.keys(
    workflows.parse(await getJson(`${lab.context.workcell_server_url}workflows/archived?number=0`)),
  );
  clock.advance(30 * 60_000);
  const idsAfter = Object.keys(
    workflows.parse(await getJson(`${lab.context.workcell_server_url}workflows/archived?number=0`)),
  );
  expect(idsAfter).toEqual(idsBefore);
});

it('the simulation ends workflows in every hour despite its own faults', async () => {
  const { lab, clock } = await startTestLab({ simulation: true, past: true, seed: 7 });
  const { archived } = lab.managers.workcell.store;
  for (let hour = 0; hour < 4; hour += 1) {
    const archivedBefore = archived.size;
    clock.advance(60 * 60_000);
    expect(archived.size, `hour ${hour + 1}`).toBeGreaterThan(archivedBefore + 10);
  }
});

it('the simulation ends its experiment, starts the next one and submits workflows for the running one', async () => {
  const { lab, clock } = await startTestLab({ simulation: true, past: true });
  const { experiment, workcell } = lab.managers;
  const running = () => experiment.store.list(0).filter(({ status }) => status === 'in_progress');
  const first = recordId(newest(lab));
  const runsOfFirst = () =>
    [...workcell.store.archived.values()].filter((run) => run.ownership.experiment_id === first);
  const countBefore = runsOfFirst().length;
  clock.advance(20 * 60_000);
  expect(experiment.store.get(first)).toMatchObject({
    status: 'completed',
    ended_at: expect.any(String) as string,
  });
  expect(runsOfFirst().length).toBeGreaterThan(countBefore);
  let highest = 0;
  for (let minutes = 0; minutes < 180; minutes++) {
    clock.advance(60_000);
    highest = Math.max(highest, running().length);
  }
  expect(highest).toBe(1);
  const names = experiment.store.list(0).map(({ run_name }) => run_name);
  expect(names.length).toBeGreaterThanOrEqual(6);
  expect(names).toContain('Glucose series run 2');
  expect(new Set(names).size).toBe(names.length);
});

it('the simulation submits nothing for a paused experiment and starts another one after a cancel', async () => {
  const { lab, clock } = await startTestLab({ simulation: true, past: true });
  const { experiment, workcell } = lab.managers;
  const first = recordId(newest(lab));
  experiment.store.change(first, 'pause');
  clock.advance(10 * 60_000);
  const count = workcell.store.archived.size;
  clock.advance(60 * 60_000);
  expect(workcell.store.archived.size).toBe(count);
  experiment.store.change(first, 'cancel');
  clock.advance(20 * 60_000);
  expect(newest(lab)).toMatchObject({ run_name: 'Glucose series run 2', status: 'in_progress' });
  expect(workcell.store.archived.size).toBeGreaterThan(count);
});

describe('a broken node', () => {
  const errored = (lab: DemoLab, name: string) => lab.nodes.find((node) => node.name === name)?.status().errored;

  it('stays in error after a requested fault until the fault is withdrawn', async () => {
    const { lab, clock } = await startTestLab({ simulation: true });
    await postControl(lab, 'faults', { node: 'robotarm_1', fault: 'errored' });
    clock.advance(2 * 3_600_000);
    expect(errored(lab, 'robotarm_1')).toBe(true);
    await postControl(lab, 'faults', { node: 'robotarm_1', fault: null });
    expect(errored(lab, 'robotarm_1')).toBe(false);
  });

  it('stays in error after a user’s action raised an exception', async () => {
    const { lab, clock } = await startTestLab({ simulation: true });
    const node = lab.nodes.find(({ name }) => name === 'advanced_example_node');
    node?.start('crash', {});
    clock.advance(3_600_000);
    expect(errored(lab, 'advanced_example_node')).toBe(true);
  });

  it('is repaired by the lab when the lab broke it', async () => {
    const { lab, clock } = await startTestLab({ simulation: true });
    const node = lab.nodes.find(({ name }) => name === 'advanced_example_node');
    let breakdowns = 0;
    for (let minutes = 0; minutes < 12 * 60 && breakdowns < 2; minutes++) {
      const breakdownBefore = node?.breakdown;
      clock.advance(60_000);
      if (breakdownBefore === null && node?.breakdown) breakdowns += 1;
    }
    expect(breakdowns).toBeGreaterThan(1);
  });
});
