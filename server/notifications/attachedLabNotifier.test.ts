import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LabStatus, NodeActivity } from '../../api/lab/lab.ts';
import type { ManagerState, NodeState } from '../../api/states.ts';
import { AttachedLabNotifier } from './attachedLabNotifier.ts';

let titles: string[];
let bodies: string[];
let notifier: AttachedLabNotifier;
beforeEach(() => {
  vi.useFakeTimers();
  [titles, bodies] = [[], []];
  notifier = new AttachedLabNotifier(
    () => ({ notifyEvents: ['lab', 'manager', 'node', 'workflow_failed'], notifyReminderHours: 4 }),
    ({ title, body }) => {
      titles.push(title);
      bodies.push(body);
    },
  );
});
afterEach(() => {
  notifier.stop();
  vi.useRealTimers();
});

const at = '2026-03-02T14:00:00.000Z';
const failed = (id: string) => ({ id, name: `Assay ${id}`, state: 'failed' as const, step: null, reason: null, at });

/** The status of a lab with one manager. */
function labWith(data: ManagerState): LabStatus {
  const manager = { manager: 'data', name: 'Data Manager', state: data, reason: null, since: null };
  const common = {
    lab_name: null,
    now: at,
    state: data === 'healthy' ? 'healthy' : 'degraded',
    description: '',
    since: null,
  };
  return { ...common, managers: [manager] } as unknown as LabStatus;
}

function lab(nodes: Readonly<Record<string, NodeState>> | null, changes: Partial<LabStatus> = {}): LabStatus {
  const inNeed = Object.entries(nodes ?? {}).map(([name, state]) => ({ name, state, reason: null, since: at }));
  const activity = { nodes: nodes === null ? null : { total: 5, in_need: inNeed }, ended_workflows: [] };
  return { ...labWith('healthy'), activity, ...changes };
}

/** Reads the same status every 5 s. */
function readFor(seconds: number, status: LabStatus): void {
  for (let second = 0; second < seconds; second += 5) {
    notifier.handleStatus(status);
    vi.advanceTimersByTime(5000);
  }
}

it('an attached app notifies when a node starts and stops needing attention', () => {
  readFor(30, lab({ old: 'errored' }));
  readFor(60, lab({ old: 'errored', arm: 'errored' }));
  readFor(60, lab({ old: 'errored' }));
  expect(titles).toEqual(['arm: error', 'arm is back']);
});

it('the recovery of a node contains none of its earlier flags', () => {
  readFor(30, lab({}));
  const locked: NodeActivity = { name: 'arm', state: 'stopped', flags: ['locked'], reason: null, since: at };
  readFor(60, lab({}, { activity: { nodes: { total: 5, in_need: [locked] }, ended_workflows: [] } }));
  readFor(60, lab({}));
  expect(titles).toEqual(['arm: stopped, locked', 'arm is back']);
  expect(bodies[1]).toMatch(/^ready \(stopped, locked since /);
});

it('an attached app notifies of a manager and of a workflow that failed since the attachment', () => {
  readFor(30, lab({}, { activity: { nodes: null, ended_workflows: [failed('before')] } }));
  readFor(60, {
    ...labWith('unreachable'),
    activity: { nodes: null, ended_workflows: [failed('new'), failed('before')] },
  });
  expect(titles.toSorted()).toEqual(['Assay new failed', 'Data Manager: unreachable']);
});

it('an attached app sends no notification while its service is on standby, and later only the recovery', () => {
  const standby = { standby: 'this machine does not have the shared address 10.0.0.10' };
  readFor(30, lab({}, standby));
  readFor(60, { ...labWith('unreachable'), ...standby });
  readFor(60, labWith('unreachable'));
  expect(titles).toEqual([]);
  readFor(60, labWith('healthy'));
  expect(titles).toEqual(['Data Manager is back']);
});

it('an attached app sends no notification of nodes while they are unknown', () => {
  readFor(30, lab({ arm: 'errored' }));
  readFor(60, lab(null));
  readFor(60, lab({ arm: 'errored' }));
  expect(titles).toEqual([]);
});

it('an attached app sends no notification of a manager in maintenance', () => {
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const maintenance = [{ kind: 'manager' as const, id: 'data', name: 'Data Manager', from: at, until }];
  readFor(30, lab({}));
  readFor(60, { ...labWith('unreachable'), maintenance });
  readFor(30, lab({}, { maintenance }));
  readFor(60, lab({}));
  expect(titles).toEqual([]);
});
