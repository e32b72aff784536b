import { describe, expect, it } from 'vitest';
import type { StopState } from '../../api/safetyStop/safetyStop.ts';
import { dashboardNotices } from '../ipc/contract.ts';
import { createNotices, type NoticeInput } from './notices.ts';
import type { StopReport } from '../safetyStop/safetyStop.ts';
import { attachedStatus, labStatus, now, runningStatus } from '../fixtures/states.ts';
import type { Notice } from '../ipc/contract.ts';

const lostAt = '12:59';
const lost = { since: now - 60_000, reason: 'connection refused' };

function noticesFor(changes: Partial<NoticeInput>): readonly Notice[] {
  return createNotices({
    status: runningStatus(),
    lab: null,
    unresponsiveSince: null,
    folders: [],
    files: [],
    labFolder: null,
    errors: [],
    disk: null,
    stop: null,
    choice: null,
    isReplaced: false,
    logDir: '/logs',
    now,
    ...changes,
  });
}

function texts(changes: Partial<NoticeInput>): readonly string[] {
  return noticesFor(changes).map(({ severity, text }) => `${severity}: ${text}`);
}

function report(...states: readonly StopState[]): StopReport {
  const nodes = states.map((result, index) => {
    return { name: `node_${index}`, workcell: '', result, reason: '', did: [], before: [] };
  });
  const at = new Date(now - 60_000).toISOString();
  const stop = { id: 'event-1', at, machine: null, application: null, nodes };
  return { lab: 'Bench on lab-pc', stop, releasableCount: 0, canRelease: true };
}

const problem = {
  severity: 'error',
  source: 'yaml',
  path: '/lab/settings.yaml',
  line: 3,
  column: null,
  key: 'data_server_url',
  value: 'nowhere',
  message: 'has no scheme',
  expected: null,
} as const;
const attached = attachedStatus({ lost });

describe('notices of the app', () => {
  it('omit on the dashboard only the stop that the dashboard shows itself', () => {
    const onDashboard = (id: string | null) => {
      const published = { id, at: null, machine: null, application: null, nodes: [] };
      const lab = { ...labStatus('healthy'), safety_stop: published };
      return noticesFor({ lab, stop: report('held') }).filter((notice) => !dashboardNotices.has(notice.id)).length;
    };
    expect([onDashboard('event-1'), onDashboard('event-2'), onDashboard(null)]).toEqual([0, 1, 1]);
  });

  it('omit on the dashboard a service that does not respond, because it shows the time of the last response', () => {
    const listed = [...noticesFor({ status: attached }), ...noticesFor({ unresponsiveSince: now })];
    expect(listed.map(({ id }) => [id, dashboardNotices.has(id)])).toEqual([
      ['service-lost', true],
      ['service-silent', true],
    ]);
  });

  it('are empty without a problem', () => {
    expect(texts({})).toEqual([]);
  });

  it.each<readonly [string, Partial<NoticeInput>, RegExp]>([
    [
      'broken settings',
      { status: runningStatus({ problems: [problem, problem] }) },
      /^failed: The settings have errors: .*settings\.yaml:3.* and 1 more\. The earlier settings stay in force/,
    ],
    [
      'replaced files of the app',
      { isReplaced: true },
      /^attention: Lab Manager was updated on this machine\. Restart the app to finish the update\./,
    ],
    [
      'a disk with little free space',
      { disk: { limit: 'warning', folders: [{ use: 'log', path: '/logs', free: 500 }] } },
      /^attention: Less than 1024 MB of disk space is left: log \(\/logs\)\. Free space on that disk\./,
    ],
    [
      'a disk with almost no free space',
      { disk: { limit: 'problem', folders: [{ use: 'state', path: '/state', free: 5 }] } },
      /^failed: Less than 100 MB of disk space is left: state \(\/state\)\./,
    ],
    [
      'a service that does not respond',
      { unresponsiveSince: now - 60_000 },
      /^failed: .* has not responded since 12:59\. It is restarted after 15 s without a response\.$/,
    ],
    [
      'an address that changed',
      { status: runningStatus({ restartNeeded: ['LAB_SERVER_URL'] }) },
      /^attention: LAB_SERVER_URL changed: requires a restart\. Choose Restart Service/,
    ],
    [
      'an unreachable attached service',
      { status: attached },
      new RegExp(`^failed: .*8000/ has not answered since ${lostAt}: connection refused\\.$`),
    ],
    [
      'an unreachable followed lab manager',
      { status: runningStatus({ followedUrl: 'http://x/', followLost: lost }) },
      /^failed: The lab manager at http:\/\/x\/ .*last known addresses are used\.$/,
    ],
    [
      'a read-only folder',
      { folders: [{ path: '/home/x', use: 'The log', reason: 'the disk is full' }] },
      /^attention: .*\/home\/x: the disk is full\. The log will not be kept/,
    ],
    [
      'an unreadable file of the last run',
      { files: [{ path: '/home/x/nodes.json', use: 'The nodes', reason: 'it is not a file' }] },
      /^attention: Lab Manager can’t read \/home\/x\/nodes\.json: it is not a file\. The nodes of the last run are missing/,
    ],
    [
      'a missing lab folder',
      { labFolder: { path: '/lab', problem: 'does not exist' } },
      /^attention: The lab folder \/lab does not exist\./,
    ],
    [
      'an error of the app',
      { errors: ['first', 'last'] },
      /^failed: An error occurred in Lab Manager: last\. .*\(\/logs\)\.$/,
    ],
    [
      'a stop without nodes',
      { stop: report() },
      /^failed: Safety stop of Bench on lab-pc sent at .*, but no node is known\. Use the hardware emergency stop\.$/,
    ],
    [
      'a stop that all nodes confirmed',
      { stop: report('confirmed', 'confirmed') },
      /^attention: .*: 2 of 2 nodes confirmed\.$/,
    ],
    [
      'a stop that not all nodes confirmed',
      { stop: report('confirmed', 'held', 'sent', 'refused', 'failed') },
      /^failed: .*1 of 5 nodes confirmed\. Not confirmed: node_2, node_3, node_4, node_1\. Use the hardware emergency stop there\.$/,
    ],
  ])('report %s', (_name, changes, text) => {
    const listed = texts(changes);
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatch(text);
  });

  it('name the account and the settings of an attached lab manager that are not those of the app', () => {
    const files = { settingsFile: '/home/ann/lab/lab.settings.yaml', ownSettingsFile: '/home/bob/lab.settings.yaml' };
    const read = (account: string | null) => texts({ status: attachedStatus({ otherOwner: { account, ...files } }) });
    const end =
      'on this machine (/home/ann/lab/lab.settings.yaml). Your own settings (/home/bob/lab.settings.yaml) are not used.';
    expect(read('ann')).toEqual([`attention: This window shows the lab manager that is run by the account ann ${end}`]);
    expect(read(null)).toEqual([`attention: This window shows the lab manager that is run with other settings ${end}`]);
  });

  it('list the safety stop first, then the service', () => {
    const listed = texts({ stop: report('failed'), unresponsiveSince: now, errors: ['x'] });
    expect(listed.map((text) => text.slice(0, 30))).toEqual([
      expect.stringContaining('Safety stop'),
      expect.stringContaining('The lab manager'),
      expect.stringContaining('An error'),
    ]);
  });
});

it('notices name a lab that was chosen in a menu while the app connects to it, and report a failure for one minute', () => {
  const label = 'Culture on lab-c';
  expect(texts({ choice: { label, failure: null } })).toEqual(['attention: Connecting to Culture on lab-c…']);
  const choice = (failedAt: number) => ({ label, failure: { reason: 'No response within 5 s', at: failedAt } });
  expect(texts({ choice: choice(now - 59_000) })).toEqual([
    'failed: Culture on lab-c is not shown: No response within 5 s',
  ]);
  expect(texts({ choice: choice(now - 61_000) })).toEqual([]);
});
