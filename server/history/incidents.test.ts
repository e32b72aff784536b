import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countsAsHealthy, type ManagerState, type NodeState } from '../../api/states.ts';
import { mergeSpans } from '../../api/time/time.ts';
import {
  calculateAvailability,
  findWorstStates,
  listChanges,
  toIncident,
  findManagerOutages,
  findNodeOutages,
  dropEarlierSpans,
  applyMaintenance,
} from './incidents.ts';
import type { HistoryRecord } from './record.ts';
import { HistoryTimeline } from './timeline.ts';

const begin = Date.UTC(2026, 0, 15);
const minutes = (count: number): number => begin + count * 60_000;
const stamp = (count: number): string => new Date(minutes(count)).toISOString();
const state = (at: number, to: ManagerState | 'off', reason: string | null = null): HistoryRecord => ({
  kind: 'state',
  at: stamp(at),
  manager: 'event',
  state: to,
  reason,
});
const watched = (since: number, at: number): HistoryRecord => ({ kind: 'watched', since: stamp(since), at: stamp(at) });

function evaluate(records: readonly HistoryRecord[], now: number, from = 0) {
  const { watchedSpans, managers } = new HistoryTimeline(records);
  const spans = managers.get('event') ?? [];
  const window = { from: minutes(from), to: minutes(now) };
  return {
    availability: calculateAvailability(spans, watchedSpans, window),
    incidents: findManagerOutages('event', { spans, watched: watchedSpans }, window, 1000).map(toIncident),
    changes: listChanges(spans, window),
  };
}

describe('availability', () => {
  it.each<[string, readonly HistoryRecord[], number | null, number]>([
    ['a manager that is always healthy', [state(0, 'healthy'), watched(0, 100)], 100, 6000],
    ['slow as available', [state(0, 'slow'), watched(0, 100)], 100, 6000],
    ['half of the time', [state(0, 'healthy'), state(50, 'unreachable'), watched(0, 100)], 50, 6000],
    ['no unwatched time', [state(0, 'healthy'), watched(0, 40), watched(60, 100)], 100, 4800],
    ['no unknown time', [state(0, 'healthy'), state(50, 'unknown'), watched(0, 100)], 100, 3000],
    [
      'no time of a manager that the lab does not have',
      [state(0, 'healthy'), state(75, 'off'), watched(0, 100)],
      100,
      4500,
    ],
    ['nothing without watched time', [state(0, 'healthy')], null, 0],
    ['nothing for a manager that was never checked', [watched(0, 100)], null, 0],
  ])('counts %s', (_name, records, percent, counted) => {
    expect(evaluate(records, 100).availability).toMatchObject({ percent, counted_seconds: counted });
  });

  it('is restricted to the window', () => {
    const records = [state(0, 'unreachable'), state(50, 'healthy'), watched(0, 100)];
    expect(evaluate(records, 100, 50).availability).toEqual({
      percent: 100,
      counted_seconds: 3000,
      up_seconds: 3000,
      window_seconds: 3000,
    });
  });
});

describe('incidents', () => {
  it('last from the first faulty state to the next healthy one, with the worst state and its reason', () => {
    const records = [
      state(0, 'healthy'),
      state(10, 'unhealthy', 'no database'),
      state(20, 'unreachable', 'connection refused'),
      state(30, 'healthy'),
      state(90, 'unhealthy', 'no database'),
      watched(0, 100),
    ];
    expect(evaluate(records, 100).incidents).toMatchObject([
      { state: 'unhealthy', from: stamp(90), to: null, seconds: 600 },
      {
        state: 'unreachable',
        reason: 'connection refused',
        from: stamp(10),
        to: stamp(30),
        seconds: 1200,
      },
    ]);
  });

  it('continue after a sleep if still faulty, without the sleep in their duration', () => {
    const slept = [state(0, 'unreachable'), state(10, 'unknown'), state(25, 'unreachable'), state(30, 'healthy')];
    expect(evaluate([...slept, watched(0, 100)], 100).incidents).toMatchObject([
      { from: stamp(0), to: stamp(30), seconds: 900, unwatched_seconds: 900 },
    ]);
  });

  it('end at the last known time before a sleep after which the manager is healthy', () => {
    const over = [state(0, 'unreachable'), state(10, 'unknown'), state(20, 'healthy'), watched(0, 100)];
    expect(evaluate(over, 100).incidents).toMatchObject([
      { from: stamp(0), to: stamp(10), seconds: 600, unwatched_seconds: 0 },
    ]);
  });

  it('do not count the time in which a stopped service watched nothing', () => {
    const stopped: HistoryRecord = { kind: 'stop', at: stamp(20) };
    const started: HistoryRecord = { kind: 'start', at: stamp(80), version: '1' };
    const before = [state(0, 'unreachable'), watched(0, 20), stopped];
    const after = [started, state(80, 'unreachable'), state(90, 'healthy'), watched(80, 100)];
    expect(evaluate([...before, ...after], 100).incidents).toMatchObject([
      { from: stamp(0), to: stamp(90), seconds: 1800, unwatched_seconds: 3600 },
    ]);
  });

  it('do not count a gap between two watched times without a record of the state', () => {
    const records = [state(0, 'unreachable'), watched(0, 10), watched(60, 100)];
    expect(evaluate(records, 100).incidents).toMatchObject([
      { from: stamp(0), to: null, seconds: 3000, unwatched_seconds: 3000 },
    ]);
  });

  it('end with the last known state when the service stopped or was killed', () => {
    const stopped: HistoryRecord = { kind: 'stop', at: stamp(20) };
    const started: HistoryRecord = { kind: 'start', at: stamp(80), version: '1' };
    const first = [state(0, 'unreachable'), watched(0, 15)];
    const ends = (records: readonly HistoryRecord[]) =>
      evaluate(records, 100).incidents.map(({ from, to }) => [from, to]);
    expect(ends([...first, stopped, started, state(81, 'healthy')])).toEqual([[stamp(0), stamp(20)]]);
    expect(ends([...first, started, state(81, 'healthy')])).toEqual([[stamp(0), stamp(15)]]);
    // The outage had continued.
    expect(ends([...first, started, state(81, 'unreachable'), state(90, 'healthy')])).toEqual([[stamp(0), stamp(90)]]);
  });

  it('have a duration in whole seconds, rounded down', () => {
    const [incident] = evaluate([state(0, 'unreachable'), state(74.6 / 60, 'healthy'), watched(0, 100)], 100).incidents;
    expect(incident?.seconds).toBe(74);
  });

  it('include those of nodes', () => {
    const node = (at: number, to: NodeState, reason: string | null = null): HistoryRecord => ({
      kind: 'node',
      at: stamp(at),
      name: 'arm',
      state: to,
      reason,
    });
    const records = [node(0, 'ready'), node(10, 'errored', 'stalled'), node(20, 'ready'), watched(0, 100)];
    const { nodes, watchedSpans } = new HistoryTimeline(records);
    const observed = { spans: nodes.get('arm') ?? [], watched: watchedSpans };
    const window = { from: minutes(0), to: minutes(100) };
    expect(findNodeOutages('arm', observed, window, 1000).map(toIncident)).toEqual([
      {
        kind: 'node',
        id: 'arm',
        name: 'arm',
        state: 'errored',
        reason: 'stalled',
        from: stamp(10),
        to: stamp(20),
        seconds: 600,
        unwatched_seconds: 0,
      },
    ]);
  });

  it('are included when they overlap the window', () => {
    const records = [state(0, 'unreachable'), state(10, 'healthy'), state(20, 'unreachable'), state(60, 'healthy')];
    expect(evaluate(records, 100, 50).incidents.map(({ from }) => from)).toEqual([stamp(20)]);
  });
});

describe('changes in a window', () => {
  it('start with the state at the beginning of the window', () => {
    const records = [state(0, 'healthy'), state(20, 'unreachable', 'why'), state(70, 'healthy')];
    expect(evaluate(records, 100, 50).changes).toEqual([
      { at: stamp(20), state: 'unreachable', reason: 'why' },
      { at: stamp(70), state: 'healthy', reason: null },
    ]);
  });

  it('are the worst state of each part of the window if the manager flaps', () => {
    const flapping = Array.from({ length: 7200 }, (_, index) =>
      state(index / 10, index % 2 === 0 ? 'healthy' : index < 3600 ? 'unhealthy' : 'unreachable', `reason ${index}`),
    );
    const { changes } = evaluate([...flapping, state(720, 'healthy')], 1440);
    expect(changes).toEqual([
      { at: stamp(0), state: 'unhealthy', reason: 'reason 1' },
      { at: stamp(360), state: 'unreachable', reason: 'reason 3601' },
      { at: stamp(720), state: 'healthy', reason: null },
    ]);
  });
});

describe('bars', () => {
  function createBars(records: readonly HistoryRecord[], maintenance: readonly (readonly [number, number])[] = []) {
    const { watchedSpans, managers } = new HistoryTimeline(records);
    const inMaintenance = maintenance.map(([from, to]) => ({ from: minutes(from), to: minutes(to) }));
    const spans = applyMaintenance(managers.get('event') ?? [], inMaintenance);
    return findWorstStates(spans, watchedSpans, { from: minutes(0), to: minutes(90) }, 90);
  }

  it('have the worst state of their part of the window', () => {
    const bars = createBars([
      state(-5, 'healthy'),
      state(10.2, 'unreachable'),
      state(10.4, 'healthy'),
      watched(-5, 90),
    ]);
    expect(bars).toHaveLength(90);
    expect(bars.flatMap((bar, index) => (bar === 'healthy' ? [] : [[index, bar]]))).toEqual([[10, 'unreachable']]);
  });

  it('are empty where nothing was watched, where the state was unknown, and before the first record', () => {
    const bars = createBars([state(40, 'healthy'), state(50, 'unknown'), state(55.5, 'slow'), watched(30, 60)]);
    expect(bars.filter((bar) => bar !== null)).toHaveLength(15);
    expect([39, 40, 49, 50, 54, 55, 59, 60].map((index) => bars[index])).toEqual([
      null,
      'healthy',
      'healthy',
      null,
      null,
      'slow',
      'slow',
      null,
    ]);
  });

  it('show a maintenance window as maintenance, whatever the state of the manager', () => {
    const records = [state(-5, 'healthy'), state(10.2, 'unreachable'), state(30.5, 'healthy'), watched(-5, 90)];
    const bars = createBars(records, [
      [10, 20],
      [70, 71],
    ]);
    expect([9, 10, 19, 20, 30, 31, 70, 71].map((index) => bars[index])).toEqual([
      'healthy',
      'maintenance',
      'maintenance',
      'unreachable',
      'unreachable',
      'healthy',
      'maintenance',
      'healthy',
    ]);
  });
});

it('a clock that was ahead and was set back hides no later records', () => {
  const records = [state(100_000, 'unreachable'), state(10, 'healthy'), watched(10, 20)];
  const { availability, incidents } = evaluate(records, 20);
  expect(availability.percent).toBe(100);
  expect(incidents).toEqual([]);
});

const states = fc.array(fc.constantFrom('healthy', 'slow', 'unreachable', 'unhealthy', 'unknown', 'off' as const), {
  maxLength: 20,
});

it('the durations of the incidents add up to the time that counts as unavailable, whatever the gaps in the watch', () => {
  const times = fc.array(fc.tuple(fc.nat(200), fc.nat(60)), { maxLength: 6 });
  fc.assert(
    fc.property(states, times, (list, gaps) => {
      const spans = new HistoryTimeline(list.map((to, index) => state(index * 10, to))).managers.get('event') ?? [];
      const window = { from: minutes(0), to: minutes(200) };
      const isGap = (minute: number) => gaps.some(([from, length]) => minute >= from && minute < from + length);
      const watchedTime = mergeSpans(
        Array.from({ length: 200 }, (_, minute) => minute)
          .filter((minute) => !isGap(minute))
          .map((minute) => ({ from: minutes(minute), to: minutes(minute + 1) })),
      );
      const outages = findManagerOutages('event', { spans, watched: watchedTime }, window, 1000);
      const availability = calculateAvailability(spans, watchedTime, window);
      const sum = outages.reduce((total, outage) => total + outage.measureWatchedMs(outage) / 1000, 0);
      expect(sum).toBe(availability.counted_seconds - availability.up_seconds);
      for (const outage of outages)
        expect(outage.measureWatchedMs(outage)).toBeLessThanOrEqual(outage.to - outage.from);
    }),
  );
});

it('a window has the same incidents, availability and bars without the spans before the last good state at its start', () => {
  fc.assert(
    fc.property(states, fc.nat(200), fc.nat(200), fc.nat(60), (list, from, maintenanceStart, maintenanceLength) => {
      const records = [...list.map((to, index) => state(index * 10, to)), watched(0, 200)];
      const { watchedSpans, managers } = new HistoryTimeline(records);
      const spans = managers.get('event') ?? [];
      const window = { from: minutes(from), to: minutes(200) };
      const past = (stateSpans: typeof spans) => {
        const counted = applyMaintenance(stateSpans, [
          { from: minutes(maintenanceStart), to: minutes(maintenanceStart + maintenanceLength) },
        ]);
        return {
          incidents: findManagerOutages('event', { spans: counted, watched: watchedSpans }, window, 1000).map(
            toIncident,
          ),
          availability: calculateAvailability(counted, watchedSpans, window),
          bars: findWorstStates(counted, watchedSpans, window, 9),
        };
      };
      expect(past(dropEarlierSpans(spans, window.from, countsAsHealthy))).toEqual(past(spans));
    }),
  );
});
