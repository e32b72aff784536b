import { describe, expect, it } from 'vitest';
import { managerKeys, type ManagerKey } from '../../../../api/managers.ts';
import { formatManagerTime, parseManagerTime } from '../../../../api/time.ts';
import { isOffsetSure, learnClock, offsetOf, unknownClock, type HostClock, type HostClocks } from './hostClock.ts';

const now = Date.UTC(2026, 10, 21, 14, 0, 0);
const minute = 60_000;
const at = (host: string) => ({ ...unknownClock, address: `http://${host}:8001/` });

/** What a host that is so far east writes of a moment. */
const written = (offset: number, moment: number) => formatManagerTime(new Date(moment), offset);

describe('six managers in four zones', () => {
  const zones: Readonly<Record<ManagerKey, number>> = {
    event: 9 * 60,
    experiment: 60,
    resource: 0,
    data: -5 * 60,
    workcell: 60,
    location: 0,
  };
  const clocks: HostClocks = Object.fromEntries(
    managerKeys.map((manager) => {
      const before = { ids: new Set(['old']), at: now - 30_000 };
      const objects = [
        { id: 'old', stamp: written(zones[manager], now - 90 * minute) },
        { id: 'new', stamp: written(zones[manager], now - 8_000) },
      ];
      return [manager, learnClock(at(manager), objects, before, now)];
    }),
  );

  it.each(managerKeys)('%s: its times are the moments that it meant', (manager) => {
    const moment = now - 3 * 60 * minute;
    const offset = offsetOf(manager, clocks, 60);
    expect(parseManagerTime(written(zones[manager], moment), offset)?.getTime()).toBe(moment);
  });
});

describe('the offset of a host', () => {
  it('is this machine’s while nothing tells', () => {
    expect(offsetOf('event', {}, 120)).toBe(120);
    expect(offsetOf('resource', {}, 120)).toBe(0);
  });

  it('is that of another manager on the same host before this machine’s', () => {
    const workcell: HostClock = { address: 'http://lab:8005/', exact: -300, atLeast: null };
    expect(offsetOf('event', { event: { ...at('lab') }, workcell }, 120)).toBe(-300);
    expect(offsetOf('event', { event: { ...at('elsewhere') }, workcell }, 120)).toBe(120);
    const local: HostClock = { address: 'http://127.0.0.1:8005/', exact: 0, atLeast: null };
    expect(offsetOf('event', { event: at('localhost'), workcell: local }, 120)).toBe(0);
  });

  it('is sure once a stamp of the manager, or of another one on its host, had a known moment', () => {
    const known: HostClock = { ...at('lab'), exact: -300 };
    expect(isOffsetSure('event', {})).toBe(false);
    expect(isOffsetSure('event', { event: { ...at('lab'), atLeast: 60 } })).toBe(false);
    expect(isOffsetSure('event', { event: known })).toBe(true);
    expect(isOffsetSure('event', { event: at('lab'), workcell: known })).toBe(true);
    expect(isOffsetSure('event', { event: at('elsewhere'), workcell: known })).toBe(false);
    expect(isOffsetSure('resource', {})).toBe(true);
  });

  it('is not learnt from an old stamp, which only tells how far west it cannot be', () => {
    const objects = [{ id: 'a', stamp: written(60, now - 40 * minute) }];
    const clock = learnClock(at('lab'), objects, null, now);
    expect(clock.exact).toBeNull();
    expect(offsetOf('event', { event: clock }, 60)).toBe(60);
    // A page in London: the newest stamp lies 20 minutes ahead of its clock.
    expect(offsetOf('event', { event: clock }, 0)).toBe(30);
  });

  it('is not learnt from what came while the page slept', () => {
    const objects = [{ id: 'b', stamp: written(60, now - 50 * minute) }];
    const before = { ids: new Set(['a']), at: now - 60 * minute };
    expect(learnClock(at('lab'), objects, before, now).exact).toBeNull();
  });

  it('is kept while nothing new comes, and takes nothing from texts with a zone', () => {
    const known: HostClock = { ...at('lab'), exact: 60 };
    const before = { ids: new Set<string>(), at: now - 1000 };
    const objects = [
      { id: 'z', stamp: '2026-11-21T13:59:59+05:00' },
      { id: 'n', stamp: null },
      { id: 'x', stamp: 'soon' },
    ];
    expect(learnClock(known, objects, before, now)).toEqual(known);
  });
});
