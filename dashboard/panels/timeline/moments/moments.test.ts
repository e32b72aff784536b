import { hostStamp } from '#api/time/time.ts';
import { describe, expect, it } from 'vitest';
import type { Incident, Maintenance } from '#api/lab/lab.ts';
import type { Event } from '#api/managers/event.ts';
import { maintenanceAppearance, managerAppearances, nodeAppearances } from '#api/states.ts';
import { sampleNode } from '#dashboard/fixtures/sampleWorkflow.ts';
import { matches } from '#demo/base/selector.ts';
import { filterMarks, markFilterFromQuery, markFilters } from './markFilter.ts';
import {
  countForeignEvents,
  createKnownNodes,
  marksInterval,
  createMarks,
  createMarksQuery,
  maxMarks,
} from './marks.ts';
import { listOutages, assignOutageRows, roundGap, findUnwatched, watchedSpans } from './outages.ts';

const iso = (minutes: number) => new Date(Date.UTC(2026, 10, 21, 14, minutes)).toISOString();
const ms = (minutes: number) => Date.parse(iso(minutes));
type ManagerIncident = Incident & { kind: 'manager' };

describe('outages on the timeline', () => {
  it('are drawn below each other when they overlap', () => {
    const outage = {
      name: 'data',
      node: null,
      isMaintenance: false,
      appearance: managerAppearances.unreachable,
      reason: null,
    };
    const spans = [
      [0, 10],
      [5, null],
      [12, 14],
    ] as const;
    const rows = assignOutageRows(
      spans.map(([start, end]) => ({ ...outage, unwatchedMs: 0, start, end })),
      100,
    );
    expect(rows.map(({ row }) => row)).toEqual([0, 1, 0]);
  });

  const incident = (from: number, to: number | null, overrides: Partial<ManagerIncident> = {}): ManagerIncident => ({
    kind: 'manager',
    id: 'data',
    name: 'Data Manager',
    state: 'unreachable',
    reason: 'refused',
    from: iso(from),
    to: to === null ? null : iso(to),
    seconds: 1,
    ...overrides,
  });

  it('are the incidents of managers in both responses, each once and from the newer response', () => {
    const live = { incidents: [incident(120, null), incident(100, 110), incident(20, 40, { id: 'event' })] };
    const pastHistory = { incidents: [incident(100, null), incident(20, 39), incident(1, 9)] };
    expect(listOutages(live, pastHistory, ms(200)).map(({ start, end }) => [start, end])).toEqual([
      [ms(1), ms(9)],
      [ms(20), ms(39)],
      [ms(20), ms(40)],
      [ms(100), ms(110)],
      [ms(120), null],
    ]);
    expect(listOutages(undefined, pastHistory, ms(200))).toHaveLength(3);
    expect(listOutages(live, undefined, ms(200))).toHaveLength(3);
    expect(listOutages(undefined, undefined, ms(200))).toEqual([]);
  });

  it('contain the time in which they were not observed', () => {
    const [outage] = listOutages({ incidents: [incident(1, 90, { unwatched_seconds: 60 })] }, undefined, ms(200));
    expect(outage?.unwatchedMs).toBe(60_000);
  });

  const drawn = { isMaintenance: false, unwatchedMs: 0, reason: 'refused' };

  it('have the name, the worst state and the reason of the incident, and the node of a node’s incident', () => {
    const node: Incident = { ...incident(5, 7), kind: 'node', id: 'arm', name: 'arm', state: 'errored' };
    const { unreachable } = managerAppearances;
    expect(listOutages({ incidents: [incident(1, 9), node] }, undefined, ms(200))).toEqual([
      { ...drawn, name: 'Data Manager', node: null, appearance: unreachable, start: ms(1), end: ms(9) },
      { ...drawn, name: 'arm', node: 'arm', appearance: nodeAppearances.errored, start: ms(5), end: ms(7) },
    ]);
  });

  it('include maintenance windows, which continue until their planned end', () => {
    const past_maintenance: Maintenance[] = [
      { kind: 'manager', id: 'data', name: 'Data Manager', from: iso(1), until: iso(9) },
      { kind: 'node', id: 'arm', name: 'arm', from: iso(3), until: iso(30) },
    ];
    const maintenance = { isMaintenance: true, unwatchedMs: 0, appearance: maintenanceAppearance, reason: null };
    expect(listOutages({ past_maintenance }, { past_maintenance }, ms(20))).toEqual([
      { ...maintenance, name: 'Data Manager', node: null, start: ms(1), end: ms(9) },
      { ...maintenance, name: 'arm', node: 'arm', start: ms(3), end: null },
    ]);
  });

  it('are unknown in the ranges in which the service was not watching', () => {
    const live = { watched: [{ from: iso(100), to: iso(150) }] };
    const pastHistory = {
      watched: [
        { from: iso(0), to: iso(20) },
        { from: iso(60), to: iso(101) },
      ],
    };
    const watched = watchedSpans(live, pastHistory);
    expect(watched).toEqual([
      { from: ms(0), to: ms(20) },
      { from: ms(60), to: ms(150) },
    ]);
    const range = (from: number, to: number) => ({ from: ms(from), to: ms(to) });
    expect(findUnwatched(watched, range(10, 200), ms(150))).toEqual([range(20, 60)]);
    expect(findUnwatched(watched, range(-10, 5), ms(150))).toEqual([range(-10, 0)]);
    expect(findUnwatched(watched, range(120, 200), ms(160))).toEqual([range(150, 160)]);
    expect(findUnwatched([], range(0, 9), ms(5))).toEqual([range(0, 5)]);
    expect(watchedSpans(undefined, undefined)).toEqual([]);
  });

  it('are unknown in short gaps, but not directly after the newest response', () => {
    const watched = [
      { from: ms(0), to: ms(20) },
      { from: ms(20) + 12_000, to: ms(30) },
    ];
    const range = { from: ms(10), to: ms(40) };
    expect(findUnwatched(watched, range, ms(31))).toEqual([{ from: ms(20), to: ms(20) + 12_000 }]);
    expect(findUnwatched(watched, range, ms(33)).at(-1)).toEqual({ from: ms(30), to: ms(33) });
    expect(findUnwatched(watched, { from: ms(10), to: ms(31) }, ms(60)).at(-1)).toEqual({ from: ms(30), to: ms(31) });
    expect([roundGap(12_400), roundGap(700_000)]).toEqual([12_000, 720_000]);
  });
});

const event = (minutes: number, data: Readonly<Record<string, unknown>>, overrides: Partial<Event> = {}): Event => ({
  _id: `E${minutes}`,
  event_type: 'log_info',
  log_level: 20,
  event_timestamp: iso(minutes).slice(0, 19),
  source: {},
  event_data: data,
  ...overrides,
});
const at = (stamp: string | null | undefined) => Date.parse(`${stamp}Z`);
const knownNodes = { byId: new Map([['N1', 'arm']]), manager: 'M1' };

describe('marks on the timeline', () => {
  it.each<[string, Readonly<Record<string, unknown>>, string | null, string]>([
    ['a lock', { event_type: 'node_status_update', message: 'Node locked', node_id: 'N1' }, 'command', 'arm'],
    ['an unlock', { event_type: 'node_status_update', message: 'Node unlocked', node_id: 'N1' }, 'command', 'arm'],
    [
      'a safety stop',
      { event_type: 'node_status_update', message: 'Safety stop', node_name: 'reader' },
      'stop',
      'reader',
    ],
    [
      'an exception',
      { event_type: 'node_error', message: 'Node exception', node_id: 'N1', error: { message: 'jam' } },
      'error',
      'arm',
    ],
    ['a start', { event_type: 'node_start', message: 'Node started', node_info: { node_name: 'arm' } }, 'start', 'arm'],
    [
      'an unreachable node',
      {
        event_type: 'node_status_update',
        message: 'Node status update failed; marking disconnected',
        node_name: 'arm',
      },
      'gone',
      'arm',
    ],
    ['no other update', { event_type: 'node_status_update', message: 'Node is warm', node_id: 'N1' }, null, ''],
  ])('show %s', (_what, data, kind, node) => {
    const [mark] = createMarks([event(1, data)], knownNodes, at);
    expect(mark?.kind ?? null).toBe(kind);
    if (kind !== null) expect(mark).toMatchObject({ node, at: ms(1) });
  });

  it('show the error, and belong to the whole lab when the node is unknown', () => {
    const data = { event_type: 'node_error', message: 'Node exception', error: { message: 'jam' } };
    expect(createMarks([event(1, data)], knownNodes, at)[0]).toMatchObject({ text: 'Node exception: jam', node: null });
    const source = { source: { node_id: 'N1' } };
    expect(createMarks([event(1, data, source)], knownNodes, at)[0]?.node).toBe('arm');
    expect(createKnownNodes({ arm: { ...sampleNode(), info: null } }, null).byId).toEqual(new Map());
  });

  it.each<[string, Readonly<Record<string, unknown>>, Partial<Event>]>([
    ['an ID that no node of this workcell has', {}, { source: { node_id: 'N9' } }],
    ['the name of a node here with the ID of another one', { node_name: 'arm', node_id: 'N9' }, {}],
    [
      'a name that another workcell manager wrote',
      { node_name: 'arm', component_name: 'WorkcellManager' },
      { source: { manager_id: 'M9' } },
    ],
  ])('exclude events of other workcells: %s', (_what, data, overrides) => {
    const foreign = event(1, { event_type: 'node_error', message: 'Node exception', ...data }, overrides);
    expect(createMarks([foreign], knownNodes, at)).toEqual([]);
    expect(countForeignEvents([foreign], knownNodes)).toBe(1);
  });

  it('include events of this workcell’s manager and of a node that was never reached', () => {
    const data = { event_type: 'node_error', message: 'x', component_name: 'WorkcellManager' };
    const nodeEvent = event(1, { ...data, node_name: 'arm' }, { source: { manager_id: 'M1' } });
    const unreached = event(2, { ...data, node_name: 'reader' }, { source: { node_id: 'N5' } });
    expect(createMarks([nodeEvent, unreached], knownNodes, at).map(({ node }) => node)).toEqual(['arm', 'reader']);
    expect(countForeignEvents([nodeEvent, unreached], knownNodes)).toBe(0);
  });

  it('are filtered by kind and level as in the address', () => {
    const data = (type: string, message: string) => ({ event_type: type, message, node_id: 'N1' });
    const marks = createMarks(
      [
        event(1, data('node_error', 'jam')),
        event(2, data('node_status_update', 'Node locked')),
        event(3, data('node_start', 'started')),
        event(4, data('node_start', 'slowly'), { log_level: 30 }),
        event(5, data('node_status_update', 'Safety stop')),
      ],
      knownNodes,
      at,
    );
    const minutes = (filter: (typeof markFilters)[number]) =>
      filterMarks(marks, filter).map((mark) => (mark.at - ms(0)) / 60_000);
    expect(markFilters.map(minutes)).toEqual([[1, 2, 3, 4, 5], [1, 4, 5], [1], [2, 5], []]);
    expect([
      markFilterFromQuery({ marks: 'errors' }),
      markFilterFromQuery({ marks: 'x' }),
      markFilterFromQuery({}),
    ]).toEqual(['errors', 'all', 'all']);
  });

  it('show an absence once and are limited in number', () => {
    const missing = {
      event_type: 'node_status_update',
      message: 'Node status update failed; marking disconnected',
      node_name: 'arm',
    };
    const marks = createMarks(
      [0, 1, 2, 3, 20].map((minute) => event(minute, missing)),
      knownNodes,
      at,
    );
    expect(marks.map((mark) => mark.at)).toEqual([ms(0), ms(20)]);
    const errors = Array.from({ length: maxMarks + 5 }, () => event(1, { event_type: 'node_error', message: 'x' }));
    expect(createMarks(errors, knownNodes, at)).toHaveLength(maxMarks);
  });

  it('are queried by the time of the manager’s host, without repeated messages', () => {
    const [from, to] = [ms(0), ms(30)];
    const stamped = (moment: number) => hostStamp(moment, { zone: 'UTC', aheadMs: 0 });
    const isMarked = (source: Event, until = to) =>
      matches(source, createMarksQuery({ from, to: until }, { queryStart: stamped, queryEnd: stamped }));
    const update = (message: string) => ({ event_type: 'node_status_update', message });
    expect(isMarked(event(5, update('Node locked')))).toBe(true);
    expect(isMarked(event(5, { event_type: 'node_error' }))).toBe(true);
    expect(isMarked(event(5, {}, { event_type: 'node_error' }))).toBe(true);
    expect(isMarked(event(31, update('Node locked')))).toBe(false);
    expect(isMarked(event(5, update('Retrying connection to disconnected nodes')))).toBe(false);
    expect(isMarked(event(5, { event_type: 'workflow_start', message: 'x' }))).toBe(false);
    const disconnectedEvent = event(5, update('Node status update failed; marking disconnected'));
    expect([isMarked(disconnectedEvent), isMarked(disconnectedEvent, from + 7 * 86_400_000)]).toEqual([true, false]);
  });

  it.each([
    ['a range of this hour', 1, 0, true, 30_000],
    ['a range of this week, whose response is large', 168, 0, true, 300_000],
    ['a range of this week while the clock is estimated from new events', 168, 0, false, 60_000],
    ['a range until just now', 1, 0.1, true, 30_000],
    ['a past range, once', 1, 1, true, null],
    ['a past range with an uncertain clock', 1, 1, false, 30_000],
  ])('are polled at the right interval: %s', (_when, hours, ago, isClockKnown, interval) => {
    const [now, to] = [ms(0), ms(0) - ago * 3_600_000];
    expect(marksInterval({ from: to - hours * 3_600_000, to }, now, isClockKnown)).toBe(interval);
  });
});
