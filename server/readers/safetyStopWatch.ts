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
  type LabStop,
  type StopContext,
} from '../../api/safetyStop/labStop.ts';
import { formatManagerTime } from '../../api/time/time.ts';
import type { requestJson } from '../net/requestJson.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import type { LabModel } from '../lab/labModel.ts';
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

export class SafetyStopWatch {
  readonly #lab: LabModel;
  readonly #log: Log;
  readonly #reader: ManagerReader;
  #isFailing = false;

  constructor(lab: LabModel, log: Log, request?: typeof requestJson) {
    this.#lab = lab;
    this.#log = log;
    this.#reader = new ManagerReader({
      address: () => lab.address('event'),
      next: () => ({
        path: 'events/query',
        query: stopSelector(formatManagerTime(new Date(clock.now() - windowMs), 'UTC')),
        maxBytes: maxResponseBytes,
        reduce: newestRecords,
        intervalMs: pollIntervalMs,
        minIntervalMs: lab.intervalMs,
      }),
      onResult: (result, manager) =>
        result.ok ? this.#applyResponse(result.body, manager) : this.#fail(result.reason),
      request,
    });
  }

  /** Starts polling after an interval, so that the managers' health is checked first. */
  start(): void {
    this.#reader.startIn(Math.max(pollIntervalMs, this.#lab.intervalMs));
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
    return findUndoneStop(this.#records, this.#lab.flags());
  }

  /** Records of another lab do not apply to this one. */
  get #records(): readonly RecordedCommand[] {
    const lab = this.#lab;
    const names = new Set((lab.knownNodes?.nodes ?? []).map(({ name }) => name));
    return (lab.currentStopLog?.records ?? []).filter(({ record }) => isOfLab(record, lab.address('workcell'), names));
  }

  /** The newest stop of the log, released or not; `null` if there is none. */
  get last(): Pick<LabStop, 'at' | 'machine'> | null {
    const record = findLastStopRecord(this.#records);
    return record === null ? null : { at: record.sent_at, machine: record.machine };
  }

  #context(undone: ReadonlySet<string>): StopContext {
    return { flagReading: this.#lab.flags(), now: clock.now(), undone };
  }

  #applyResponse(body: JsonObject, manager: string): true {
    this.#isFailing = false;
    const records = Object.values(body).flatMap((event) => readRecordedCommand(event) ?? []);
    this.#lab.stopLog.value = { manager, records };
    return true;
  }

  #fail(reason: string): false {
    if (!this.#isFailing) this.#log.warn('The safety stops in the event log could not be read', { reason });
    this.#isFailing = true;
    return false;
  }
}
