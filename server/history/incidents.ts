/** Derives changes, incidents and availability in a window from the history. */
import type { Availability, Incident, StateChange } from '../../api/lab/lab.ts';
import { managerTitle, type ManagerKey } from '../../api/managers.ts';
import { needsAttention } from '../../api/managers/nodeState.ts';
import {
  barAppearance,
  countsAsHealthy,
  managerAppearances,
  nodeFlags,
  nodeAppearances,
  type BarState,
  type ManagerState,
  type NodeState,
} from '../../api/states.ts';
import { mergeSpans } from '../../api/time/time.ts';
import { isKnownState, type Span, type StateSpan } from './timeline.ts';

/** The maximum number of changes in a window; above it, the window is divided into parts with the worst state of each. */
const maxChanges = 360;

/** The index of the first span that ends after `from`; the spans are sorted. */
export function findFirstAfter(spans: readonly Span[], from: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).to > from) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Drops the spans before the last good state at `from`; the rest includes an outage that began before the window.
 * @param spans of one manager or node, in order
 */
export function dropEarlierSpans<State extends ManagerState | NodeState>(
  spans: readonly StateSpan<State>[],
  from: number,
  isGood: (state: State) => boolean,
): readonly StateSpan<State>[] {
  const first = spans.findLastIndex((span) => span.from <= from && isKnownState(span.state) && isGood(span.state));
  return first > 0 ? spans.slice(first) : spans;
}

/** Replaces the state by `maintenance` in the maintenance periods of one manager or node. */
export function applyMaintenance<State extends ManagerState | NodeState>(
  spans: readonly StateSpan<State>[],
  maintenance: readonly Span[],
): readonly StateSpan<State>[] {
  const maintenanceSpans = mergeSpans(maintenance);
  if (maintenanceSpans.length === 0) return spans;
  const parts: StateSpan<State>[] = [];
  let next = 0;
  for (const span of spans) {
    let { from } = span;
    while (next > 0 && (maintenanceSpans[next - 1] as Span).to > span.from) next -= 1;
    while (next < maintenanceSpans.length && (maintenanceSpans[next] as Span).from < span.to) {
      const overlap = intersect(maintenanceSpans[next] as Span, span);
      next += 1;
      if (overlap === null) continue;
      if (overlap.from > from) parts.push({ ...span, from, to: overlap.from });
      parts.push({ ...span, ...overlap, state: 'maintenance', reason: null });
      from = overlap.to;
    }
    if (from === span.from) parts.push(span);
    else if (span.to > from) parts.push({ ...span, from });
  }
  return parts;
}

function intersect(span: Span, window: Span): Span | null {
  const [from, to] = [Math.max(span.from, window.from), Math.min(span.to, window.to)];
  return to > from ? { from, to } : null;
}

/** Calls `visit` for each period of the window that was watched with a known state, oldest first. */
function visitKnown<State extends ManagerState | NodeState>(
  spans: readonly StateSpan<State>[],
  watched: readonly Span[],
  window: Span,
  visit: (state: Exclude<StateSpan<State>['state'], 'unknown' | 'off'>, from: number, to: number) => void,
): void {
  let watchedIndex = findFirstAfter(watched, window.from);
  for (let index = findFirstAfter(spans, window.from); index < spans.length; index += 1) {
    const span = spans[index] as StateSpan<State>;
    if (span.from >= window.to) break;
    while (watchedIndex < watched.length && (watched[watchedIndex] as Span).to <= span.from) watchedIndex += 1;
    const { state } = span;
    if (state === 'unknown' || state === 'off') continue;
    // The last watched period that this span overlaps may extend into the next span.
    for (let next = watchedIndex; next < watched.length && (watched[next] as Span).from < span.to; next += 1) {
      const watchedSpan = watched[next] as Span;
      const [from, to] = [
        Math.max(span.from, watchedSpan.from, window.from),
        Math.min(span.to, watchedSpan.to, window.to),
      ];
      if (to > from) visit(state as Exclude<typeof state, 'unknown' | 'off'>, from, to);
      if (watchedSpan.to <= span.to) watchedIndex = next;
    }
  }
}

/**
 * The availability of a manager in a window. Time that was not watched, or with an unknown state, does not count.
 * @param spans of one manager @param watched in order, without overlaps
 */
export function calculateAvailability(
  spans: readonly StateSpan[],
  watched: readonly Span[],
  window: Span,
): Availability {
  let [knownMs, upMs] = [0, 0];
  visitKnown(spans, watched, window, (state, from, to) => {
    if (!isKnownState(state)) return;
    knownMs += to - from;
    if (countsAsHealthy(state)) upMs += to - from;
  });
  return {
    percent: knownMs === 0 ? null : (100 * upMs) / knownMs,
    counted_seconds: Math.round(knownMs / 1000),
    up_seconds: Math.round(upMs / 1000),
    window_seconds: Math.round((window.to - window.from) / 1000),
  };
}

/**
 * The worst state in each of `count` equal parts of the window, oldest first; `null` if it was not watched or unknown.
 */
export function findWorstStates(
  spans: readonly StateSpan[],
  watched: readonly Span[],
  window: Span,
  count: number,
): (BarState | null)[] {
  const length = (window.to - window.from) / count;
  const barIndex = (at: number) => Math.min(count - 1, Math.floor((at - window.from) / length));
  const bars: (BarState | null)[] = Array.from({ length: count }, () => null);
  visitKnown(spans, watched, window, (state, from, to) => {
    for (let index = barIndex(from); index <= barIndex(to - 1); index += 1) {
      const previousBar = bars[index] ?? null;
      if (previousBar === null || barAppearance(state).severity > barAppearance(previousBar).severity)
        bars[index] = state;
    }
  });
  return bars;
}

/**
 * The state at the start of the window and the changes within it, oldest first. Above `maxChanges` changes, the worst
 * state in each of `maxChanges` equal parts of the window.
 */
export function listChanges(spans: readonly StateSpan[], window: Span): StateChange[] {
  const first = findFirstAfter(spans, window.from);
  const visible = spans.length - first > maxChanges ? reduceToWorst(spans, first, window) : spans.slice(first);
  return visible
    .filter(({ from, to }) => to > from && from < window.to)
    .map(({ from, state, reason }) => ({ at: new Date(from).toISOString(), state: toDisplayedState(state), reason }));
}

const toDisplayedState = (state: StateSpan['state']): ManagerState => (isKnownState(state) ? state : 'unknown');

function reduceToWorst(spans: readonly StateSpan[], first: number, window: Span): StateSpan[] {
  const length = (window.to - window.from) / maxChanges;
  const partIndex = (at: number) => Math.max(0, Math.min(maxChanges - 1, Math.floor((at - window.from) / length)));
  const severity = (state: StateSpan['state']) => managerAppearances[toDisplayedState(state)].severity;
  const worst: (StateSpan | undefined)[] = Array.from({ length: maxChanges });
  for (let index = first; index < spans.length; index += 1) {
    const span = spans[index] as StateSpan;
    if (span.from >= window.to) break;
    const last = partIndex(Math.min(span.to, window.to) - 1);
    for (let part = partIndex(span.from); part <= last; part += 1) {
      const previous = worst[part];
      if (previous === undefined || severity(span.state) > severity(previous.state)) worst[part] = span;
    }
  }
  const begin = spans[first]?.from ?? window.from;
  return worst.flatMap((span, part) => {
    // Consecutive parts with the same state are one change.
    if (span === undefined || worst[part - 1]?.state === span.state) return [];
    const from = part === 0 ? Math.min(begin, window.from) : Math.max(begin, window.from + part * length);
    return [{ ...span, from, to: Number.POSITIVE_INFINITY }];
  });
}

/** An outage, and whether it has ended. */
export interface Outage extends Span {
  readonly kind: Incident['kind'];
  readonly id: string;
  /**
   * The part of a period that was watched with a known state, in ms: called only for the outages that are listed, because
   * it costs more than finding them.
   */
  readonly measureWatchedMs: (period: Span) => number;
  readonly worst: StateSpan<ManagerState | NodeState>;
  readonly hasEnded: boolean;
}

/** The state spans of one manager or node, and the watched periods, in order. */
export interface Observation<State extends ManagerState | NodeState = ManagerState> {
  readonly spans: readonly StateSpan<State>[];
  readonly watched: readonly Span[];
}

interface OutageRule<State extends ManagerState | NodeState> {
  readonly kind: Incident['kind'];
  readonly isFailing: (state: State) => boolean;
  readonly severity: (state: State) => number;
}
const managerRule: OutageRule<ManagerState> = {
  kind: 'manager',
  isFailing: (state) => !countsAsHealthy(state),
  severity: (state) => managerAppearances[state].severity,
};
const nodeRule: OutageRule<NodeState> = {
  kind: 'node',
  isFailing: needsAttention,
  severity: (state) => nodeAppearances[state].severity,
};

/** Returns the worse span, the first of equal ones, with the flags of all spans of that state. */
function selectWorseSpan<State extends ManagerState | NodeState>(
  span: StateSpan<State>,
  later: StateSpan<State> | null,
  severity: (state: State) => number,
): StateSpan<State> {
  if (later === null || !isKnownState(later.state) || !isKnownState(span.state)) return span;
  if (severity(later.state) > severity(span.state)) return later;
  const flags = nodeFlags.filter((flag) => span.flags?.includes(flag) || later.flags?.includes(flag));
  return later.state === span.state && flags.length > 0 ? { ...span, flags } : span;
}

/**
 * Outages, newest first, each from its first bad state to the next good one. An unknown state in between, as after a
 * sleep, does not end an outage; without a known end it ends where the unknown state begins. Reads backwards, only as far
 * as needed.
 */
function findOutages<State extends ManagerState | NodeState>(
  id: string,
  { spans, watched }: Observation<State>,
  window: Span,
  limit: number,
  { kind, isFailing, severity }: OutageRule<State>,
): Outage[] {
  const outages: Outage[] = [];
  let open = null as (Outage & { readonly worst: StateSpan<State> }) | null;
  let hasEnded = false;
  const isShown = ({ from, to }: Span) => to > Math.max(from, window.from);
  const measureWatchedMs = (period: Span): number => {
    let sum = 0;
    visitKnown(spans, watched, period, (_state, from, to) => (sum += to - from));
    return sum;
  };
  for (let index = spans.length - 1; index >= 0 && outages.length < limit; index -= 1) {
    const span = spans[index] as StateSpan<State>;
    if (span.from > window.to) continue;
    if (isKnownState(span.state) && isFailing(span.state)) {
      const worst = selectWorseSpan(span, open?.worst ?? null, severity);
      const to: number = open?.to ?? Math.min(span.to, window.to);
      open = { kind, id, from: span.from, to, worst, hasEnded: open?.hasEnded ?? hasEnded, measureWatchedMs };
    } else if (span.state !== 'unknown') {
      if (open !== null && isShown(open)) outages.push(open);
      open = null;
      hasEnded = true;
    }
    if (open === null && span.from <= window.from) break;
  }
  if (open !== null && isShown(open) && outages.length < limit) outages.push(open);
  return outages;
}

export function findManagerOutages(id: ManagerKey, observed: Observation, window: Span, limit: number): Outage[] {
  return findOutages(id, observed, window, limit, managerRule);
}

export function findNodeOutages(id: string, observed: Observation<NodeState>, window: Span, limit: number): Outage[] {
  return findOutages(id, observed, window, limit, nodeRule);
}

export function toIncident({ kind, id, from, to, measureWatchedMs, worst, hasEnded }: Outage): Incident {
  const watchedMs = measureWatchedMs({ from, to });
  const { state, reason, flags } = worst;
  const times = {
    from: new Date(from).toISOString(),
    to: hasEnded ? new Date(to).toISOString() : null,
    // Whole seconds, as the dashboard shows a duration.
    seconds: Math.floor(watchedMs / 1000),
    unwatched_seconds: Math.floor((to - from - watchedMs) / 1000),
  };
  if (kind === 'node')
    return { kind, id, name: id, state: state as NodeState, ...(flags && { flags: [...flags] }), reason, ...times };
  const manager = id as ManagerKey;
  return { kind, id: manager, name: managerTitle(manager), state: state as ManagerState, reason, ...times };
}
