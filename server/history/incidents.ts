/** What the records say of a span of time: changes, incidents, and how much of it each manager was there. Pure. */
import type { Availability, MaintenanceSubject, Incident, StateChange } from '../../api/lab/lab.ts';
import { managerTitle, type ManagerKey } from '../../api/managers.ts';
import { needsPerson } from '../../api/managers/nodeState.ts';
import { countsAsHealthy, managerLooks, nodeLooks, type ManagerState, type NodeState } from '../../api/states.ts';
import type { HistoryRecord, MaintenanceRecord } from './record.ts';
import { recordTimes } from './retention.ts';

/** In ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A manager or a node in one state; `off`: the lab had none; `maintenance`: whatever it was, somebody worked on it. */
export interface StateSpan<State extends ManagerState | NodeState = ManagerState> extends Span {
  readonly state: State | NoState;
  readonly reason: string | null;
}
type NoState = 'unknown' | 'off' | 'maintenance';
type NodeSpan = StateSpan<NodeState>;

export interface HistorySpans {
  /** When somebody watched, oldest first. */
  readonly watched: readonly Span[];
  readonly managers: ReadonlyMap<ManagerKey, readonly StateSpan[]>;
  readonly nodes: ReadonlyMap<string, readonly NodeSpan[]>;
  /** When somebody worked on what, oldest first. */
  readonly maintenance: readonly MaintenanceSpan[];
}

/** A maintenance, until it ended or ends. */
export type MaintenanceSpan = Span & MaintenanceSubject;

/** @param now in ms since the epoch: what holds now holds until then */
export function spansOf(records: readonly HistoryRecord[], now: number): HistorySpans {
  const times = recordTimes(records, now);
  const watched: Span[] = [];
  const managers = new Map<ManagerKey, StateSpan[]>();
  const nodes = new Map<string, NodeSpan[]>();
  const maintenance: MaintenanceSpan[] = [];
  for (const [index, record] of records.entries()) {
    const at = times[index] as number;
    switch (record.kind) {
      case 'watched':
        watched.push({ from: Math.min(Date.parse(record.since), at), to: at });
        break;
      case 'state':
        addState(managers, record.manager, { from: at, to: now, state: record.state, reason: record.reason });
        break;
      case 'node':
        addState(nodes, record.name, { from: at, to: now, state: record.state, reason: record.reason });
        break;
      case 'maintenance':
        addMaintenance(maintenance, record, at);
        break;
      case 'start':
      case 'stop': {
        // Of a service that was killed, the last that it wrote is the last that it knew.
        const known = record.kind === 'stop' ? at : (times[index - 1] ?? at);
        for (const spans of [...managers.values(), ...nodes.values()]) forget(spans, known, now);
      }
    }
  }
  return { watched: joined(watched), managers, nodes, maintenance };
}

function addState<Key, Spans extends StateSpan | NodeSpan>(all: Map<Key, Spans[]>, key: Key, span: Spans): void {
  const spans = all.get(key) ?? [];
  all.set(key, spans);
  end(spans, span.from);
  spans.push(span);
}

/** One that began before ends with this; of one that is prolonged both are one. */
function addMaintenance(spans: MaintenanceSpan[], { of: kind, id, until }: MaintenanceRecord, at: number): void {
  const index = spans.findLastIndex((span) => span.kind === kind && span.id === id);
  const last = spans[index];
  const isOpen = last !== undefined && last.to > at;
  const to = until === null ? at : Math.max(at, Date.parse(until));
  if (isOpen) spans[index] = { ...last, to };
  else if (until !== null) spans.push({ kind, id, from: at, to });
}

/** The spans of one manager or node, with the times in which somebody worked on it as `maintenance`. */
export function withMaintenance<State extends ManagerState | NodeState>(
  spans: readonly StateSpan<State>[],
  maintenance: readonly Span[],
): StateSpan<State>[] {
  const times = joined(maintenance.toSorted((a, b) => a.from - b.from));
  return spans.flatMap((span) => {
    const parts: StateSpan<State>[] = [];
    let { from } = span;
    for (const time of times.map((each) => within(each, span))) {
      if (time === null) continue;
      if (time.from > from) parts.push({ ...span, from, to: time.from });
      parts.push({ ...time, state: 'maintenance', reason: null });
      from = time.to;
    }
    return span.to > from || parts.length === 0 ? [...parts, { ...span, from }] : parts;
  });
}

function end(spans: (StateSpan | NodeSpan)[], at: number): void {
  const last = spans.at(-1);
  if (last !== undefined) spans[spans.length - 1] = { ...last, to: Math.max(last.from, at) } as StateSpan;
}

/** From then on nobody knows. */
function forget(spans: (StateSpan | NodeSpan)[], at: number, now: number): void {
  const last = spans.at(-1);
  if (last === undefined || !isState(last.state)) return;
  end(spans, at);
  spans.push({ from: Math.max(last.from, at), to: now, state: 'unknown', reason: null });
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
    if (part === null || !isState(span.state)) continue;
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
      state: isState(state) ? state : 'unknown',
      reason,
    }));
}

/** A time in which something was down, and whether it was well again since. */
interface Bad<State extends ManagerState | NodeState> extends Span {
  readonly worst: StateSpan<State>;
  readonly ended: boolean;
}

/**
 * When something was down, newest first: one incident from its first bad state to the next good one. Not knowing in between,
 * as after a sleep, doesn't end it; it ends where nobody knew when it was over.
 */
function badTimes<State extends ManagerState | NodeState>(
  spans: readonly StateSpan<State>[],
  window: Span,
  isBad: (state: State) => boolean,
  severity: (state: State) => number,
): Bad<State>[] {
  const severityOf = ({ state }: StateSpan<State>) => (isState(state) ? severity(state) : 0);
  const incidents: Bad<State>[] = [];
  for (const span of spans) {
    const last = incidents.at(-1);
    const open = last?.ended === false ? last : undefined;
    if (isState(span.state) && isBad(span.state)) {
      const worst = open === undefined || severityOf(span) > severityOf(open.worst) ? span : open.worst;
      const bad = { from: open?.from ?? span.from, to: span.to, worst, ended: false };
      if (open === undefined) incidents.push(bad);
      else incidents[incidents.length - 1] = bad;
    } else if (open !== undefined && span.state !== 'unknown')
      incidents[incidents.length - 1] = { ...open, ended: true };
  }
  return incidents.filter((incident) => within(incident, window) !== null).toReversed();
}

function isState<State extends string>(state: State | NoState): state is State {
  return state !== 'unknown' && state !== 'off' && state !== 'maintenance';
}

const timesOf = ({ from, to, ended, worst }: Bad<ManagerState | NodeState>) => ({
  reason: worst.reason,
  from: new Date(from).toISOString(),
  to: ended ? new Date(to).toISOString() : null,
  seconds: Math.round((to - from) / 1000),
});

export function incidentsOf(manager: ManagerKey, spans: readonly StateSpan[], window: Span): Incident[] {
  const isBad = (state: ManagerState) => !countsAsHealthy(state);
  return badTimes(spans, window, isBad, (state) => managerLooks[state].severity).map((bad) => ({
    kind: 'manager',
    id: manager,
    name: managerTitle(manager),
    state: bad.worst.state as ManagerState,
    ...timesOf(bad),
  }));
}

export function nodeIncidentsOf(name: string, spans: readonly StateSpan<NodeState>[], window: Span): Incident[] {
  return badTimes(spans, window, needsPerson, (state) => nodeLooks[state].severity).map((bad) => ({
    kind: 'node',
    id: name,
    name,
    state: bad.worst.state as NodeState,
    ...timesOf(bad),
  }));
}
