/** A stop of this service that another service of the lab releases: the event log shows its record up to 5 s later. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import { StopLab, type NodeKind } from '../fixtures/stopLab.ts';
import { ann, openOperation, results, type Operation } from '../fixtures/stopOperation.ts';

const workflows = { queued: { node: 'bad', running: false } };

async function startOperation(
  nodes: Readonly<Record<string, NodeKind>>,
  options: { workflows?: typeof workflows } = {},
) {
  const lab = await StopLab.start({ nodes, ...options });
  onTestFinished(() => lab.stop());
  const clock = useManualClock();
  const log: { releases: Map<string, number>; stop: LabStop | null; reads: number } = {
    releases: new Map(),
    stop: null,
    reads: 0,
  };
  const operation = await openOperation(lab, clock, null, {
    releasedAt: (id) => log.releases.get(id) ?? null,
    stopInEffect: (ended) => (log.stop?.id && ended.has(log.stop.id) ? null : log.stop),
    readWithin: async () => void (log.reads += 1),
  });
  return { ...operation, log };
}

/** Presses, and lets the time of the release of another service pass. */
async function pressBeforeRelease({ stops, clock, pass }: Operation) {
  stops.press(ann);
  await pass(1500);
  const releasedAt = clock.now();
  await pass(500);
  return { id: stops.last?.id ?? '', releasedAt };
}

describe('a release of another service', () => {
  it('ends the sending, and only the nodes that received commands since are released', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'refuser' });
    const { stops, lab, clock, log } = operation;
    stops.press(ann);
    await operation.pass(1000);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed', bad: 'held' }));
    const releasedAt = clock.now();
    await operation.pass(3000);
    lab.log.length = 0;
    log.releases.set(stops.last?.id ?? '', releasedAt);
    stops.observe();
    await clock.waitFor(() => expect(stops.current).toBeNull());
    expect(stops.isSending).toBe(false);
    expect(lab.commandsTo('arm')).toEqual([]);
    expect(lab.commandsTo('bad')).toEqual(expect.arrayContaining(['workcell unlock', 'workcell resume']));
  });

  it('does not undo a stop that was pressed here since', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'deaf' });
    const { stops, lab, log } = operation;
    const { id, releasedAt } = await pressBeforeRelease(operation);
    stops.press(ann);
    await operation.pass(500);
    lab.log.length = 0;
    log.releases.set(id, releasedAt);
    stops.observe();
    await operation.pass(500);
    expect(stops.current?.id).not.toBe(id);
    expect(lab.commandsTo('arm')).toContain('node safety_stop');
    expect(lab.commandsTo('arm')).not.toContain('workcell reset');
  });

  it('does not undo a stop that was pressed at another service since', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'deaf' });
    const { stops, lab, clock, log } = operation;
    const { id, releasedAt } = await pressBeforeRelease(operation);
    const at = new Date(clock.now()).toISOString();
    log.stop = { id: 'other', at, machine: 'pc-2', application: 'dashboard', nodes: stops.last?.nodes ?? [] };
    log.releases.set(id, releasedAt);
    lab.log.length = 0;
    stops.observe();
    await operation.pass(5000);
    expect([stops.current?.id, stops.isSending]).toEqual(['other', false]);
    expect(lab.commandsTo('arm')).toEqual([]);
    expect(lab.log.filter(({ command }) => ['reset', 'unlock', 'resume'].includes(command))).toEqual([]);
  });

  it('resumes the workflows that this service has paused, also after the end of its sending', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'deaf' }, { workflows });
    const { stops, lab, clock, log } = operation;
    stops.press(ann);
    await operation.pass(30_000);
    await vi.waitFor(() => expect([stops.isSending, lab.workflowLog]).toEqual([false, ['pause queued']]));
    log.releases.set(stops.last?.id ?? '', clock.now());
    stops.observe();
    await clock.waitFor(() => expect(stops.current).toBeNull());
    expect(lab.workflowLog).toEqual(['pause queued', 'resume queued']);
  });
});

it('the event log is read at once for a stop that only the flags show, and before its release', async () => {
  const operation = await startOperation({ arm: 'stopper' });
  const { stops, lab, log } = operation;
  expect(log.reads).toBe(0);
  log.stop = { id: null, at: null, machine: null, application: null, nodes: [] };
  stops.observe();
  stops.observe();
  expect(log.reads).toBe(1);
  const releasing = stops.release(ann);
  expect([log.reads, lab.log]).toEqual([2, []]);
  await releasing;
});

it('locks of another service, read as set before the stop, are undone when the event log shows its stop', async () => {
  const operation = await startOperation({ plain: 'without-stop' });
  const { stops, lab, log } = operation;
  lab.setFlag('plain', 'locked', true);
  stops.press(ann);
  await operation.clock.waitFor(() => expect(stops.releases).toEqual([{ name: 'plain', commands: ['resume'] }]));
  const [node] = stops.last?.nodes ?? [];
  if (stops.last !== null && node !== undefined) log.stop = { ...stops.last, nodes: [{ ...node, before: [] }] };
  await operation.clock.settle(stops.release(ann));
  expect(lab.commandsTo('plain').slice(-2)).toEqual(['workcell unlock', 'workcell resume']);
  expect(stops.current).toBeNull();
});

it('a stop of another program is released with the safety stop that a node has executed since its last record', async () => {
  const operation = await startOperation({ late: 'stopper', mine: 'stopper' });
  const { stops, lab, clock, log } = operation;
  const node = { workcell: lab.workcell, result: 'held' as const, reason: '', did: ['lock', 'pause'], before: [] };
  const released = { ...node, name: 'mine', released_at: new Date(clock.now()).toISOString() };
  const at = new Date(clock.now()).toISOString();
  log.stop = { id: 'other', at, machine: null, application: 'dashboard', nodes: [{ ...node, name: 'late' }, released] };
  for (const flag of ['stopped', 'locked', 'paused']) lab.setFlag('late', flag, true);
  lab.setFlag('mine', 'locked', true);
  await clock.settle(stops.release(ann));
  expect(lab.commandsTo('late')).toEqual(['workcell reset', 'workcell unlock', 'workcell resume']);
  expect(lab.commandsTo('mine')).toEqual([]);
});
