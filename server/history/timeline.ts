/**
 * The history as spans of time, kept up to date with each record, so that a question about 90 days costs no reading of
 * all of them.
 */
import type { MaintenanceSubject } from '../../api/lab/lab.ts';
import type { ManagerKey } from '../../api/managers.ts';
import type { ManagerState, NodeFlag, NodeState } from '../../api/states.ts';
import type { HistoryRecord, MaintenanceRecord } from './record.ts';

/** In ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A manager or a node in one state; `off`: the lab had none; `maintenance`: whatever it was, somebody worked on it. */
export interface StateSpan<State extends ManagerState | NodeState = ManagerState> extends Span {
  readonly state: State | NoState;
  readonly reason: string | null;
  /** What a node was besides: a locked one may have been moving. */
  readonly flags?: readonly NodeFlag[];
  /** The address of the manager, or of the node's workcell manager; `null` where an older version wrote none. */
  readonly url: string | null;
}
type NoState = 'unknown' | 'off' | 'maintenance';

/** A maintenance, until it ended or ends. */
export type MaintenanceSpan = Span & MaintenanceSubject;

/** Of each kind, in memory: months of a lab that is never well. */
const maxSpans = 60_000;
/** Records between two looks for what is too old or too much. */
const trimEvery = 1000;

export class HistoryTimeline {
  /** When the lab was watched, oldest first. */
  #watched: Span[] = [];
  readonly #managers = new Map<ManagerKey, StateSpan[]>();
  readonly #nodes = new Map<string, StateSpan<NodeState>[]>();
  /** When somebody worked on what, oldest first. */
  #maintenance: MaintenanceSpan[] = [];
  #latest = Number.NEGATIVE_INFINITY;
  #version = 0;

  constructor(records: readonly HistoryRecord[] = []) {
    for (const record of records) this.add(record);
  }

  /** Another number after each record. */
  get version(): number {
    return this.#version;
  }

  get watched(): readonly Span[] {
    return this.#watched;
  }

  /** The span that still holds ends at infinity. */
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
    // A clock that was wrong and was set back leaves times from the future, which would hide everything after them.
    if (at < this.#latest) this.#endAt(at);
    const known = Math.min(at, this.#latest === Number.NEGATIVE_INFINITY ? at : this.#latest);
    this.#latest = at;
    this.#version += 1;
    switch (record.kind) {
      case 'watched':
        this.#addWatched(Math.min(Date.parse(record.since), at), at);
        break;
      case 'state':
        addState(this.#managers, record.manager, at, record);
        break;
      case 'node':
        addState(this.#nodes, record.name, at, record);
        break;
      case 'maintenance':
        this.#addMaintenance(record, at);
        break;
      case 'start':
      case 'stop':
        // Of a service that was killed, the last that it wrote is the last that it knew.
        for (const spans of [...this.#managers.values(), ...this.#nodes.values()])
          forget(spans, record.kind === 'stop' ? at : known);
    }
    if (this.#version % trimEvery === 0) this.#trim();
  }

  #addWatched(from: number, to: number): void {
    const last = this.#watched.at(-1);
    if (last !== undefined && from <= last.to)
      this.#watched[this.#watched.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else this.#watched.push({ from, to });
  }

  /** One that began before ends with this; of one that is prolonged both are one. */
  #addMaintenance({ of: kind, id, until }: MaintenanceRecord, at: number): void {
    const index = this.#maintenance.findLastIndex((span) => span.kind === kind && span.id === id);
    const last = this.#maintenance[index];
    const isOpen = last !== undefined && last.to > at;
    const to = until === null ? at : Math.max(at, Date.parse(until));
    if (isOpen) this.#maintenance[index] = { ...last, to };
    else if (until !== null) this.#maintenance.push({ kind, id, from: at, to });
  }

  /** Nothing that was seen may be later than `at`. */
  #endAt(at: number): void {
    for (const spans of [...this.#managers.values(), ...this.#nodes.values()]) {
      const last = spans.at(-1);
      while ((spans.at(-1)?.from ?? at) > at) spans.pop();
      endLast(spans, at);
      if (last !== undefined && last.to === Number.POSITIVE_INFINITY)
        spans.push({ ...last, from: Math.min(last.from, at) } as StateSpan & StateSpan<NodeState>);
    }
    this.#watched = this.#watched.flatMap(({ from, to }) => (from >= at ? [] : [{ from, to: Math.min(to, at) }]));
    this.#maintenance = this.#maintenance.map((span) => ({ ...span, from: Math.min(span.from, at) }));
  }

  /** By number alone: by age, a clock that is years ahead would leave nothing. */
  #trim(): void {
    this.#watched = newest(this.#watched);
    this.#maintenance = newest(this.#maintenance);
    trimStates(this.#managers);
    trimStates(this.#nodes);
  }
}

function newest<Entry extends Span>(spans: Entry[]): Entry[] {
  return spans.length > maxSpans ? spans.slice(-maxSpans / 2) : spans;
}

function addState<Key, State extends ManagerState | NodeState>(
  all: Map<Key, StateSpan<State>[]>,
  key: Key,
  from: number,
  record: {
    readonly state: State | 'off';
    readonly reason: string | null;
    readonly flags?: readonly NodeFlag[] | undefined;
    readonly url?: string | undefined;
  },
): void {
  const spans = all.get(key) ?? [];
  all.set(key, spans);
  endLast(spans, from);
  const { state, reason, flags, url } = record;
  spans.push({ from, to: Number.POSITIVE_INFINITY, state, reason, ...(flags && { flags }), url: url ?? null });
}

function endLast(spans: StateSpan<ManagerState | NodeState>[], at: number): void {
  const last = spans.at(-1);
  if (last !== undefined && last.to > at) spans[spans.length - 1] = { ...last, to: Math.max(last.from, at) };
}

/** From then on its state is unknown. */
function forget(spans: StateSpan<ManagerState | NodeState>[], at: number): void {
  const last = spans.at(-1);
  if (last === undefined || !isState(last.state)) return;
  endLast(spans, at);
  const from = Math.max(last.from, at);
  spans.push({ from, to: Number.POSITIVE_INFINITY, state: 'unknown', reason: null, url: last.url });
}

/** Of more than the memory takes, the older half is dropped. What still holds stays. */
function trimStates<Key>(all: Map<Key, StateSpan<ManagerState | NodeState>[]>): void {
  const count = [...all.values()].reduce((sum, spans) => sum + spans.length, 0);
  if (count <= maxSpans) return;
  const ends = [...all.values()].flatMap((spans) => spans.map(({ to }) => to)).toSorted((a, b) => a - b);
  const cut = ends[Math.floor(ends.length / 2)] ?? 0;
  for (const [key, spans] of all) {
    const first = spans.findIndex(({ to }) => to > cut);
    spans.splice(0, first === -1 ? spans.length : first);
    // A node that the workcell no longer has.
    if (spans.length === 0 || (spans.length === 1 && spans[0]?.state === 'off' && (spans[0]?.from ?? 0) < cut))
      all.delete(key);
  }
}

export function isState<State extends string>(state: State | NoState): state is State {
  return state !== 'unknown' && state !== 'off' && state !== 'maintenance';
}
