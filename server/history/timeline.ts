/** The history as time spans, updated with each record, so that a query for 90 days does not have to read all records. */
import type { MaintenanceSubject } from '../../api/lab/lab.ts';
import type { ManagerKey } from '../../api/managers.ts';
import type { ManagerState, NodeFlag, NodeState } from '../../api/states.ts';
import type { HistoryRecord, MaintenanceRecord } from './record.ts';

/** In ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * A period of a manager or a node in one state; `off`: not part of the lab; `maintenance`: in maintenance, regardless of
 * the state.
 */
export interface StateSpan<State extends ManagerState | NodeState = ManagerState> extends Span {
  readonly state: State | NoState;
  readonly reason: string | null;
  /** The node's flags besides the state: a locked node may have been moving. */
  readonly flags?: readonly NodeFlag[];
  /** The address of the manager, or of the node's workcell manager; `null` if an older version recorded none. */
  readonly url: string | null;
}
type NoState = 'unknown' | 'off' | 'maintenance';

/** A maintenance window, until it ended or ends. */
export type MaintenanceSpan = Span & MaintenanceSubject;

/** A longer gap between two `watched` records counts as not watched, in ms. */
export const maxRecordGapMs = 150_000;
/** The maximum number of spans of each kind in memory, enough for months of a permanently failing lab. */
const maxSpans = 60_000;
/** The number of added records between two trims. */
const recordsBetweenTrims = 1000;

export class HistoryTimeline {
  /** When the lab was watched, oldest first. */
  #watchedSpans: Span[] = [];
  readonly #managers = new Map<ManagerKey, StateSpan[]>();
  readonly #nodes = new Map<string, StateSpan<NodeState>[]>();
  /** Maintenance periods by subject, oldest first. */
  #maintenance: MaintenanceSpan[] = [];
  #latestTime = Number.NEGATIVE_INFINITY;
  /** The last time at which the current run watched; `null` between runs. */
  #watchedUntil: number | null = null;
  #version = 0;

  constructor(records: readonly HistoryRecord[] = []) {
    for (const record of records) this.add(record);
  }

  /** A number that changes with each record. */
  get version(): number {
    return this.#version;
  }

  get watchedSpans(): readonly Span[] {
    return this.#watchedSpans;
  }

  /** The spans of each manager, oldest first; the current span ends at infinity. */
  get managers(): ReadonlyMap<ManagerKey, readonly StateSpan[]> {
    return this.#managers;
  }

  get nodes(): ReadonlyMap<string, readonly StateSpan<NodeState>[]> {
    return this.#nodes;
  }

  get maintenance(): readonly MaintenanceSpan[] {
    return this.#maintenance;
  }

  add(record: HistoryRecord): void {
    const at = Date.parse(record.at);
    // A wrong clock that was corrected leaves future times, which would hide all later records.
    if (at < this.#latestTime) this.#truncateAt(at);
    const lastKnownTime = Math.min(at, this.#latestTime === Number.NEGATIVE_INFINITY ? at : this.#latestTime);
    this.#latestTime = at;
    this.#version += 1;
    switch (record.kind) {
      case 'watched':
        this.#addWatched(Math.min(Date.parse(record.since), at), at);
        this.#watchedUntil = at;
        break;
      case 'state':
        this.#extendWatched(at);
        addState(this.#managers, record.manager, at, record);
        break;
      case 'node':
        this.#extendWatched(at);
        addState(this.#nodes, record.name, at, record);
        break;
      case 'maintenance':
        this.#addMaintenance(record, at);
        break;
      case 'start':
      case 'stop':
        this.#watchedUntil = record.kind === 'start' ? at : null;
        // After a service was killed, the states are known only until its last record.
        for (const spans of [...this.#managers.values(), ...this.#nodes.values()])
          markUnknown(spans, record.kind === 'stop' ? at : lastKnownTime);
    }
    if (this.#version % recordsBetweenTrims === 0) this.#trim();
  }

  /** Extends the watched time to an observation, because a killed service writes no `watched` record at its end. */
  #extendWatched(at: number): void {
    const from = this.#watchedUntil;
    if (from === null || at <= from || at - from > maxRecordGapMs) return;
    this.#addWatched(from, at);
    this.#watchedUntil = at;
  }

  #addWatched(from: number, to: number): void {
    const last = this.#watchedSpans.at(-1);
    if (last !== undefined && from <= last.to)
      this.#watchedSpans[this.#watchedSpans.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else this.#watchedSpans.push({ from, to });
  }

  /** Changes the end of a maintenance window of the subject that has not ended yet, or adds a new window. */
  #addMaintenance({ of: kind, id, until }: MaintenanceRecord, at: number): void {
    const index = this.#maintenance.findLastIndex((span) => span.kind === kind && span.id === id);
    const last = this.#maintenance[index];
    const isOpen = last !== undefined && last.to > at;
    const to = until === null ? at : Math.max(at, Date.parse(until));
    if (isOpen) this.#maintenance[index] = { ...last, to };
    else if (until !== null) this.#maintenance.push({ kind, id, from: at, to });
  }

  /** Limits all spans to `at`, after a clock that was ahead was corrected. */
  #truncateAt(at: number): void {
    for (const spans of [...this.#managers.values(), ...this.#nodes.values()]) {
      const last = spans.at(-1);
      while ((spans.at(-1)?.from ?? at) > at) spans.pop();
      endLastSpan(spans, at);
      if (last !== undefined && last.to === Number.POSITIVE_INFINITY)
        spans.push({ ...last, from: Math.min(last.from, at) } as StateSpan & StateSpan<NodeState>);
    }
    this.#watchedSpans = this.#watchedSpans.flatMap(({ from, to }) =>
      from >= at ? [] : [{ from, to: Math.min(to, at) }],
    );
    this.#maintenance = this.#maintenance.map((span) => ({ ...span, from: Math.min(span.from, at) }));
  }

  /** Trims by number, not by age: a clock that is years ahead would drop everything. */
  #trim(): void {
    this.#watchedSpans = dropOldestHalf(this.#watchedSpans);
    this.#maintenance = dropOldestHalf(this.#maintenance);
    trimStates(this.#managers);
    trimStates(this.#nodes);
  }
}

function dropOldestHalf<Entry extends Span>(spans: Entry[]): Entry[] {
  return spans.length > maxSpans ? spans.slice(-maxSpans / 2) : spans;
}

function addState<Key, State extends ManagerState | NodeState>(
  spansByKey: Map<Key, StateSpan<State>[]>,
  key: Key,
  from: number,
  record: {
    readonly state: State | 'off';
    readonly reason: string | null;
    readonly flags?: readonly NodeFlag[] | undefined;
    readonly url?: string | undefined;
  },
): void {
  const spans = spansByKey.get(key) ?? [];
  spansByKey.set(key, spans);
  endLastSpan(spans, from);
  const { state, reason, flags, url } = record;
  spans.push({ from, to: Number.POSITIVE_INFINITY, state, reason, ...(flags && { flags }), url: url ?? null });
}

function endLastSpan(spans: StateSpan<ManagerState | NodeState>[], at: number): void {
  const last = spans.at(-1);
  if (last !== undefined && last.to > at) spans[spans.length - 1] = { ...last, to: Math.max(last.from, at) };
}

/** Makes the state unknown from a time on. */
function markUnknown(spans: StateSpan<ManagerState | NodeState>[], at: number): void {
  const last = spans.at(-1);
  if (last === undefined || !isKnownState(last.state)) return;
  endLastSpan(spans, at);
  const from = Math.max(last.from, at);
  spans.push({ from, to: Number.POSITIVE_INFINITY, state: 'unknown', reason: null, url: last.url });
}

/** Above the maximum number of spans, drops the older half except current spans. */
function trimStates<Key>(spansByKey: Map<Key, StateSpan<ManagerState | NodeState>[]>): void {
  const count = [...spansByKey.values()].reduce((sum, spans) => sum + spans.length, 0);
  if (count <= maxSpans) return;
  const ends = [...spansByKey.values()].flatMap((spans) => spans.map(({ to }) => to)).toSorted((a, b) => a - b);
  const cut = ends[Math.floor(ends.length / 2)] ?? 0;
  for (const [key, spans] of spansByKey) {
    const first = spans.findIndex(({ to }) => to > cut);
    spans.splice(0, first === -1 ? spans.length : first);
    // Also drop a node that the workcell no longer has.
    if (spans.length === 0 || (spans.length === 1 && spans[0]?.state === 'off' && (spans[0]?.from ?? 0) < cut))
      spansByKey.delete(key);
  }
}

export function isKnownState<State extends string>(state: State | NoState): state is State {
  return state !== 'unknown' && state !== 'off' && state !== 'maintenance';
}
