/**
 * Reads the safety stops in the lab's event log, so that every page, tray and wall screen shows a stopped lab, regardless
 * of the sender. While the event manager does not respond, the last records and the nodes' own flags count.
 */
import { clock } from '../../api/time/clock.ts';
import { readRecordedCommand, stopCommands, stopSelector, type RecordedCommand } from '../../api/commandRecord.ts';
import {
  closesStop,
  findLastStopRecord,
  findStopInEffect,
  findUndoneStop,
  isOfLab,
  type FlagReading,
  type LabStop,
  type StopContext,
} from '../../api/safetyStop/labStop.ts';
import { formatManagerTime } from '../../api/time/time.ts';
import type { requestJson } from '../net/requestJson.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import type { Log } from '../logging/log.ts';
import { ManagerReader } from './managerReader.ts';

const pollIntervalMs = 5000;
/** The age of the oldest record to read, in ms: a week, plus a day because event times have no zone. */
const windowMs = 8 * 24 * 3_600_000;

/** The size of a week's records in a lab of 500 nodes, in bytes. */
const maxResponseBytes = 32 * 1024 * 1024;
const maxRecords = 200;

/** Reduces the response to the newest command records; the manager returns all records in storage order. */
function newestRecords(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([, event]) => readRecordedCommand(event) !== null)
      .slice(-maxRecords),
  );
}

export interface SafetyStopWatchOptions {
  /** Current address of the event manager, `null` if the lab has none. */
  readonly eventManager: () => string | null;
  /** The workcell manager of this lab, and the names of its known nodes. */
  readonly lab: () => { readonly workcell: string | null; readonly nodeNames: readonly string[] };
  /** The last read flags of the nodes; `null` while they are unknown. */
  readonly flags: () => FlagReading | null;
  /** Called after each reading. */
  readonly onRead: () => void;
  /** The check interval of a manager in ms, the minimum for every poll. */
  readonly intervalMs: () => number;
  readonly log: Log;
  readonly request?: typeof requestJson;
}

export class SafetyStopWatch {
  readonly #options: SafetyStopWatchOptions;
  readonly #reader: ManagerReader;
  /** The records of the event log, and the address of their manager; `null` before the first response. */
  #eventLog: { readonly manager: string; readonly records: readonly RecordedCommand[] } | null = null;
  #isFailing = false;

  constructor(options: SafetyStopWatchOptions) {
    this.#options = options;
    this.#reader = new ManagerReader({
      path: () => 'events/query',
      requestOptions: () => ({
        query: stopSelector(formatManagerTime(new Date(clock.now() - windowMs), 'UTC')),
        maxBytes: maxResponseBytes,
        reduce: newestRecords,
      }),
      intervalMs: pollIntervalMs,
      address: options.eventManager,
      minIntervalMs: options.intervalMs,
      onResponse: (body, manager) => this.#applyResponse(body, manager),
      onFailure: (reason) => this.#fail(reason),
      request: options.request,
    });
  }

  /** Starts polling after an interval, so that the managers' health is checked first. */
  start(): void {
    this.#reader.startIn(Math.max(pollIntervalMs, this.#options.intervalMs()));
  }

  stop(): void {
    this.#reader.stop();
  }

  /** Reads the event log now; a response after `ms` is dropped. */
  readWithin(ms: number): Promise<void> {
    return this.#reader.readWithin(ms);
  }

  /**
   * The stop that is not released, acknowledged or not; `null` if there is none.
   * @param ended IDs of stops that are over
   */
  stopInEffect(ended: ReadonlySet<string>): LabStop | null {
    return findStopInEffect(this.#records, this.#context(ended));
  }

  /** Whether the stop in effect is acknowledged. */
  isAcknowledged(id: string): boolean {
    return this.#records.some(({ record }) => record.command === stopCommands.acknowledge && record.stop_id === id);
  }

  /** When the recorded release that reached every node began, in ms since the epoch; `null` without one. */
  releasedAt(id: string): number | null {
    const release = this.#records.find(
      (command) => command.record.command === stopCommands.release && closesStop(command, id),
    );
    return release === undefined ? null : Date.parse(release.record.sent_at);
  }

  /** The stop whose nodes were all reset by other programs or at the instruments; `null` if there is none. */
  get undoneStop(): string | null {
    return findUndoneStop(this.#records, this.#options.flags());
  }

  /** Whether the log of the lab's current event manager was read. */
  get isRead(): boolean {
    return this.#eventLog !== null && this.#eventLog.manager === this.#options.eventManager();
  }

  /** Records of another lab, or of its event manager, do not apply to this one. */
  get #records(): readonly RecordedCommand[] {
    if (!this.isRead || this.#eventLog === null) return [];
    const { workcell, nodeNames } = this.#options.lab();
    const names = new Set(nodeNames);
    return this.#eventLog.records.filter(({ record }) => isOfLab(record, workcell, names));
  }

  /** The newest stop of the log, released or not; `null` if there is none. */
  get last(): Pick<LabStop, 'at' | 'machine'> | null {
    const record = findLastStopRecord(this.#records);
    return record === null ? null : { at: record.sent_at, machine: record.machine };
  }

  #context(undone: ReadonlySet<string>): StopContext {
    return { flagReading: this.#options.flags(), now: clock.now(), undone };
  }

  #applyResponse(body: JsonObject, manager: string): true {
    this.#isFailing = false;
    this.#eventLog = { manager, records: Object.values(body).flatMap((event) => readRecordedCommand(event) ?? []) };
    this.#options.onRead();
    return true;
  }

  #fail(reason: string): void {
    if (!this.#isFailing) this.#options.log.warn('The safety stops in the event log could not be read', { reason });
    this.#isFailing = true;
  }
}
