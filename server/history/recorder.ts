/** Writes down what the watch sees, and answers questions about the days before. */
import type { Availability, Incident, LabStatus, StateChange } from '../../api/lab/lab.ts';
import { managerKeys, type ManagerKey } from '../../api/managers.ts';
import type { ManagerState, NodeState } from '../../api/states.ts';
import type { ActivityWatch } from '../activity/activityWatch.ts';
import { errorText, type Log } from '../logging/log.ts';
import type { Watch } from '../health/watch.ts';
import { HistoryFile } from './historyFile.ts';
import { availabilityOf, changesOf, incidentsOf, joined, nodeIncidentsOf, spansOf, type Span } from './incidents.ts';
import type { HistoryRecord } from './record.ts';
import { keptDays, withoutOld } from './retention.ts';

/** How often it is written that the watch goes on, in ms: what a power cut leaves unknown. */
const watchedEveryMs = 60_000;
/** A pause longer than this between two of them is one in which nobody watched. */
const pauseMs = 150_000;
const hourMs = 3_600_000;
export const mostHours = keptDays * 24;
/** Of incidents and of times that were watched. */
const mostListed = 1000;
/** In memory: months of a lab that is never well. */
const mostRecords = 100_000;

/** The past of the lab in a window that ends now. */
export interface LabPast {
  readonly windowSeconds: number;
  readonly incidents: Incident[];
  /** When somebody watched, ISO 8601 UTC, oldest first. */
  readonly watched: { from: string; to: string }[];
  readonly managers: ReadonlyMap<ManagerKey, { readonly changes: StateChange[]; readonly availability: Availability }>;
}

export class HistoryRecorder {
  readonly #watch: Watch;
  readonly #known: () => ReturnType<ActivityWatch['known']>;
  readonly #log: Log;
  #file: HistoryFile | null = null;
  /** Those that are on the disk, or wait for one that takes nothing. */
  #records: HistoryRecord[] = [];
  /** What was appended last of each manager. */
  readonly #states = new Map<ManagerKey, ManagerState | 'off'>();
  readonly #nodes = new Map<string, NodeState | 'off'>();
  #watchedTo = 0;
  #timer: NodeJS.Timeout | null = null;
  #unlisten: (() => void) | null = null;

  /** @param nodes those of the workcell as they were heard of last */
  constructor(watch: Watch, nodes: () => ReturnType<ActivityWatch['known']>, log: Log) {
    this.#watch = watch;
    this.#known = nodes;
    this.#log = log;
  }

  /**
   * Reads what is known and begins to write. Where the file can't be used the history is kept in memory, which is logged.
   * @param path of the file; `null` for a lab whose past nobody keeps, such as a simulated one
   */
  async start(path: string | null, version: string): Promise<void> {
    if (path !== null)
      try {
        const { file, records } = await HistoryFile.open(path, this.#log);
        this.#file = file;
        this.#records = [...records];
      } catch (error) {
        this.#log.error(
          `The history can't be kept in ${path}: ${errorText(error)}. It is kept in memory until the lab manager stops; check the permissions of the folder.`,
        );
      }
    const now = Date.now();
    this.#watchedTo = now;
    await this.#append({ kind: 'start', at: iso(now), version });
    this.#unlisten = this.#watch.onChange(() => this.#look());
    this.#timer = setInterval(() => this.#noteWatched(), watchedEveryMs);
    this.#look();
  }

  /** Ends the writing; resolves when all is on the disk. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#unlisten?.();
    this.#unlisten = null;
    this.#noteWatched();
    await this.#append({ kind: 'stop', at: iso(Date.now()) });
    await this.#file?.close();
    this.#file = null;
  }

  /** @param hours from 1 to 90 days' */
  past(hours: number, now = Date.now()): LabPast {
    const window: Span = { from: now - hours * hourMs, to: now };
    const { watched, managers, nodes } = spansOf(this.#records, now);
    // What was seen since the last note of it.
    const seen = now - this.#watchedTo < pauseMs ? joined([...watched, { from: this.#watchedTo, to: now }]) : watched;
    const keys = managerKeys.filter((key) => managers.has(key));
    return {
      windowSeconds: hours * 3600,
      incidents: [
        ...keys.flatMap((key) => incidentsOf(key, managers.get(key) ?? [], window)),
        ...[...nodes].flatMap(([name, spans]) => nodeIncidentsOf(name, spans, window)),
      ]
        .toSorted((a, b) => b.from.localeCompare(a.from))
        .slice(0, mostListed),
      watched: seen
        .filter(({ to }) => to > window.from)
        .slice(0 - mostListed)
        .map(({ from, to }) => ({ from: iso(Math.max(from, window.from)), to: iso(to) })),
      managers: new Map(
        keys.map((key) => {
          const spans = managers.get(key) ?? [];
          return [key, { changes: changesOf(spans, window), availability: availabilityOf(spans, seen, window) }];
        }),
      ),
    };
  }

  #look(): void {
    const status = this.#watch.status();
    for (const key of managerKeys) {
      const found = status.managers.find(({ manager }) => manager === key);
      const state = found?.state ?? 'off';
      const last = this.#states.get(key);
      // One that was never asked isn't known to be unknown: it is asked now.
      if (last === state || (last === undefined && (state === 'off' || state === 'unknown'))) continue;
      this.#states.set(key, state);
      const at = stampOf(found, status);
      void this.#append({ kind: 'state', at, manager: key, state, reason: found?.reason ?? null });
    }
    this.#lookAtNodes(status.now);
  }

  #lookAtNodes(now: string): void {
    const { nodes, areKnown } = this.#known();
    if (!areKnown) return;
    for (const { name, state, reason, since } of nodes) {
      const shown = coarse(state);
      if (this.#nodes.get(name) === shown) continue;
      this.#nodes.set(name, shown);
      void this.#append({ kind: 'node', at: since, name, state: shown, reason });
    }
    const present = new Set(nodes.map(({ name }) => name));
    for (const [name, state] of this.#nodes)
      if (!present.has(name) && state !== 'off') {
        this.#nodes.set(name, 'off');
        void this.#append({ kind: 'node', at: now, name, state: 'off', reason: null });
      }
  }

  #noteWatched(): void {
    const now = Date.now();
    const since = now - this.#watchedTo > pauseMs || now < this.#watchedTo ? now : this.#watchedTo;
    this.#watchedTo = now;
    void this.#append({ kind: 'watched', at: iso(now), since: iso(since) });
  }

  async #append(record: HistoryRecord): Promise<void> {
    const written = await this.#file?.append(record);
    if (written === false) this.#log.debug('A record of the history waits for the disk');
    const last = this.#records.at(-1);
    if (record.kind === 'watched' && last?.kind === 'watched' && record.since <= last.at)
      this.#records[this.#records.length - 1] = { ...record, since: last.since };
    else this.#records.push(record);
    if (this.#records.length > mostRecords)
      this.#records = [...withoutOld(this.#records, Date.now())].slice(-mostRecords / 2);
  }
}

/** Whether a node works or rests is no history: it is in its workflows. */
function coarse(state: NodeState): NodeState {
  return state === 'busy' || state === 'initializing' ? 'ready' : state;
}

/** A state began when its manager was seen so; that nobody knows began now. */
function stampOf(found: LabStatus['managers'][number] | undefined, { now }: LabStatus): string {
  return found?.since ?? now;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
