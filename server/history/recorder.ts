/** Records the watch's observations, and reads the history of the past days. */
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { LabStatus, ManagerStatus } from '../../api/lab/lab.ts';
import { managerKeys, type ManagerKey } from '../../api/managers.ts';
import type { ManagerState, NodeState } from '../../api/states.ts';
import { mergeSpans } from '../../api/time/time.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import type { Log } from '../logging/log.ts';
import type { RestoredLab } from '../health/watch.ts';
import type { LabModel } from '../lab/labModel.ts';
import { LockedFileError } from '../storage/lockedFiles.ts';
import { withStorageTimeout } from '../storage/storageTimeout.ts';
import { HistoryFile } from './historyFile.ts';
import { computeHistoryWindow, toIso, type HistoryWindow } from './labHistory.ts';
import type { Database } from '../database/database.ts';
import type { HistoryRecord, MaintenanceRecord } from './record.ts';
import { SharedHistory } from './sharedHistory.ts';
import { retentionDays } from './retention.ts';
import { mergeKnownSpans, disableOtherAddresses, disableManagerSpans, restoreLab } from './restoreState.ts';
import { HistoryTimeline, maxRecordGapMs, type StateSpan } from './timeline.ts';

/** Interval of `watched` records, in ms: a power failure loses at most this much of the watched time. */
const watchedRecordMs = 60_000;
/** The longest window, in hours. */
export const maxHours = retentionDays * 24;
/** The maximum number of recorded node changes per minute, because each is synced to disk. */
const maxNodeChanges = 300;
/** Cache duration of a result in ms, while only the time changes. */
const cacheMs = 5000;
/** The number of cached windows. */
const maxCachedWindows = 8;

/** Timeout of loading the shared history at the start, in ms; afterwards the history of this server's file is used. */
const sharedTimeoutMs = 3000;

type SpansByManager = ReadonlyMap<ManagerKey, readonly StateSpan[]>;
type ActiveMaintenance = Omit<MaintenanceRecord, 'kind' | 'at'>;

export class HistoryRecorder {
  readonly #lab: LabModel;
  readonly #log: Log;
  /** The history of this server, or the one that two servers share; `null` if it is only in memory. */
  #store: HistoryFile | SharedHistory | null = null;
  #isRecording = false;
  #programVersion = '';
  #timeline = new HistoryTimeline();
  /** By length in hours, the most recently requested window last. */
  readonly #windows = new Map<number, Readonly<{ window: HistoryWindow; version: number; at: number }>>();
  /** The last record of each manager. */
  readonly #states = new Map<ManagerKey, ManagerState | 'off'>();
  /** State and flags of each node. */
  readonly #nodes = new Map<string, string>();
  /** The workcell manager of these nodes. */
  #nodesUrl: string | undefined;
  /** The last record of each maintenance window, by kind and ID of its subject. */
  readonly #maintenance = new Map<string, ActiveMaintenance>();
  #watchedUntil = 0;
  #previousRunEnd: number | null = null;
  /** The number of recorded node changes since the last `watched` record. */
  #nodeChanges = 0;
  #hasWarned = false;
  /** Serialises the writing of records. */
  readonly #queue = new TaskQueue();
  #timer: NodeJS.Timeout | null = null;
  #unsubscribe: (() => void) | null = null;

  constructor(lab: LabModel, log: Log) {
    this.#lab = lab;
    this.#log = log;
  }

  /**
   * Reads the stored history and starts recording. If the file is unusable, the history is kept in memory, which is
   * logged.
   * @param path of the file; `null` for a lab without stored history, such as a simulated one
   * @param database with the shared history of two servers, of which the active one records; `null` without one
   */
  async start(path: string | null, version: string, database: Database | null = null): Promise<void> {
    this.#programVersion = version;
    let records: readonly HistoryRecord[] = [];
    if (path !== null)
      try {
        const historyFile = await withStorageTimeout(HistoryFile.open(path, this.#log));
        this.#store = historyFile.file;
        records = historyFile.records;
        this.#reload(records);
      } catch (error) {
        const isLocked = error instanceof LockedFileError;
        const advice = isLocked ? 'close that program, and start it again' : 'check the permissions of the folder';
        this.#log.error(
          `The history can't be kept in ${path}: ${errorText(error)}. It is kept in memory until the lab manager stops; ${advice}.`,
        );
      }
    if (database !== null) await this.#share(database, records);
    this.#previousRunEnd = this.#timeline.watchedSpans.at(-1)?.to ?? null;
    if (this.#isActive) await this.#startRecording();
    this.#timer = clock.setInterval(() => this.#appendWatched(), watchedRecordMs);
    this.#unsubscribe = this.#lab.status.subscribe((status) => this.#recordChanges(status));
  }

  async #share(database: Database, records: readonly HistoryRecord[]): Promise<void> {
    const shared = new SharedHistory({
      database,
      file: this.#store instanceof HistoryFile ? this.#store : null,
      records,
      lab: this.#lab,
      onReload: (all) => this.#reload(all),
      onRecords: (added) => {
        for (const record of added) this.#timeline.add(record);
      },
      log: this.#log,
    });
    this.#store = shared;
    database.start();
    await shared.waitUntilLoaded(sharedTimeoutMs);
  }

  /** Replaces the history. */
  #reload(records: readonly HistoryRecord[]): void {
    this.#timeline = new HistoryTimeline(records);
    this.#windows.clear();
    if (!this.#isRecording) this.#rememberNames(records);
  }

  /** Records from now on, beginning with the current state of everything. */
  #startRecording(): Promise<void> {
    const now = clock.now();
    this.#isRecording = true;
    this.#watchedUntil = now;
    return this.#append({ kind: 'start', at: toIso(now), version: this.#programVersion });
  }

  /** Of two servers with a shared history, only the active one records. */
  get #isActive(): boolean {
    return !(this.#store instanceof SharedHistory) || this.#lab.standby.value === null;
  }

  /** Starts or stops recording by the role of this server. */
  #applyRole(): void {
    if (this.#isActive === this.#isRecording) return;
    if (!this.#isRecording) return void this.#startRecording();
    this.#appendWatched();
    void this.#append({ kind: 'stop', at: toIso(clock.now()) });
    this.#isRecording = false;
    // The next recording begins with the state of everything again.
    for (const [key, state] of this.#states) if (state !== 'off') this.#states.set(key, 'unknown');
    for (const name of this.#nodes.keys()) this.#nodes.set(name, 'unknown');
  }

  /** The number of records that the shared database has not stored yet. */
  get pendingCount(): number {
    return this.#store instanceof SharedHistory ? this.#store.pendingCount : 0;
  }

  /** The time until which an earlier run watched the lab, in ms since the epoch; `null` if there was none. */
  get previousRunEnd(): number | null {
    return this.#previousRunEnd;
  }

  /** Stops recording; resolves when all records are on disk. */
  async stop(): Promise<void> {
    if (this.#timer) clock.clearInterval(this.#timer);
    this.#timer = null;
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#appendWatched();
    const lastWrite = this.#isRecording ? this.#append({ kind: 'stop', at: toIso(clock.now()) }) : null;
    const store = this.#store;
    this.#store = null;
    this.#isRecording = false;
    const ended = Promise.resolve(lastWrite ?? this.#queue.settled()).then(() => store?.close());
    await withStorageTimeout(ended).catch((error: unknown) => {
      this.#log.warn(`The end of the history could not be written: ${errorText(error)}`);
    });
  }

  /** The history of the last `hours` (at most 90 days); cached until a change, or for `cacheMs`. */
  getWindow(hours: number, now = clock.now()): HistoryWindow {
    const { version } = this.#timeline;
    const cached = this.#windows.get(hours);
    const isFresh = cached?.version === version && now >= cached.at && now - cached.at < cacheMs;
    const window = isFresh ? cached.window : computeHistoryWindow(this.#observedHistory(now), hours, now);
    this.#windows.delete(hours);
    this.#windows.set(hours, isFresh ? cached : { window, version, at: now });
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > maxCachedWindows && oldest !== undefined) this.#windows.delete(oldest);
    return window;
  }

  /** The lab's last state in earlier runs, for the watch of this one. */
  restoredState(): RestoredLab {
    const managers = this.#managerSpans();
    return restoreLab(this.#isRecording ? managers : endSpans(managers), this.#timeline.maintenance);
  }

  /** The managers at their current addresses. */
  #managerSpans(): SpansByManager {
    const urls = new Map(this.#lab.checks.value.managers.map(({ manager, url }) => [manager, url]));
    return new Map(
      [...this.#timeline.managers].map(([key, spans]) => [key, disableManagerSpans(key, spans, urls.get(key))]),
    );
  }

  /** The nodes of the workcell manager at its current address. */
  #nodeSpans(): ReadonlyMap<string, readonly StateSpan<NodeState>[]> {
    const url = this.#workcellUrl();
    return new Map([...this.#timeline.nodes].map(([name, spans]) => [name, disableOtherAddresses(spans, url)]));
  }

  #workcellUrl(): string | undefined {
    return this.#lab.address('workcell') ?? undefined;
  }

  #observedHistory(now: number) {
    const { watchedSpans: recordedSpans, maintenance } = this.#timeline;
    // The time watched since the last record.
    const watchedSpans =
      this.#isRecording && now >= this.#watchedUntil && now - this.#watchedUntil < maxRecordGapMs
        ? mergeSpans([...recordedSpans, { from: this.#watchedUntil, to: now }])
        : recordedSpans;
    return { managers: this.#managerSpans(), nodes: this.#nodeSpans(), watched: watchedSpans, maintenance };
  }

  /**
   * The start of a node's state, ISO 8601 UTC, across restarts of the service as long as no other state was observed;
   * `null` if it was in another one.
   */
  getNodeStateStart(name: string, state: NodeState): string | null {
    const spans = disableOtherAddresses(this.#timeline.nodes.get(name) ?? [], this.#workcellUrl());
    const last = mergeKnownSpans(spans).at(-1);
    return last?.state === toRecordedState(state) ? toIso(last.from) : null;
  }

  /** Remembers recorded managers and nodes as unknown: they may have been removed. */
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

  #recordChanges(status: LabStatus): void {
    this.#applyRole();
    if (!this.#isRecording) return;
    const sinceWatchedMs = clock.now() - this.#watchedUntil;
    // After a sleep or a clock change, the timer is late, and new observations may belong to a new span.
    if (sinceWatchedMs > 1.5 * watchedRecordMs || sinceWatchedMs < 0) this.#appendWatched();
    for (const key of managerKeys) {
      const current = status.managers.find(({ manager }) => manager === key);
      const state = current?.state ?? 'off';
      const last = this.#states.get(key);
      // A manager that was never checked gets no record: its first check is running.
      if (last === state || (last === undefined && (state === 'off' || state === 'unknown'))) continue;
      this.#states.set(key, state);
      // The record has the time of this check, not the manager's `since`, because other states may have occurred in
      // between, before a sleep.
      const { reason = null, url } = current ?? {};
      const at = checkTime(state, current, status.now);
      void this.#append({ kind: 'state', at, manager: key, state, reason, url });
    }
    this.#recordNodes(status.now);
    this.#recordMaintenance(status);
  }

  #recordMaintenance({ now, maintenance = [] }: LabStatus): void {
    const active = new Set(maintenance.map(({ kind, id }) => `${kind} ${id}`));
    for (const { kind: of, id, until } of maintenance)
      if (this.#maintenance.get(`${of} ${id}`)?.until !== until) this.#appendMaintenance({ of, id, until }, now);
    for (const [key, { of, id, until }] of this.#maintenance) {
      // A maintenance window that ended at its planned time needs no record.
      if (!active.has(key) && until !== null && until > now) this.#appendMaintenance({ of, id, until: null }, now);
    }
  }

  #appendMaintenance(entry: ActiveMaintenance, at: string): void {
    this.#maintenance.set(`${entry.of} ${entry.id}`, entry);
    void this.#append({ kind: 'maintenance', at, ...entry });
  }

  #recordNodes(now: string): void {
    const { nodes, isRecent } = this.#lab.nodeSnapshot();
    if (!isRecent) return;
    const url = this.#workcellUrl();
    // Nodes of the same names in another workcell are other nodes.
    if (url !== this.#nodesUrl) for (const name of this.#nodes.keys()) this.#nodes.set(name, 'unknown');
    this.#nodesUrl = url;
    let remaining = maxNodeChanges - this.#nodeChanges;
    for (const { name, state, flags = [], reason } of nodes) {
      const recordedState = toRecordedState(state);
      const stateWithFlags = [recordedState, ...flags].join(' ');
      if (this.#nodes.get(name) === stateWithFlags) continue;
      remaining -= 1;
      if (remaining < 0) return this.#warnOfNodeChanges();
      this.#nodeChanges += 1;
      this.#nodes.set(name, stateWithFlags);
      const extra = flags.length > 0 ? { flags } : {};
      void this.#append({ kind: 'node', at: now, name, state: recordedState, ...extra, reason, url });
    }
    const present = new Set(nodes.map(({ name }) => name));
    for (const [name, state] of this.#nodes)
      if (!present.has(name) && state !== 'off') {
        remaining -= 1;
        if (remaining < 0) return this.#warnOfNodeChanges();
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

  #appendWatched(): void {
    if (!this.#isRecording) return;
    this.#nodeChanges = 0;
    const now = clock.now();
    const since = now - this.#watchedUntil > maxRecordGapMs || now < this.#watchedUntil ? now : this.#watchedUntil;
    this.#watchedUntil = now;
    void this.#append({ kind: 'watched', at: toIso(now), since: toIso(since) });
  }

  /** Resolves when all observations so far are on disk, or pending because the disk accepts none. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  #append(record: HistoryRecord): Promise<void> {
    const store = this.#store;
    this.#timeline.add(record);
    return this.#queue.run(() => this.#write(record, store));
  }

  async #write(record: HistoryRecord, store: HistoryFile | SharedHistory | null): Promise<void> {
    // A folder that does not respond must not block other work.
    const isWritten = store === null || (await withStorageTimeout(store.append(record)).catch(() => false));
    if (!isWritten) this.#log.debug('A record of the history waits for the disk');
  }
}

/** Ends all spans now: on standby, the current states have no end because the active server still observes them. */
function endSpans(managers: SpansByManager): SpansByManager {
  const now = clock.now();
  return new Map(
    [...managers].map(([key, spans]) => [key, spans.map((span) => ({ ...span, to: Math.min(span.to, now) }))]),
  );
}

/** Maps busy and initializing to ready: the history does not record them, because workflows show them. */
function toRecordedState(state: NodeState): NodeState {
  return state === 'busy' || state === 'initializing' ? 'ready' : state;
}

/** The time of the check that showed the state; an unknown state has none. */
function checkTime(state: ManagerState | 'off', manager: ManagerStatus | undefined, now: string): string {
  return state === 'unknown' || state === 'off' ? now : (manager?.last_checked ?? now);
}
