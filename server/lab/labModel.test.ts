import { batch } from '@preact/signals-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { checkOf, createTestModel, setAddress, setChecks } from '../fixtures/testModel.ts';
import { noMaintenance } from '../maintenance/entries.ts';

const start = Date.UTC(2026, 0, 15, 12);
beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

it('LabModel publishes each change of a slice once, and several in a batch together', () => {
  const lab = createTestModel();
  const states: string[] = [];
  lab.status.subscribe(({ state, standby = 'active' }) => states.push(`${state}, ${standby}`));
  setChecks(lab, [checkOf('event', 'healthy')]);
  batch(() => {
    setChecks(lab, [checkOf('event', 'unreachable')]);
    lab.standby.value = 'on standby';
  });
  expect(states).toEqual(['down, active', 'healthy, active', 'down, on standby']);
});

it('LabModel publishes the begin and the end of a maintenance window, and nothing else while the time passes', () => {
  const lab = createTestModel();
  setChecks(lab, [checkOf('event', 'unreachable'), checkOf('data', 'healthy')]);
  lab.start();
  const states: string[] = [];
  lab.status.subscribe(({ state }) => states.push(state));
  const [from, until] = [start, start + 10_000].map((ms) => new Date(ms).toISOString()) as [string, string];
  lab.maintenance.value = { ...noMaintenance, entries: [{ kind: 'manager', id: 'event', from, until }] };
  vi.advanceTimersByTime(60_000);
  lab.stop();
  expect(states).toEqual(['down', 'healthy', 'down']);
});

it('LabModel publishes nothing when a slice is written again with the same content', () => {
  const lab = createTestModel();
  let count = 0;
  lab.status.subscribe(() => (count += 1));
  for (const waiting of [0, 0, 1]) lab.database.value = { problem: null, waiting };
  for (const id of ['a', 'a', 'b'])
    lab.stops.value = { current: { id, at: null, machine: null, application: null, nodes: [] }, acknowledged: null };
  expect(count).toBe(5);
});

it('LabModel keeps the start of the lab’s state until it changes, also across a restart of the service', () => {
  const lab = createTestModel();
  const earlier = start - 3_600_000;
  lab.restore({ state: 'healthy', since: earlier });
  setChecks(lab, [checkOf('event', 'healthy')]);
  expect(lab.currentStatus().since).toBe(new Date(earlier).toISOString());
  vi.advanceTimersByTime(5000);
  setChecks(lab, [checkOf('event', 'healthy', { lastChecked: Date.now() })]);
  expect(lab.currentStatus().since).toBe(new Date(earlier).toISOString());
  setChecks(lab, [checkOf('event', 'unreachable')]);
  expect(lab.currentStatus().since).toBe(new Date(start + 5000).toISOString());
});

it('LabModel shows the readings of the current workcell manager only', () => {
  const lab = createTestModel();
  const arm = { name: 'arm', state: 'errored', reason: null, since: '' } as const;
  lab.nodes.value = { workcell: 'http://workcell/', nodes: new Map([['arm', arm]]), at: performance.now() };
  expect(lab.nodeSnapshot()).toEqual({ nodes: [arm], isRecent: true });
  setAddress(lab, 'workcell', 'http://other/');
  expect([lab.nodeSnapshot(), lab.flags()]).toEqual([{ nodes: [], isRecent: false }, null]);
});
