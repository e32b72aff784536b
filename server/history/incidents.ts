/** What the records say of a span of time: changes, incidents, and how much of it each manager was there. Pure. */
import type { Availability, Incident, StateChange } from '../../api/lab/lab.ts';
import { managerTitle, type ManagerKey } from '../../api/managers.ts';
import { countsAsHealthy, managerLooks, type ManagerState } from '../../api/states.ts';
import type { HistoryRecord } from './record.ts';
import { recordTimes } from './retention.ts';

/** In ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A manager in one state. */
export interface StateSpan extends Span {
  readonly state: ManagerState | 'off';
  readonly reason: string | null;
}

export interface HistorySpans {
  /** When somebody watched, oldest first. */
  readonly watched: readonly Span[];
  readonly managers: ReadonlyMap<ManagerKey, readonly StateSpan[]>;
}

/** @param now in ms since the epoch: what holds now holds until then */
export function spansOf(records: readonly HistoryRecord[], now: number): HistorySpans {
  const times = recordTimes(records, now);
  const watched: Span[] = [];
  const managers = new Map<ManagerKey, StateSpan[]>();
  for (const [index, record] of records.entries()) {
    const at = times[index] as number;
    if (record.kind === 'watched') watched.push({ from: Math.min(Date.parse(record.since), at), to: at });
    if (record.kind !== 'state') continue;
    const spans = managers.get(record.manager) ?? [];
    managers.set(record.manager, spans);
    const last = spans.at(-1);
    if (last !== undefined) spans[spans.length - 1] = { ...last, to: at };
    spans.push({ from: at, to: now, state: record.state, reason: record.reason });
  }
  return { watched: joined(watched), managers };
}

/** Spans in their order, as one where they touch. */
export function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last !== undefined && span.from <= last.to)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else result.push(span);
  }
  return result;
}

function within(span: Span, window: Span): Span | null {
  const [from, to] = [Math.max(span.from, window.from), Math.min(span.to, window.to)];
  return to > from ? { from, to } : null;
}

function lengthWithin(span: Span, spans: readonly Span[]): number {
  return spans.reduce((sum, each) => sum + Math.max(0, Math.min(span.to, each.to) - Math.max(span.from, each.from)), 0);
}

/**
 * How much of a window a manager answered and was well. Time in which nobody watched, or nobody knew, doesn't count.
 * @param spans of one manager
 */
export function availabilityOf(spans: readonly StateSpan[], watched: readonly Span[], window: Span): Availability {
  let [counted, up] = [0, 0];
  for (const span of spans) {
    const part = within(span, window);
    if (part === null || span.state === 'unknown' || span.state === 'off') continue;
    const length = lengthWithin(part, watched);
    counted += length;
    if (countsAsHealthy(span.state)) up += length;
  }
  return {
    percent: counted === 0 ? null : (100 * up) / counted,
    counted_seconds: Math.round(counted / 1000),
    up_seconds: Math.round(up / 1000),
    window_seconds: Math.round((window.to - window.from) / 1000),
  };
}

/** Changes within the window, oldest first, after the state that held when it began. */
export function changesOf(spans: readonly StateSpan[], window: Span): StateChange[] {
  return spans
    .filter((span) => within(span, window) !== null)
    .map(({ from, state, reason }) => ({
      at: new Date(from).toISOString(),
      state: state === 'off' ? 'unknown' : state,
      reason,
    }));
}

/** A time in which a manager was down, and whether it was well again since. */
interface Bad extends Span {
  readonly worst: StateSpan;
  readonly ended: boolean;
}

const isFailing = ({ state }: StateSpan): boolean => state !== 'off' && state !== 'unknown' && !countsAsHealthy(state);

/**
 * When a manager was down, newest first: one incident from its first bad state to the next good one. Not knowing in between,
 * as after a sleep, doesn't end it; it ends where nobody knew when it was over.
 */
export function incidentsOf(manager: ManagerKey, spans: readonly StateSpan[], window: Span): Incident[] {
  const incidents: Bad[] = [];
  for (const span of spans) {
    const last = incidents.at(-1);
    const open = last?.ended === false ? last : undefined;
    if (isFailing(span)) {
      const worst = open === undefined || severityOf(span) > severityOf(open.worst) ? span : open.worst;
      const bad = { from: open?.from ?? span.from, to: span.to, worst, ended: false };
      if (open === undefined) incidents.push(bad);
      else incidents[incidents.length - 1] = bad;
    } else if (open !== undefined && span.state !== 'unknown')
      incidents[incidents.length - 1] = { ...open, ended: true };
  }
  return incidents
    .filter((incident) => within(incident, window) !== null)
    .map(({ from, to, worst, ended }) => ({
      kind: 'manager' as const,
      id: manager,
      name: managerTitle(manager),
      state: worst.state as ManagerState,
      reason: worst.reason,
      from: new Date(from).toISOString(),
      to: ended ? new Date(to).toISOString() : null,
      seconds: Math.round((to - from) / 1000),
    }))
    .toReversed();
}

function severityOf({ state }: StateSpan): number {
  return state === 'off' ? 0 : managerLooks[state].severity;
}
