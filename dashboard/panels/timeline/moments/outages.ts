/** When managers didn't answer or weren't well, as far as the lab manager remembers. Pure. */
import type { LabHistory, Maintenance } from '../../../../api/lab/lab.ts';
import { managerTitle } from '../../../../api/managers.ts';
import {
  countsAsHealthy,
  managerLooks,
  managerStates,
  type ManagerState,
  type StateLook,
} from '../../../../api/states.ts';
import { parseTime, type TimeRange } from '../../../base/time.ts';

export interface Outage {
  /** As people call it: `Data Manager`. */
  readonly manager: string;
  readonly state: ManagerState;
  readonly start: number;
  /** `null`: it goes on. */
  readonly end: number | null;
  readonly reason: string | null;
}

const isWell = (state: ManagerState): boolean => countsAsHealthy(state) || state === 'unknown';

/** Each time from leaving health to the next change, oldest first. */
export function outagesOf({ managers }: Pick<LabHistory, 'managers'>): readonly Outage[] {
  return managers
    .flatMap(({ manager, changes }) =>
      changes.flatMap(({ at, state, reason }, index): Outage[] => {
        const start = parseTime(at);
        if (start === null || isWell(state)) return [];
        const next = changes[index + 1];
        const end = next === undefined ? null : Math.max(start, parseTime(next.at) ?? start);
        return [{ manager: managerTitle(manager), state, start, end, reason }];
      }),
    )
    .toSorted((a, b) => a.start - b.start);
}

/** Of the lab manager's own record, which goes further back: one from its first bad state to the next good one. */
function recordedOutages({ incidents = [] }: Pick<LabHistory, 'incidents'>): readonly Outage[] {
  return incidents.flatMap(({ kind, name, state: worst, reason, from, to }): Outage[] => {
    const [start, state] = [parseTime(from), managerStates.find((each) => each === worst)];
    if (kind !== 'manager' || start === null || state === undefined) return [];
    return [{ manager: name, state, start, end: parseTime(to), reason }];
  });
}

/** Since when the watch's own two hours are known; ms since the epoch. */
function liveSince({ now, window_seconds: kept, service }: LabHistory): number | null {
  const [at, started] = [parseTime(now), parseTime(service.started)];
  return at === null ? null : Math.max(at - kept * 1000, started ?? 0);
}

/** The last two hours as every page has them, and what was before as it is recorded; `past`: not read yet, or none is kept. */
export function allOutages(live: LabHistory | undefined, past: LabHistory | undefined): readonly Outage[] {
  const cut = live === undefined ? null : liveSince(live);
  const now = live === undefined ? [] : outagesOf(live);
  const before = past === undefined ? [] : recordedOutages(past);
  if (cut === null) return before.toSorted((a, b) => a.start - b.start);
  const maintenance = [...(past?.past_maintenance ?? []), ...(live?.maintenance ?? [])].filter(
    ({ kind }) => kind !== 'node',
  );
  return [
    ...before.flatMap((outage) => (outage.start >= cut ? [] : [{ ...outage, end: Math.min(outage.end ?? cut, cut) }])),
    ...now
      .flatMap((outage) => ((outage.end ?? Infinity) <= cut ? [] : [{ ...outage, start: Math.max(cut, outage.start) }]))
      .flatMap((outage) => withoutMaintenance(outage, maintenance))
      // What goes on when a maintenance is over is still to come.
      .filter(({ start }) => start <= (parseTime(live?.now) ?? Infinity)),
  ].toSorted((a, b) => a.start - b.start);
}

/** What of an outage was while nobody worked on its manager. */
function withoutMaintenance(outage: Outage, maintenance: readonly Maintenance[]): readonly Outage[] {
  return maintenance
    .filter(({ kind, name }) => kind === 'lab' || name === outage.manager)
    .reduce<readonly Outage[]>(
      (parts, { from, until }) => {
        const [begin, end] = [parseTime(from) ?? 0, parseTime(until) ?? 0];
        return parts.flatMap((part) => {
          const to = part.end ?? Infinity;
          if (end <= part.start || begin >= to) return [part];
          return [
            ...(begin > part.start ? [{ ...part, end: begin }] : []),
            ...(end < to ? [{ ...part, start: end }] : []),
          ];
        });
      },
      [outage],
    );
}

/** When the lab manager watched, oldest first, as one where it went on. */
export function watchedSpans(live: LabHistory | undefined, past: LabHistory | undefined): readonly TimeRange[] {
  const from = live === undefined ? null : liveSince(live);
  const to = parseTime(live?.now);
  const spans = [
    ...(past?.watched ?? []).flatMap((span) => {
      const [begin, end] = [parseTime(span.from), parseTime(span.to)];
      return begin === null || end === null ? [] : [{ from: begin, to: end }];
    }),
    ...(from === null || to === null ? [] : [{ from, to }]),
  ].toSorted((a, b) => a.from - b.from);
  const joined: TimeRange[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && span.from <= last.to)
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else joined.push(span);
  }
  return joined;
}

/** What of the span up to now nobody watched. */
export function unwatchedIn(watched: readonly TimeRange[], { from, to }: TimeRange, now: number): readonly TimeRange[] {
  const gaps: TimeRange[] = [];
  let at = from;
  const end = Math.min(to, now);
  for (const span of watched) {
    if (span.from > at && at < end) gaps.push({ from: at, to: Math.min(span.from, end) });
    at = Math.max(at, span.to);
  }
  if (at < end) gaps.push({ from: at, to: end });
  return gaps;
}

/** Those that overlap stand below each other. */
export function inRows(outages: readonly Outage[], now: number): readonly (Outage & { readonly row: number })[] {
  const ends: number[] = [];
  return outages.map((outage) => {
    const free = ends.findIndex((end) => end <= outage.start);
    const row = free === -1 ? ends.length : free;
    ends[row] = outage.end ?? now;
    return { ...outage, row };
  });
}

export function outageLook({ state }: Pick<Outage, 'state'>): StateLook {
  return managerLooks[state];
}
