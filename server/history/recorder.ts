/** Writes down what the watch sees, and answers questions about the days before. */
import { errorText } from '../../api/errorText.ts';
import type { LabStatus, ManagerStatus } from '../../api/lab/lab.ts';
import { managerKeys, type ManagerKey } from '../../api/managers.ts';
import type { ManagerState, NodeState } from '../../api/states.ts';
import { joinSpans } from '../../api/time/time.ts';
import type { ActivityWatch } from '../activity/activityWatch.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import type { RestoredLab, Watch } from '../health/watch.ts';
import { withStorageTimeout } from '../storage/storageTimeout.ts';
import { HistoryFile } from './historyFile.ts';
import { labPast, type LabPast } from './labPast.ts';
import type { HistoryRecord, MaintenanceRecord } from './record.ts';
import { retentionDays } from './retention.ts';
import { knownSpans, ofAddress, ofManagerAddress, restoredLab } from './restored.ts';
import { HistoryTimeline, type StateSpan } from './timeline.ts';

/** How often it is written that the watch goes on, in ms: what a power cut leaves unknown. */
const watchedEveryMs = 60_000;
/** A pause longer than this between two of them is one in which nobody watched. */
const pauseMs = 150_000;
export const maxHours = retentionDays * 24;
/** Changes of nodes that are written down in a minute: each waits for the disk. */
const maxNodeChanges = 300;
/** An answer is given again for this long, in ms, while nothing changes but the time. */
const freshMs = 5000;
/** Windows whose answers are kept. */
const maxCachedWindows = 8;

type ActiveMaintenance = Omit<MaintenanceRecord, 'kind' | 'at'>;

export class HistoryRecorder {
  readonly #watch: Watch;
  readonly #known: () => ReturnType<ActivityWatch['known']>;
  readonly #log: Log;
  #file: HistoryFile | null = null;
  #timeline = new HistoryTimeline();
  /** By hours, the one that was asked for last at the end. */
  readonly #pasts = new Map<number, { readonly past: LabPast; readonly version: number; readonly at: number }>();
  /** What was appended last of each manager. */
  readonly #states = new Map<ManagerKey, ManagerState | 'off'>();
  /** State and flags of each node. */
  readonly #nodes = new Map<string, string>();
  /** The workcell manager that they are of. */
  #nodesUrl: string | undefined;
  /** What was noted last of each maintenance, by the kind and ID of what is in it. */
  readonly #maintenance = new Map<string, ActiveMaintenance>();
  #watchedTo = 0;
  #watchedBefore: number | null = null;
  /** Since the last full minute. */
  #nodeChanges = 0;
  #hasWarned = false;
  /** Records are written in their order. */
  readonly #queue = new TaskQueue();
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
        const opened = await withStorageTimeout(HistoryFile.open(path, this.#log));
        this.#file = opened.file;
        this.#timeline = new HistoryTimeline(opened.records);
        this.#rememberNames(opened.records);
      } catch (error) {
        this.#log.error(
          `The history can't be kept in ${path}: ${errorText(error)}. It is kept in memory until the lab manager stops; check the permissions of the folder.`,
        );
      }
    const now = Date.now();
    this.#watchedBefore = this.#timeline.watched.at(-1)?.to ?? null;
    this.#watchedTo = now;
    await this.#append({ kind: 'start', at: iso(now), version });
    this.#unlisten = this.#watch.onChange(() => this.#recordChanges());
    this.#timer = setInterval(() => this.#noteWatched(), watchedEveryMs);
    this.#recordChanges();
  }

  /** Until when an earlier run watched the lab, in ms since the epoch; `null` where none did. */
  get watchedBefore(): number | null {
    return this.#watchedBefore;
  }

  /** Ends the writing; resolves when all is on the disk. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#unlisten?.();
    this.#unlisten = null;
    this.#noteWatched();
    const file = this.#file;
    this.#file = null;
    const ended = this.#append({ kind: 'stop', at: iso(Date.now()) }, file).then(() => file?.close());
    await withStorageTimeout(ended).catch((error: unknown) => {
      this.#log.warn(`The end of the history could not be written: ${errorText(error)}`);
    });
  }

  /** The same object until something changes, or `freshMs` are over. @param hours from 1 to 90 days' */
  past(hours: number, now = Date.now()): LabPast {
    const { version } = this.#timeline;
    const cached = this.#pasts.get(hours);
    const isFresh = cached?.version === version && now >= cached.at && now - cached.at < freshMs;
    const past = isFresh ? cached.past : labPast(this.#observed(now), hours, now);
    this.#pasts.delete(hours);
    this.#pasts.set(hours, isFresh ? cached : { past, version, at: now });
    const [oldest] = this.#pasts.keys();
    if (this.#pasts.size > maxCachedWindows && oldest !== undefined) this.#pasts.delete(oldest);
    return past;
  }

  /** The lab as earlier runs observed it last, for the watch of this one. */
  before(): RestoredLab {
    return restoredLab(this.#managers(), this.#timeline.maintenance);
  }

  /** The managers at the addresses that they have now. */
  #managers(): ReadonlyMap<ManagerKey, readonly StateSpan[]> {
    const urls = new Map(this.#watch.status().managers.map(({ manager, url }) => [manager, url]));
    return new Map(
      [...this.#timeline.managers].map(([key, spans]) => [key, ofManagerAddress(key, spans, urls.get(key))]),
    );
  }

  /** The nodes of the workcell manager at the address that it has now. */
  #nodesNow(): ReadonlyMap<string, readonly StateSpan<NodeState>[]> {
    const url = this.#workcellUrl();
    return new Map([...this.#timeline.nodes].map(([name, spans]) => [name, ofAddress(spans, url)]));
  }

  #workcellUrl(): string | undefined {
    return this.#watch.status().managers.find(({ manager }) => manager === 'workcell')?.url;
  }

  #observed(now: number) {
    const { watched, maintenance } = this.#timeline;
    // What was seen since the last note of it.
    const seen =
      now >= this.#watchedTo && now - this.#watchedTo < pauseMs
        ? joinSpans([...watched, { from: this.#watchedTo, to: now }])
        : watched;
    return { managers: this.#managers(), nodes: this.#nodesNow(), watched: seen, maintenance };
  }

  /**
   * Since when a node was in a state, ISO 8601 UTC, over restarts of the service as long as nothing else was seen meanwhile;
   * `null` where it was in another one.
   */
  nodeSince(name: string, state: NodeState): string | null {
    const spans = ofAddress(this.#timeline.nodes.get(name) ?? [], this.#workcellUrl());
    const last = knownSpans(spans).at(-1);
    return last?.state === coarse(state) ? iso(last.from) : null;
  }

  /** Those that were there before: nobody knows how they are, and they may be gone. */
  #rememberNames(records: readonly HistoryRecord[]): void {
    for (const record of records) {
      if (record.kind === 'state') this.#states.set(record.manager, record.state === 'off' ? 'off' : 'unknown');
      if (record.kind === 'node') {
        if (record.state === 'off') this.#nodes.delete(record.name);
        else this.#nodes.set(record.name, 'unknown');
      }
      if (record.kind === 'maintenance') this.#maintenance.set(`${record.of} ${record.id}`, record);
    }
  }

  #recordChanges(): void {
    const sinceWatchedMs = Date.now() - this.#watchedTo;
    // The timer is late after a sleep or a change of the clock; after a long one, what is observed now belongs to a new span.
    if (sinceWatchedMs > 1.5 * watchedEveryMs || sinceWatchedMs < 0) this.#noteWatched();
    const status = this.#watch.status();
    for (const key of managerKeys) {
      const found = status.managers.find(({ manager }) => manager === key);
      const state = found?.state ?? 'off';
      const last = this.#states.get(key);
      // One that was never asked isn't known to be unknown: it is asked now.
      if (last === state || (last === undefined && (state === 'off' || state === 'unknown'))) continue;
      this.#states.set(key, state);
      // Not since when its manager is so: that may be from before a sleep, with other states in between.
      const { reason = null, url } = found ?? {};
      void this.#append({ kind: 'state', at: changedAt(state, found, status.now), manager: key, state, reason, url });
    }
    this.#recordNodes(status.now);
    this.#recordMaintenance(status);
  }

  #recordMaintenance({ now, maintenance = [] }: LabStatus): void {
    const active = new Set(maintenance.map(({ kind, id }) => `${kind} ${id}`));
    for (const { kind: of, id, until } of maintenance)
      if (this.#maintenance.get(`${of} ${id}`)?.until !== until) this.#noteMaintenance({ of, id, until }, now);
    for (const [key, { of, id, until }] of this.#maintenance) {
      // One that ended when it was to has nothing left to be said.
      if (!active.has(key) && until !== null && until > now) this.#noteMaintenance({ of, id, until: null }, now);
    }
  }

  #noteMaintenance(noted: ActiveMaintenance, at: string): void {
    this.#maintenance.set(`${noted.of} ${noted.id}`, noted);
    void this.#append({ kind: 'maintenance', at, ...noted });
  }

  #recordNodes(now: string): void {
    const { nodes, areKnown } = this.#known();
    if (!areKnown) return;
    const url = this.#workcellUrl();
    // Nodes of the same names in another workcell are other nodes.
    if (url !== this.#nodesUrl) for (const name of this.#nodes.keys()) this.#nodes.set(name, 'unknown');
    this.#nodesUrl = url;
    let left = maxNodeChanges - this.#nodeChanges;
    for (const { name, state, flags = [], reason } of nodes) {
      const shown = coarse(state);
      const noted = [shown, ...flags].join(' ');
      if (this.#nodes.get(name) === noted) continue;
      left -= 1;
      if (left < 0) return this.#warnOfNodeChanges();
      this.#nodeChanges += 1;
      this.#nodes.set(name, noted);
      const extra = flags.length > 0 ? { flags } : {};
      void this.#append({ kind: 'node', at: now, name, state: shown, ...extra, reason, url });
    }
    const present = new Set(nodes.map(({ name }) => name));
    for (const [name, state] of this.#nodes)
      if (!present.has(name) && state !== 'off') {
        left -= 1;
        if (left < 0) return this.#warnOfNodeChanges();
        this.#nodeChanges += 1;
        this.#nodes.delete(name);
        void this.#append({ kind: 'node', at: now, name, state: 'off', reason: null });
      }
  }

  #warnOfNodeChanges(): void {
    if (!this.#hasWarned)
      this.#log.warn(
        `More than ${maxNodeChanges} changes of nodes in a minute: the rest is written later, or left out`,
      );
    this.#hasWarned = true;
  }

  #noteWatched(): void {
    this.#nodeChanges = 0;
    const now = Date.now();
    const since = now - this.#watchedTo > pauseMs || now < this.#watchedTo ? now : this.#watchedTo;
    this.#watchedTo = now;
    void this.#append({ kind: 'watched', at: iso(now), since: iso(since) });
  }

  /** Resolves when all that was seen until now is on the disk, or waits for one that takes nothing. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  #append(record: HistoryRecord, file = this.#file): Promise<void> {
    this.#timeline.add(record);
    return this.#queue.run(() => this.#write(record, file));
  }

  async #write(record: HistoryRecord, file: HistoryFile | null): Promise<void> {
    // A folder that does not respond holds up nothing else.
    const written = file === null || (await withStorageTimeout(file.append(record)).catch(() => false));
    if (!written) this.#log.debug('A record of the history waits for the disk');
  }
}

/** Whether a node works or rests is no history: it is in its workflows. */
function coarse(state: NodeState): NodeState {
  return state === 'busy' || state === 'initializing' ? 'ready' : state;
}

/** The time of the check that showed the state; an unknown state has none. */
function changedAt(state: ManagerState | 'off', found: ManagerStatus | undefined, now: string): string {
  return state === 'unknown' || state === 'off' ? now : (found?.last_checked ?? now);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
