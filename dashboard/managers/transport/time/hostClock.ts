/**
 * Where the clock of each manager's host stands. Most of a manager's times have no zone and mean its host's local time; each
 * manager may be on a host of its own. A browser can't read an answer's `Date`, so the offset is learnt from the stamps in
 * the manager's own answers. Pure.
 */
import { isLoopbackHost } from '../../../../api/hosts.ts';
import type { ManagerKey } from '../../../../api/managers.ts';
import { estimateHostOffset, hasZone, parseManagerTime, type OffsetMinutes } from '../../../../api/time.ts';
import { hostOf } from '../addresses.ts';

export interface HostClock {
  /** Where the manager is; `null` while that isn't known. */
  readonly address: string | null;
  /** From a stamp whose moment is known; `null` while there was none. */
  readonly exact: OffsetMinutes | null;
  /** From stamps of which only the latest possible moment is known: the host's offset is this or further east. */
  readonly atLeast: OffsetMinutes | null;
}

export const unknownClock: HostClock = { address: null, exact: null, atLeast: null };

export type HostClocks = Readonly<Partial<Record<ManagerKey, HostClock>>>;

/** Whether both are on one machine, as far as their addresses tell. */
function onOneHost(one: string | null, other: string | null): boolean {
  const [a, b] = [hostOf(one ?? ''), hostOf(other ?? '')];
  return a !== null && b !== null && (a === b || (isLoopbackHost(a) && isLoopbackHost(b)));
}

/** What the stamps of another manager on the same host say for certain; `null` where there is none. */
function neighbourOf(clock: HostClock, clocks: HostClocks): OffsetMinutes | null {
  const found = Object.entries(clocks).find(
    ([name, other]) => name !== 'resource' && other.exact !== null && onOneHost(other.address, clock.address),
  );
  return found?.[1].exact ?? null;
}

/**
 * The offset by which the manager's naive times are read: what its own stamps say, else what those of another manager on
 * the same host say, else this machine's, unless its stamps show that it can't be. What the resource manager writes without
 * a zone is UTC, whatever its host's clock (it does so with SQLite; with PostgreSQL it writes the zone).
 * @param own minutes east of UTC of the machine with the page
 */
export function offsetOf(manager: ManagerKey, clocks: HostClocks, own: OffsetMinutes): OffsetMinutes {
  if (manager === 'resource') return 0;
  const clock = clocks[manager] ?? unknownClock;
  return clock.exact ?? neighbourOf(clock, clocks) ?? Math.max(own, clock.atLeast ?? own);
}

/** Whether the offset is known for certain: until then a host may lie further west than its stamps show. */
export function isOffsetSure(manager: ManagerKey, clocks: HostClocks): boolean {
  const clock = clocks[manager] ?? unknownClock;
  return manager === 'resource' || clock.exact !== null || neighbourOf(clock, clocks) !== null;
}

/** Between the zones furthest apart, in ms: so far from where it seems to be a manager's host may be. */
const furthestZone = 26 * 3_600_000;

/**
 * From when a manager is asked for what is wanted from `from` on, ms since the epoch. By a clock that only seems to be
 * known, a manager further west would be asked for times that it hasn't reached yet: nothing would ever come to learn its
 * clock from. What comes too much is left out by who asks.
 */
export function askedFrom(from: number, sure: boolean): number {
  return sure ? from : from - furthestZone;
}

/** Until when it is asked for what is wanted up to `to`, ms since the epoch: further east its clock is ahead. */
export function askedUntil(to: number, sure: boolean): number {
  return sure ? to : to + furthestZone;
}

/** Something with a time that the manager itself gave it. */
export interface StampedObject {
  readonly id: string;
  readonly stamp: string | null | undefined;
}

/** What was there at the last reading, and when that was, ms since the epoch. */
export interface LastReading {
  readonly ids: ReadonlySet<string>;
  readonly at: number;
}

/** What came between two readings that are no further apart than this has a time that is known well enough, in ms. */
const freshFor = 120_000;

/** The clock after a reading: what is new since the last one tells it exactly, the rest only how far west it can't be. */
export function learnClock(
  clock: HostClock,
  objects: readonly StampedObject[],
  before: LastReading | null,
  now: number,
): HostClock {
  const seen = new Date(now);
  const naive = objects.flatMap(({ id, stamp }) =>
    typeof stamp === 'string' && !hasZone(stamp) && parseManagerTime(stamp, 0) !== null
      ? [{ id, naive: stamp, seen }]
      : [],
  );
  const fresh = before !== null && now - before.at <= freshFor ? naive.filter(({ id }) => !before.ids.has(id)) : [];
  const exact = estimateHostOffset(fresh);
  const atLeast = estimateHostOffset(naive);
  return {
    ...clock,
    exact: exact ?? clock.exact,
    atLeast: atLeast === null ? clock.atLeast : Math.max(atLeast, clock.atLeast ?? atLeast),
  };
}
