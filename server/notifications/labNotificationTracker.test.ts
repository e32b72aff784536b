import { describe, expect, it } from 'vitest';
import type { LabStatus, Maintenance, OverdueStep } from '../../api/lab/lab.ts';
import { managerKeys, managerTitle } from '../../api/managers.ts';
import type { LabState } from '../../api/states.ts';
import { LabNotificationTracker } from './labNotificationTracker.ts';

const iso = new Date(0).toISOString();
const inMaintenance = (...ids: readonly string[]): Maintenance[] =>
  ids.map((id) => ({ kind: 'manager', id, name: id, from: iso, until: iso }));
const lab = (state: LabState, maintenance: readonly Maintenance[] = []): LabStatus =>
  ({ lab_name: 'Bench', state, description: '', managers: [], maintenance }) as unknown as LabStatus;

/** The titles of the notifications for a sequence of statuses, each lasting two minutes. */
function notified(...statuses: readonly LabStatus[]): string[] {
  const tracker = new LabNotificationTracker();
  let now = 0;
  return statuses.flatMap((status) =>
    Array.from({ length: 60 }, () => {
      now += 2000;
      tracker.observe(status, [], false, now);
      return tracker
        .due(now, { notifyEvents: ['lab', 'step_overdue', 'workflow_failed'], notifyReminderHours: 0 })
        .map(({ title }) => title);
    }).flat(),
  );
}

/** All managers of a lab at one host, in one state. */
function labAt(host: string, state: 'healthy' | 'unreachable'): LabStatus {
  const managers = managerKeys.map((manager) => {
    return { manager, url: `http://${host}/`, name: managerTitle(manager), state, since: null, reason: null };
  });
  return { ...lab(state === 'healthy' ? 'healthy' : 'down'), managers } as unknown as LabStatus;
}

it('a switched lab or new addresses cause no recovery notification', () => {
  const old = labAt('localhost', 'unreachable');
  expect(notified(old, labAt('bench', 'healthy'))).toEqual([]);
  expect(notified(labAt('localhost', 'healthy'), old, labAt('bench', 'healthy'))).toEqual(['Bench: down']);
  expect(notified(old, labAt('bench', 'unreachable'), labAt('bench', 'healthy'))).toEqual([]);
  expect(notified(old, labAt('bench', 'healthy'), labAt('bench', 'unreachable'))).toEqual(['Bench: down']);
});

it('lost workflows cause one notification, and none if they were lost before the start of the service', () => {
  const withLoss = (minute: number, total: number): LabStatus => {
    const [seen, missed] = [minute, minute + 1].map((at) => new Date(at * 60_000).toISOString()) as [string, string];
    const lost = { seen, missed, total, workflows: [{ id: `w${minute}`, name: 'Assay', state: 'running' as const }] };
    return { ...lab('healthy'), activity: { nodes: null, ended_workflows: [], lost_workflows: lost } };
  };
  expect(notified(withLoss(1, 2), lab('healthy'), withLoss(5, 3), lab('healthy'), withLoss(5, 3))).toEqual([
    '3 active workflows were lost',
  ]);
  expect(notified(lab('healthy'), withLoss(5, 1))).toEqual(['An active workflow was lost']);
});

describe('the notification of an overdue step', () => {
  const overdue = (id: string): OverdueStep => {
    return { id, name: id, step: 'Move', node: 'arm', start: iso, since: iso, longest_seconds: 13 };
  };
  const withSteps = (
    steps: readonly OverdueStep[] | undefined,
    maintenance: readonly Maintenance[] = [],
  ): LabStatus => ({
    ...lab('healthy', maintenance),
    activity: { nodes: null, ended_workflows: [], ...(steps && { overdue_steps: [...steps] }) },
  });

  it('is sent once, and not for a step that is overdue at the start of the service', () => {
    const [a, b] = [overdue('a'), overdue('b')];
    expect(
      notified(
        withSteps(undefined),
        withSteps([a]),
        withSteps([a, b]),
        withSteps(undefined),
        withSteps([]),
        withSteps([a, b]),
      ),
    ).toEqual(['b: step “Move” on arm is overdue']);
  });

  it('is sent once for each of 600 steps', () => {
    const steps = Array.from({ length: 600 }, (_none, index) => overdue(`w${index}`));
    const once = notified(withSteps([]), withSteps(steps));
    expect(notified(withSteps([]), withSteps(steps), withSteps(steps), withSteps(steps))).toEqual(once);
  });

  it('is sent after the maintenance of its node', () => {
    const window: Maintenance = { kind: 'node', id: 'arm', name: 'arm', from: iso, until: iso };
    const steps = [overdue('a')];
    expect(notified(withSteps([]), withSteps(steps, [window]))).toEqual([]);
    expect(notified(withSteps([]), withSteps(steps, [window]), withSteps(steps))).toHaveLength(1);
  });
});

describe('the notification of the lab’s own state', () => {
  it('is sent when managers change', () => {
    expect(notified(lab('healthy'), lab('down'), lab('healthy'))).toEqual(['Bench: down', 'Bench is back']);
  });

  it('is not sent when the state changes only because other managers are counted', () => {
    const broken = inMaintenance('data', 'resource');
    expect(notified(lab('healthy'), lab('down'), lab('healthy', broken), lab('down'))).toEqual(['Bench: down']);
    expect(notified(lab('degraded'), lab('down', inMaintenance('event', 'workcell')))).toEqual([]);
  });

  it('is sent when a manager changes during the maintenance of another one', () => {
    const one = inMaintenance('data');
    expect(notified(lab('healthy'), lab('healthy', one), lab('down', one))).toEqual(['Bench: down']);
  });
});
