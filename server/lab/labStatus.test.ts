import { expect, it } from 'vitest';
import type { LabStatus } from '../../api/lab/lab.ts';
import { checkOf, createTestModel } from '../fixtures/testModel.ts';
import { noMaintenance } from '../maintenance/entries.ts';
import { deriveLabStatus, type LabSlices } from './labStatus.ts';

const now = Date.UTC(2026, 0, 15, 12);
const at = (ms: number) => new Date(now + ms).toISOString();
const moment = { now, monotonic: 1_000_000 };
const stop = { id: 'a', at: null, machine: null, application: null, nodes: [] };
const node = (name: string, state: 'errored' | 'locked') => ({ name, state, reason: null, since: '' });
const nodes = (...list: ReturnType<typeof node>[]) => ({
  workcell: 'http://workcell/',
  nodes: new Map(list.map((each) => [each.name, each])),
  at: moment.monotonic,
});
const counts = { queued: 0, running: 0, paused: 0 };
const followed = {
  lab: { url: 'http://other:8000/', machine: 'other', identified: true, reported: null },
  labName: 'Other lab',
  maintenance: { current: [], planned: [] },
  lostAt: null,
};
const window = (kind: 'manager' | 'node', id: string) => ({
  entries: [{ kind, id, from: at(-1000), until: at(1000) } as LabSlices['maintenance']['entries'][number]],
  rules: [],
});

const { settings } = createTestModel({ labName: 'Bench' });
const idle: LabSlices = {
  settings: settings.value,
  isDemo: false,
  followed: null,
  checks: { managers: [checkOf('event', 'healthy'), checkOf('data', 'unreachable')], everChecked: true },
  nodes: null,
  archive: null,
  workflows: null,
  loss: null,
  zones: new Map(),
  stops: { current: null, acknowledged: null },
  isStopLogRead: false,
  maintenance: noMaintenance,
  standby: null,
  database: null,
};

it.each<[what: string, slices: Partial<LabSlices>, expected: Partial<LabStatus>]>([
  ['counts the healthy managers', {}, { state: 'down', description: '1/2 managers are healthy', healthy_managers: 1 }],
  [
    'is starting while a manager was never checked',
    { checks: { managers: [checkOf('event', 'unknown')], everChecked: false } },
    { state: 'starting', total_managers: 1, healthy_managers: 0 },
  ],
  [
    'does not count a manager whose last result is outdated',
    {
      checks: {
        managers: [checkOf('event', 'healthy', { intervalMs: 5000, lastChecked: now - 21_001 })],
        everChecked: true,
      },
    },
    { state: 'unknown', healthy_managers: 0 },
  ],
  ['has no managers', { checks: { managers: [], everChecked: false } }, { description: 'No managers are configured' }],
  [
    'does not count a manager in maintenance',
    { maintenance: window('manager', 'data') },
    { state: 'healthy', description: '1/1 managers are healthy, 1 in maintenance' },
  ],
  ['has no nodes before the first reading', {}, { activity: { nodes: null, ended_workflows: [] } }],
  [
    'lists nodes that need attention',
    { nodes: nodes(node('arm', 'errored'), node('reader', 'locked')) },
    { activity: { nodes: { total: 2, in_need: [node('arm', 'errored')] }, ended_workflows: [] } },
  ],
  [
    'lists a locked node for which a workflow waits',
    {
      nodes: nodes(node('reader', 'locked')),
      workflows: {
        workcell: '',
        active: [],
        counts,
        waiting: new Map([['reader', 1]]),
        blocked: [],
        running: null,
        at: moment.monotonic,
      },
    },
    {
      activity: { nodes: { total: 1, in_need: [{ ...node('reader', 'locked'), waiting: 1 }] }, ended_workflows: [] },
    },
  ],
  [
    'does not list a node in maintenance',
    { nodes: nodes(node('arm', 'errored')), maintenance: window('node', 'arm') },
    { activity: { nodes: { total: 1, in_need: [] }, ended_workflows: [] } },
  ],
  [
    'does not show nodes that were read 45 s ago',
    { nodes: { ...nodes(node('arm', 'errored')), at: moment.monotonic - 45_000 } },
    { activity: { nodes: null, ended_workflows: [] } },
  ],
  ['includes a safety stop', { stops: { ...idle.stops, current: stop } }, { safety_stop: stop, stops_read: false }],
  ['includes an acknowledged stop', { stops: { ...idle.stops, acknowledged: stop } }, { acknowledged_stop: stop }],
  ['reports that the event log was read', { isStopLogRead: true }, { stops_read: true }],
  ['has the name of a followed lab', { followed }, { lab_name: 'Other lab', followed: followed.lab, state: 'down' }],
  [
    'is unknown when a followed lab manager has not responded for 15 s',
    { followed: { ...followed, lostAt: moment.monotonic - 15_000 } },
    {
      lab_name: 'Other lab',
      state: 'unknown',
      description: 'The lab manager at http://other:8000/ does not answer; its last known addresses are shown',
    },
  ],
  ['includes the reason of the standby', { standby: 'other is the leader' }, { standby: 'other is the leader' }],
  ['includes the database', { database: { problem: null, waiting: 3 } }, { database: { problem: null, waiting: 3 } }],
  ['marks a simulated lab', { isDemo: true }, { demo: true }],
])('the status of the lab %s', (_what, slices, expected) => {
  const status = deriveLabStatus({ ...idle, ...slices }, now - 60_000, moment);
  expect(status).toMatchObject({ lab_name: 'Bench', now: at(0), since: at(-60_000), ...expected });
});

it('the status of an idle lab omits what it has not', () => {
  const context = { ...settings.value.context, workcell_server_url: null };
  const keys = Object.keys(deriveLabStatus({ ...idle, settings: { ...settings.value, context } }, now, moment));
  const optional = [
    'activity',
    'maintenance',
    'planned_maintenance',
    'safety_stop',
    'acknowledged_stop',
    'followed',
    'demo',
  ];
  for (const key of [...optional, 'standby', 'database']) expect(keys).not.toContain(key);
});
