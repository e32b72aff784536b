/** When managers didn't answer or weren't well, as the lab manager recorded it. Pure. */
import type { LabHistory } from '../../../../api/lab/lab.ts';
import { managerLooks, type ManagerState, type StateLook } from '../../../../api/states.ts';
import { joinSpans } from '../../../../api/time/time.ts';
import { parseTime, type TimeRange } from '../../../base/time.ts';

export interface Outage {
  /** As people call it: `Data Manager`. */
  readonly manager: string;
  readonly state: ManagerState;
  readonly start: number;
  /** `null` while it continues. */
  readonly end: number | null;
  readonly reason: string | null;
}

type Recorded = Pick<LabHistory, 'incidents' | 'watched'>;

/**
 * The outages of both, oldest first.
 * @param live the last two hours, which are read every few seconds
 * @param past of a longer window, which is read less often
 */
export function allOutages(live: Recorded | undefined, past: Recorded | undefined): readonly Outage[] {
  const incidents = [...(past?.incidents ?? []), ...(live?.incidents ?? [])];
  // Both contain the same incident; in the newer response it may have ended.
  const distinct = new Map(incidents.map((incident) => [`${incident.kind} ${incident.id} ${incident.from}`, incident]));
  return [...distinct.values()]
    .flatMap(({ kind, name, state, reason, from, to }): Outage[] => {
      const start = parseTime(from);
      if (kind !== 'manager' || start === null) return [];
      return [{ manager: name, state, start, end: parseTime(to), reason }];
    })
    .toSorted((a, b) => a.start - b.start);
}

/** Returns the spans in which the lab manager was watching, oldest first. Adjacent spans are merged. */
export function watchedSpans(live: Recorded | undefined, past: Recorded | undefined): readonly TimeRange[] {
  const spans = [...(past?.watched ?? []), ...(live?.watched ?? [])].flatMap((span) => {
    const [from, to] = [parseTime(span.from), parseTime(span.to)];
    return from === null || to === null ? [] : [{ from, to }];
  });
  return joinSpans(spans);
}

/** Returns the parts of the span up to now without monitoring. */
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

/** Assigns overlapping outages to separate rows. */
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
