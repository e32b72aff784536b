import { afterEach, describe, expect, it } from 'vitest';
import { idOf } from '../base/parts.ts';
import type { Experiment } from '../../api/managers/experiment.ts';
import { workflows } from '../../api/managers/workflow.ts';
import type { DemoLab } from './lab.ts';
import { control, get, start, stopLabs } from './testLabs.ts';

afterEach(stopLabs);

function newest(lab: DemoLab): Experiment {
  const [found] = lab.managers.experiment.store.list(1);
  if (found === undefined) throw new Error('The lab has no experiment');
  return found;
}

it('the live lab submits workflows, which end', async () => {
  const { lab, clock } = await start({ simulation: true });
  clock.advance(30 * 60_000);
  const archived = workflows.parse(await get(`${lab.context.workcell_server_url}workflows/archived?number=0`));
  const ended = Object.values(archived).filter((one) => one.status.completed);
  expect(ended.length).toBeGreaterThan(5);
  await control(lab, 'simulation', { running: false });
  clock.advance(10 * 60_000);
  const before = Object.keys(
    workflows.parse(await get(`${lab.context.workcell_server_url}workflows/archived?number=0`)),
  );
  clock.advance(30 * 60_000);
  const after = Object.keys(
    workflows.parse(await get(`${lab.context.workcell_server_url}workflows/archived?number=0`)),
  );
  expect(after).toEqual(before);
});

it('the live lab continues after its own faults, even when a second one depends on the first', async () => {
  const { lab, clock } = await start({ simulation: true, past: true, seed: 7 });
  const { archived } = lab.managers.workcell.store;
  for (let hour = 0; hour < 4; hour += 1) {
    const before = archived.size;
    clock.advance(60 * 60_000);
    expect(archived.size, `hour ${hour + 1}`).toBeGreaterThan(before + 10);
  }
});

it('the live lab ends its experiment, starts the next one and submits workflows for the running one', async () => {
  const { lab, clock } = await start({ simulation: true, past: true });
  const { experiment, workcell } = lab.managers;
  const running = () => experiment.store.list(0).filter(({ status }) => status === 'in_progress');
  const first = idOf(newest(lab));
  const ofFirst = () => [...workcell.store.archived.values()].filter((run) => run.ownership.experiment_id === first);
  const before = ofFirst().length;
  clock.advance(20 * 60_000);
  expect(experiment.store.get(first)).toMatchObject({
    status: 'completed',
    ended_at: expect.any(String) as string,
  });
  expect(ofFirst().length).toBeGreaterThan(before);
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

it('the live lab submits nothing for a paused experiment and starts another one after a cancel', async () => {
  const { lab, clock } = await start({ simulation: true, past: true });
  const { experiment, workcell } = lab.managers;
  const first = idOf(newest(lab));
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

  it('stays in error after a requested fault until it is reset or the fault is withdrawn', async () => {
    const { lab, clock } = await start({ simulation: true });
    await control(lab, 'faults', { node: 'robotarm_1', fault: 'errored' });
    clock.advance(2 * 3_600_000);
    expect(errored(lab, 'robotarm_1')).toBe(true);
    await control(lab, 'faults', { node: 'robotarm_1', fault: null });
    expect(errored(lab, 'robotarm_1')).toBe(false);
  });

  it('stays in error after an action of a user raised an exception', async () => {
    const { lab, clock } = await start({ simulation: true });
    const node = lab.nodes.find(({ name }) => name === 'advanced_example_node');
    node?.start('crash', {});
    clock.advance(3_600_000);
    expect(errored(lab, 'advanced_example_node')).toBe(true);
  });

  it('is repaired by the lab when the lab broke it', async () => {
    const { lab, clock } = await start({ simulation: true });
    const node = lab.nodes.find(({ name }) => name === 'advanced_example_node');
    let breakdowns = 0;
    for (let minutes = 0; minutes < 12 * 60; minutes++) {
      const before = node?.broken;
      clock.advance(60_000);
      if (before === null && node?.broken) breakdowns += 1;
    }
    expect(breakdowns).toBeGreaterThan(1);
  });
});
