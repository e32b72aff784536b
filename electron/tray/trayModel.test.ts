import { describe, expect, it } from 'vitest';
import type { FleetState } from '../../api/lab/fleet.ts';
import { unreadFollowedLab } from '../../api/lab/followedLab.ts';
import { managerKeys } from '../../api/managers.ts';
import { needsAttention } from '../../api/managers/nodeState.ts';
import { labStates, nodeStates, type LabState, type NodeState } from '../../api/states.ts';
import type { ServiceStatus } from '../../server/status.ts';
import { attachedStatus, labStatus, now, portInUseStatus, runningStatus } from '../fixtures/states.ts';
import { listOtherLabs } from './otherLabs.ts';
import type { TrayMenuItem } from './trayMenuItem.ts';
import { createTrayModel } from './trayModel.ts';
import { staleMs, type TrayInput } from './trayState.ts';

function input(changes: Partial<TrayInput> = {}): TrayInput {
  return {
    service: runningStatus(),
    lab: labStatus('healthy'),
    receivedAt: now,
    now,
    unresponsiveSince: null,
    nextRetryAt: null,
    publicUrls: ['http://lab-pc:8000/'],
    notices: [],
    followedUrl: null,
    knownNodes: 5,
    hasStopReport: false,
    localStop: null,
    stopsOfOtherLabs: [],
    mutes: { mutedUntil: null, mutedSubjects: {} },
    otherLabs: [],
    ...changes,
  };
}

const itemLabels = (items: readonly TrayMenuItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'separator' ? [] : [item.label]));

const lost = { since: now - 60_000, reason: 'connection refused' };
const attached = attachedStatus();

describe('the state of the tray icon', () => {
  const cases: readonly (readonly [string, Partial<TrayInput>, LabState])[] = [
    ['all managers healthy', {}, 'healthy'],
    ['more than half healthy', { lab: labStatus('degraded') }, 'degraded'],
    ['half or fewer healthy', { lab: labStatus('down') }, 'down'],
    ['no response yet', { lab: null, receivedAt: null }, 'starting'],
    ['a starting service', { service: { phase: 'starting' } }, 'starting'],
    ['no recent report', { receivedAt: now - staleMs - 1 }, 'unknown'],
    ['a wake from sleep', { receivedAt: null }, 'unknown'],
    ['a failed service', { service: { phase: 'failed', reason: 'no memory' } }, 'failed'],
    ['settings with errors', { service: { phase: 'settings-error', problems: [], warnings: [] } }, 'failed'],
    ['a taken port', { service: portInUseStatus() }, 'failed'],
    ['an attached service', { service: attached }, 'healthy'],
    ['an unreachable attached service', { service: { ...attached, lost } }, 'unknown'],
    ['an unresponsive service', { unresponsiveSince: now - 6000 }, 'unknown'],
    ['a service that keeps crashing', { service: { phase: 'starting' }, nextRetryAt: now + 60_000 }, 'failed'],
  ];
  it.each(cases)('is $2 with %s', (_name, changes, state) => {
    expect(createTrayModel(input(changes)).state).toBe(state);
  });
});

describe('icon and tooltip of the tray', () => {
  const since = new Date(now - 60_000).toISOString();
  const labWith = (state: LabState, ...states: readonly NodeState[]) => {
    const inNeed = states.map((nodeState, index) => ({
      name: `node_${index}`,
      state: nodeState,
      reason: 'motor stalled',
      since,
    }));
    return { ...labStatus(state), activity: { nodes: { total: 9, in_need: inNeed }, ended_workflows: [] } };
  };
  const statesInNeed = nodeStates.filter((state) => needsAttention(state));

  it.each(statesInNeed)('never show a healthy lab when a node is %s', (state) => {
    expect(createTrayModel(input({ lab: labWith('healthy', state) })).state).toBe(
      state === 'stopped' ? 'failed' : 'degraded',
    );
    expect(createTrayModel(input({ lab: labWith('maintenance', state) })).state).not.toBe('maintenance');
  });

  it('show the time since when the lab manager of a followed lab has not responded', () => {
    const url = 'http://bench-2:8000/';
    const followLost = { since: now - 60_000, reason: 'connection refused' };
    const lab = {
      ...labStatus('unknown', Object.fromEntries(managerKeys.map((key) => [key, { state: 'unreachable' as const }]))),
      followed: unreadFollowedLab(url),
    };
    const unresponsive = { service: runningStatus({ followedUrl: url, followLost }), lab, followedUrl: url };
    const sentence =
      'Bench Lab on bench-2: unknown, its lab manager has not answered since 12:59, 0/6 managers are healthy';
    const { tooltip, menu } = createTrayModel(input(unresponsive));
    expect(tooltip).toBe(sentence);
    expect(itemLabels(menu)[0]).toBe(sentence);
    const reconnected = { ...unresponsive, service: runningStatus({ followedUrl: url }) };
    expect(createTrayModel(input(reconnected)).tooltip).toBe('Bench Lab on bench-2: unknown, checking again');
  });

  it('do not hide a worse state of the managers', () => {
    expect(createTrayModel(input({ lab: labWith('down', 'errored') })).state).toBe('down');
    expect(createTrayModel(input({ lab: labWith('down', 'stopped') })).state).toBe('failed');
    expect(createTrayModel(input({ lab: labWith('down', 'stopped') })).icon).toBe('stopped');
    expect(createTrayModel(input({ service: portInUseStatus() })).icon).toBe('failed');
    expect(createTrayModel(input({ lab: labWith('down', 'errored') })).needCount).toBeGreaterThan(0);
    expect(createTrayModel(input({ lab: labStatus('healthy') })).needCount).toBe(0);
  });

  it('show that this app has stopped the lab, even without a record in the event log', () => {
    const { state, tooltip, menu } = createTrayModel(
      input({ localStop: { lab: 'Bench Lab', unconfirmedNodes: ['arm'] } }),
    );
    expect(state).toBe('failed');
    expect(tooltip).toBe('Bench Lab: stopped by this app, not confirmed: arm');
    expect(itemLabels(menu)).toContain('arm: safety stop not confirmed');
    expect(createTrayModel(input({ localStop: { lab: 'Bench Lab', unconfirmedNodes: [] } })).state).toBe('failed');
  });

  it('show the app’s own stop instead of one that is known only from the flags of nodes', () => {
    const node = {
      name: 'lift',
      workcell: '',
      result: 'confirmed',
      reason: '',
      did: ['safety_stop'],
      before: [],
    } as const;
    const byFlags = {
      id: null,
      at: null,
      machine: null,
      application: null,
      nodes: [{ ...node, did: [...node.did], before: [] }],
    };
    const lab = { ...labStatus('healthy'), safety_stop: byFlags };
    const { state, tooltip, menu } = createTrayModel(
      input({ lab, localStop: { lab: 'Bench Lab', unconfirmedNodes: ['arm'] } }),
    );
    expect(state).toBe('failed');
    expect(tooltip).toBe('Bench Lab: stopped by this app, not confirmed: arm');
    expect(itemLabels(menu)).toContain('arm: safety stop not confirmed');
    expect(createTrayModel(input({ lab })).tooltip).toContain('Stopped without a recorded safety stop: lift');
  });

  it('show the state of the current lab and name another lab’s stop separately', () => {
    const stopsOfOtherLabs = [{ lab: 'Lab B on lab-b', unconfirmedNodes: ['arm'] }];
    const { state, tooltip, menu } = createTrayModel(input({ stopsOfOtherLabs }));
    expect(state).toBe('healthy');
    expect(tooltip).toBe(
      'Bench Lab: Healthy, 6/6 managers are healthy; Lab B on lab-b: stopped by this app, not confirmed: arm',
    );
    expect(itemLabels(menu)).not.toContain('arm: safety stop not confirmed');
  });

  it('contain the worst node, then the managers, in one line', () => {
    expect(createTrayModel(input({ lab: labWith('healthy', 'notReady', 'errored') })).tooltip).toBe(
      'Bench Lab: node_1: Error since 12:59: motor stalled (and 1 more), 6/6 managers are healthy',
    );
  });

  it.each([
    [
      'a locked node',
      { nodes: { total: 9, in_need: [{ name: 'arm', state: 'locked' as const, reason: null, since, waiting: 2 }] } },
      'arm: Locked since 12:59: 2 workflows wait for it',
    ],
    [
      'an overdue step',
      {
        nodes: null,
        overdue_steps: [{ id: 'w', name: 'Assay', step: 'Move', node: 'arm', start: since, since, longest_seconds: 9 }],
      },
      'Assay: Overdue since 12:59: step “Move” on arm; earlier runs took at most 9 s',
    ],
  ])('name %s that delays workflows', (_what, activity, text) => {
    const lab = { ...labStatus('healthy'), activity: { ended_workflows: [], ...activity } };
    const { state, tooltip } = createTrayModel(input({ lab }));
    expect([state, tooltip]).toEqual(['degraded', `Bench Lab: ${text}, 6/6 managers are healthy`]);
  });

  it('omit nodes of a lab without recent reports', () => {
    const withoutReports = createTrayModel(input({ lab: labWith('healthy', 'errored'), receivedAt: null }));
    expect(withoutReports.state).toBe('unknown');
    expect(withoutReports.tooltip).not.toContain('node_0');
  });

  it.each(labStates)('have no line break in the state %s', (state) => {
    expect(createTrayModel(input({ lab: labWith(state, 'errored', 'stopped') })).tooltip).not.toContain('\n');
  });
});

describe('tooltip and menu of the tray', () => {
  const unreachable = {
    state: 'unreachable',
    reason: 'Failed to connect: connection refused (lab-pc:8003)',
    since: new Date(now - 60_000).toISOString(),
  } as const;
  const degraded = labStatus('degraded', {
    resource: unreachable,
    data: { state: 'slow', reason: 'answers in 1.9 s' },
  });

  it('show the counts, the worst reason and its start time', () => {
    const { tooltip } = createTrayModel(input({ lab: degraded }));
    expect(tooltip).toBe(
      'Bench Lab: Degraded, 5/6 managers are healthy; Resource Manager: Unreachable since 12:59: connection refused (lab-pc:8003)',
    );
  });

  it('show the lab as stopped, with its unconfirmed nodes, even if its managers are healthy', () => {
    const node = { workcell: 'http://lab:8005/', reason: '', did: [], before: [] };
    const stop = {
      id: 'a',
      at: new Date(now).toISOString(),
      machine: 'lab-pc',
      application: 'dashboard',
      nodes: [
        { ...node, name: 'arm', result: 'confirmed' as const },
        { ...node, name: 'mover', result: 'refused' as const },
      ],
    };
    const model = createTrayModel(input({ lab: { ...labStatus('healthy'), safety_stop: stop } }));
    expect(model.state).toBe('failed');
    expect(model.tooltip).toMatch(/by lab-pc: 1 of 2 nodes not confirmed: mover$/);
    expect(itemLabels(model.menu)[0]).toContain('1 of 2 nodes not confirmed: mover');
    expect(itemLabels(model.menu)).toContain('mover: safety stop not confirmed');

    // The unconfirmed node is first even if the workcell manager reports it as locked and another node in error.
    const since = new Date(now - 60_000).toISOString();
    const activity = {
      nodes: {
        total: 3,
        in_need: [
          { name: 'reader', state: 'errored' as const, reason: 'motor stalled', since },
          { name: 'mover', state: 'locked' as const, flags: ['busy' as const], reason: null, since, waiting: 1 },
        ],
      },
      ended_workflows: [],
    };
    const inNeed = createTrayModel(input({ lab: { ...labStatus('healthy'), safety_stop: stop, activity } }));
    expect(itemLabels(inNeed.menu).filter((label) => /^(mover|reader):/.test(label))).toEqual([
      'mover: safety stop not confirmed, Locked, busy since 12:59: One workflow waits for it',
      'reader: Error since 12:59: motor stalled',
    ]);
  });

  it('show the lab with its machine, and the differences from its own lab manager’s report', () => {
    const reported = { total_managers: 6, healthy_managers: 0, differing: ['event' as const] };
    const followed = { url: 'http://lab-pc:8000/', machine: 'lab-pc', identified: true, reported };
    const { tooltip, menu } = createTrayModel(input({ lab: { ...labStatus('healthy'), followed } }));
    expect(tooltip).toBe(
      'Bench Lab on lab-pc: Healthy, 6/6 managers are healthy, while its own lab manager reports 0/6',
    );
    expect(itemLabels(menu)).toContain(
      'The lab manager on lab-pc reports 0/6 managers healthy; measured from this machine: 6/6. They differ for: Event Manager.',
    );
    expect(itemLabels(menu)).not.toContain('Confirm Machine…');
    const tunnel = createTrayModel(
      input({ lab: { ...labStatus('healthy'), followed: { ...followed, identified: false } } }),
    );
    expect(itemLabels(tunnel.menu)).toContain('Confirm Machine…');
  });

  it('offer to connect to a lab while the service has failed, and to leave a followed lab', () => {
    const failed = { service: { phase: 'failed', reason: 'no answer' } } as const;
    expect(itemLabels(createTrayModel(input(failed)).menu)).toContain('Connect to Lab…');
    expect(itemLabels(createTrayModel(input(failed)).menu)).not.toContain('Use This Machine’s Lab');
    const followed = createTrayModel(input({ ...failed, followedUrl: 'http://lab-pc:8000/' }));
    expect(itemLabels(followed.menu)).toEqual(expect.arrayContaining(['Connect to Lab…', 'Use This Machine’s Lab']));
  });

  it('list the nodes that need attention with links to their pages', () => {
    const since = new Date(now - 60_000).toISOString();
    const inNeed = (name: string) => ({ name, state: 'errored' as const, reason: 'motor stalled', since });
    const nodes = { total: 9, in_need: ['arm 1', 'b', 'c', 'd', 'e', 'f', 'g'].map(inNeed) };
    const lab = { ...labStatus('healthy'), activity: { nodes, ended_workflows: [] } };
    const { menu } = createTrayModel(input({ lab }));
    const shown = menu.filter((item) => item.kind === 'submenu' && / Error since /.test(item.label));
    expect(shown).toHaveLength(5);
    expect(shown[0]).toMatchObject({
      label: 'arm 1: Error since 12:59: motor stalled',
      items: [
        { label: 'Open Its Page', command: { command: 'open-page', path: '/workcells/nodes/arm%201' } },
        { label: 'Mute Its Notifications' },
        { label: 'Maintenance' },
      ],
    });
    expect(itemLabels(menu)).toContain('2 more nodes need attention');
  });

  it('list managers and nodes in maintenance, and offer to end it', () => {
    const from = new Date(now - 60_000).toISOString();
    const until = new Date(now + 3_600_000).toISOString();
    const maintenance = [
      { kind: 'manager', id: 'resource', name: 'Resource Manager', from, until },
      { kind: 'node', id: 'arm', name: 'arm', from, until },
    ] as const;
    const lab = { ...degraded, maintenance: [...maintenance] };
    const { menu, tooltip } = createTrayModel(input({ lab }));
    expect(tooltip).toBe('Bench Lab: Degraded, 5/6 managers are healthy');
    expect(itemLabels(menu)).toContain('Resource Manager: Maintenance until 14:00');
    const node = menu.find((item) => 'label' in item && item.label === 'arm: Maintenance until 14:00');
    expect(node).toMatchObject({
      items: [
        { label: 'Open Its Page' },
        {
          label: 'End Maintenance (until 14:00)',
          command: { command: 'set-maintenance', kind: 'node', id: 'arm', until: null },
        },
      ],
    });
    const attachedLabels = itemLabels(createTrayModel(input({ lab, service: attached })).menu);
    expect(attachedLabels).toContain('Resource Manager: Maintenance until 14:00');
    expect(attachedLabels).not.toContain('Maintenance of the Lab');
  });

  it('offer to unmute a single manager', () => {
    const mutes = { mutedUntil: null, mutedSubjects: { 'manager event': now + 3_600_000 } };
    const { menu } = createTrayModel(input({ mutes }));
    const event = menu.find((item) => 'label' in item && item.label.startsWith('Event Manager'));
    expect(event?.kind === 'submenu' ? itemLabels(event.items) : []).toContain(
      'Unmute Its Notifications (muted until 14:00)',
    );
    expect(itemLabels(menu)).toContain('Mute Notifications');
  });

  it('offer to unmute all notifications, with the end of the mute', () => {
    const menuLabels = (mutedUntil: number) =>
      itemLabels(createTrayModel(input({ mutes: { mutedUntil, mutedSubjects: {} } })).menu);
    expect(menuLabels(now + 3_600_000)).toContain('Unmute Notifications (muted until 14:00)');
    expect(menuLabels(now)).toContain('Mute Notifications');
  });

  it('contain the headline, a row for each manager and the actions in this order', () => {
    const { menu } = createTrayModel(input({ lab: degraded }));
    expect(itemLabels(menu)).toEqual([
      expect.stringMatching(/^Bench Lab: Degraded, 5\/6 managers are healthy; Resource Manager: Unreachable since/),
      'Event Manager: Healthy',
      'Experiment Manager: Healthy',
      'Resource Manager: Unreachable since 12:59: connection refused (lab-pc:8003)',
      expect.stringMatching(/^Data Manager: Slow since .*: answers in 1\.9 s$/),
      'Workcell Manager: Healthy',
      'Location Manager: Healthy',
      'Open Dashboard',
      'Open in Browser',
      'Copy Address for Other Machines',
      'Check Now',
      'Connect to Lab…',
      'Safety Stop…',
      'Mute Notifications',
      'Maintenance of the Lab',
      'Maintenance and Mute…',
      'Settings…',
      'Open Logs Folder',
      'Quit',
    ]);
  });

  it('disable entries that can’t work while the service is not running', () => {
    const service: ServiceStatus = { phase: 'failed', reason: 'it keeps stopping' };
    const { menu, tooltip } = createTrayModel(input({ service, publicUrls: [], knownNodes: 0 }));
    const disabled = menu.filter((item) => item.kind === 'command' && !item.enabled);
    expect(itemLabels(disabled)).toEqual([
      'Open in Browser',
      'Copy Address for Other Machines',
      'Check Now',
      'Safety Stop…',
    ]);
    expect(tooltip).toBe('Lab Manager: it keeps stopping');
  });

  it('truncate a reason that is too long for a menu', () => {
    const lab = labStatus('degraded', { event: { state: 'unhealthy', reason: 'x'.repeat(500) } });
    expect(Math.max(...itemLabels(createTrayModel(input({ lab })).menu).map((label) => label.length))).toBeLessThan(
      170,
    );
  });

  it('offer a choice when there are several addresses', () => {
    const urls = ['http://bench4:8000/', 'http://10.0.0.4:8000/'];
    const copy = createTrayModel(input({ publicUrls: urls })).menu.find(
      (item) => 'label' in item && item.label.startsWith('Copy'),
    );
    expect(copy).toMatchObject({ kind: 'submenu', items: urls.map((label) => ({ label, enabled: true })) });
  });

  it.each([
    ['a restart', { service: runningStatus({ restartNeeded: ['LAB_SERVER_URL'] }) }, 'Restart Service'],
    ['running the service here', { service: { ...attached, lost } }, 'Run the Service in This App'],
  ] as const)('offer %s only when it is applicable', (_name, changes, label) => {
    expect(itemLabels(createTrayModel(input(changes)).menu)).toContain(label);
    expect(itemLabels(createTrayModel(input()).menu)).not.toContain(label);
  });

  it('list the notices below the headline about an unresponsive service', () => {
    const notices = [{ id: 'x', severity: 'failed' as const, text: 'The settings have errors' }];
    const { menu } = createTrayModel(input({ service: { ...attached, lost }, notices }));
    expect(itemLabels(menu).slice(0, 2)).toEqual([
      `Lab Manager: the service at http://127.0.0.1:8000/ has not answered since 12:59`,
      'The settings have errors',
    ]);
  });
});

describe('the other labs', () => {
  const culture = {
    url: 'http://lab-c:8000/',
    label: 'Culture on lab-c',
    labName: 'Culture',
    state: 'healthy',
    reason: null,
    managers: { healthy: 6, total: 6 },
  } as const;
  const cases: readonly (readonly [FleetState, LabState, LabState])[] = [
    ['stopped', 'down', 'failed'],
    ['down', 'healthy', 'down'],
    ['unreachable', 'healthy', 'unknown'],
    ['unreachable', 'degraded', 'degraded'],
    ['incidents', 'healthy', 'degraded'],
    ['healthy', 'degraded', 'degraded'],
    ['maintenance', 'healthy', 'maintenance'],
  ];
  it.each(cases)('with the state %s, and %s for the shown lab, have the icon %s', (state, shown, icon) => {
    expect(createTrayModel(input({ lab: labStatus(shown), otherLabs: [{ ...culture, state }] })).state).toBe(icon);
  });

  it('are in the tooltip if they are not healthy, and are opened by their menu items', () => {
    const workshop = { ...culture, url: 'http://lab-d:8000/', label: 'Workshop on lab-d', state: 'down' } as const;
    const { tooltip, menu } = createTrayModel(input({ otherLabs: [culture, workshop] }));
    expect(tooltip).toBe('Bench Lab: Healthy, 6/6 managers are healthy; Workshop on lab-d: Down');
    expect(menu).toContainEqual({
      kind: 'command',
      label: 'Culture on lab-c: Healthy, 6/6 managers are healthy',
      command: { command: 'connect', url: 'http://lab-c:8000/' },
      enabled: true,
    });
  });

  it('change nothing before their first reading', () => {
    const unread = { ...culture, state: 'unknown', managers: null } as const;
    const { state, tooltip, menu } = createTrayModel(input({ otherLabs: [unread] }));
    expect([state, tooltip]).toEqual(['healthy', 'Bench Lab: Healthy, 6/6 managers are healthy']);
    expect(itemLabels(menu)).toContain('Culture on lab-c: Checking');
  });

  it('are the chosen ones that are not shown', () => {
    const chosen = ['lab-b', 'lab-c', 'lab-d'].map((name) => ({ url: `http://${name}:8000/`, name: null }));
    const watched = chosen.slice(0, 2).map(({ url }) => ({ ...culture, url }));
    const others = listOtherLabs(chosen, 'http://lab-b:8000/', watched);
    expect(others.map(({ label, state }) => [label, state])).toEqual([
      ['A lab on lab-c', 'healthy'],
      ['A lab on lab-d', 'unknown'],
    ]);
  });
});
