/** Outages and maintenance windows of managers and nodes as the lab manager recorded them. */
import type { LabHistory } from '#api/lab/lab.ts';
import { maintenanceAppearance, managerAppearances, nodeAppearances, type StateAppearance } from '#api/states.ts';
import { occupyFreeRow } from '#dashboard/base/grouping.ts';
import { mergeSpans } from '#api/time/time.ts';
import { parseTime, type TimeRange } from '#dashboard/base/time.ts';

export interface Outage {
  /** Display name: `Data Manager`. */
  readonly name: string;
  /** The node in whose lane it is drawn; `null`: the lane of the managers. */
  readonly node: string | null;
  /** Whether it is maintenance, which is drawn but isn't an outage. */
  readonly isMaintenance: boolean;
  readonly appearance: StateAppearance;
  readonly start: number;
  /** `null` while it continues. */
  readonly end: number | null;
  /** The part of the outage in which the state was not observed, in ms. */
  readonly unwatchedMs: number;
  readonly reason: string | null;
}

type RecordedHistory = Pick<LabHistory, 'incidents' | 'past_maintenance' | 'watched'>;

/**
 * Returns the outages and maintenance windows of both histories, oldest first.
 * @param live history of the last two hours, which is read every few seconds
 * @param pastHistory history of a longer window, which is read less often
 */
export function listOutages(
  live: RecordedHistory | undefined,
  pastHistory: RecordedHistory | undefined,
  now: number,
): readonly Outage[] {
  const incidents = [...(pastHistory?.incidents ?? []), ...(live?.incidents ?? [])];
  // Both contain the same incident; in the newer response it may have ended.
  const distinct = new Map(incidents.map((incident) => [`${incident.kind} ${incident.id} ${incident.from}`, incident]));
  const outages = [...distinct.values()].flatMap((incident): Outage[] => {
    const { kind, id, name, reason, from, to, unwatched_seconds: unwatched = 0 } = incident;
    const start = parseTime(from);
    if (start === null) return [];
    const appearance =
      incident.kind === 'manager' ? managerAppearances[incident.state] : nodeAppearances[incident.state];
    const node = kind === 'node' ? id : null;
    const time = { start, end: parseTime(to), unwatchedMs: unwatched * 1000 };
    return [{ name, node, isMaintenance: false, appearance, ...time, reason }];
  });
  return [...outages, ...maintenanceWindows(live, pastHistory, now)].toSorted((a, b) => a.start - b.start);
}

function maintenanceWindows(
  live: RecordedHistory | undefined,
  pastHistory: RecordedHistory | undefined,
  now: number,
): readonly Outage[] {
  const all = [...(pastHistory?.past_maintenance ?? []), ...(live?.past_maintenance ?? [])];
  // The same maintenance is in both; in the newer response it may have ended earlier.
  const distinct = new Map(all.map((outage) => [`${outage.kind} ${outage.id} ${outage.from}`, outage]));
  return [...distinct.values()].flatMap(({ kind, id, name, from, until }): Outage[] => {
    const [start, end] = [parseTime(from), parseTime(until)];
    if (start === null || end === null) return [];
    const node = kind === 'node' ? id : null;
    const appearance = maintenanceAppearance;
    const time = { start, end: end > now ? null : end, unwatchedMs: 0 };
    return [{ name, node, isMaintenance: true, appearance, ...time, reason: null }];
  });
}

/** Returns the spans in which the lab manager was watching, oldest first. Adjacent spans are merged. */
export function watchedSpans(
  live: RecordedHistory | undefined,
  pastHistory: RecordedHistory | undefined,
): readonly TimeRange[] {
  const spans = [...(pastHistory?.watched ?? []), ...(live?.watched ?? [])].flatMap((span) => {
    const [from, to] = [parseTime(span.from), parseTime(span.to)];
    return from === null || to === null ? [] : [{ from, to }];
  });
  return mergeSpans(spans);
}

/** Monitoring counts as unknown instead of missing up to this time after the last response of the service, in ms. */
const maxResponseAgeMs = 2 * 60_000;

/** Returns the parts of the span up to now without monitoring. */
export function findUnwatched(
  watched: readonly TimeRange[],
  { from, to }: TimeRange,
  now: number,
): readonly TimeRange[] {
  const gaps: TimeRange[] = [];
  let position = from;
  const end = Math.min(to, now);
  for (const span of watched) {
    if (span.from > position && position < end) gaps.push({ from: position, to: Math.min(span.from, end) });
    position = Math.max(position, span.to);
  }
  if (position < end && (end < now || end - position > maxResponseAgeMs)) gaps.push({ from: position, to: end });
  return gaps;
}

/** Assigns overlapping outages to separate rows. */
export function assignOutageRows(
  outages: readonly Outage[],
  now: number,
): readonly (Outage & { readonly row: number })[] {
  const ends: number[] = [];
  return outages.map((outage) => {
    return { ...outage, row: occupyFreeRow(ends, outage.start, outage.end ?? now) };
  });
}

/** Rounds to seconds, and from ten minutes on to minutes, so that the displayed sum does not change every second. */
export function roundGap(ms: number): number {
  const unit = ms < 10 * 60_000 ? 1000 : 60_000;
  return Math.round(ms / unit) * unit;
}
