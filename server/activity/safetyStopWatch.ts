/**
 * Reads the safety stops that are recorded in the lab's event log, so that every page, tray and wall screen shows a lab that is
 * stopped, whoever stopped it. While the event manager does not answer, the records read last and the nodes' own flags count.
 */
import { recordedIn, stopSelector, type RecordedCommand } from '../../api/commandRecord.ts';
import {
  currentStop,
  stopInEffect,
  undoneStop,
  type FlagReading,
  type LabStop,
  type StopContext,
} from '../../api/safetyStop/labStop.ts';
import { formatManagerTime } from '../../api/time/time.ts';
import type { requestJson } from '../net/askJson.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import type { Log } from '../logging/log.ts';
import { ManagerReader } from './managerReader.ts';

const everyMs = 5000;
/** A stop that nobody released or acknowledged is shown for a week; a day more, because event times have no zone. */
const windowMs = 8 * 24 * 3_600_000;

/** Records of a week in a lab of 500 nodes, in bytes. */
const maxAnswerBytes = 32 * 1024 * 1024;
const maxRecords = 200;

/** The manager answers in the order of storing. Whatever else somebody has stored must not push the newest records out. */
function newestRecords(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([, event]) => recordedIn(event) !== null)
      .slice(-maxRecords),
  );
}

export interface SafetyStopWatchOptions {
  /** Address of the event manager now, `null` where the lab has none. */
  readonly eventManager: () => string | null;
  /** The nodes' flags as read last; `null` while they are unknown. */
  readonly flags: () => FlagReading | null;
  readonly onChange: () => void;
  /** Between two checks of a manager, in ms: nothing is asked more often. */
  readonly intervalMs: () => number;
  readonly log: Log;
  readonly request?: typeof requestJson;
}

export class SafetyStopWatch {
  readonly #options: SafetyStopWatchOptions;
  readonly #reader: ManagerReader;
  /** The records of the event log, and the address of the manager that they were read from; `null` before the first answer. */
  #log: { readonly manager: string; readonly records: readonly RecordedCommand[] } | null = null;
  /** IDs of stops that were undone by other programs or at the instruments. */
  readonly #undone = new Set<string>();
  #isFailing = false;

  constructor(options: SafetyStopWatchOptions) {
    this.#options = options;
    this.#reader = new ManagerReader({
      path: () => 'events/query',
      requestOptions: () => ({
        query: stopSelector(formatManagerTime(new Date(Date.now() - windowMs), 'UTC')),
        maxBytes: maxAnswerBytes,
        essentials: newestRecords,
      }),
      everyMs,
      address: options.eventManager,
      minIntervalMs: options.intervalMs,
      onAnswer: (body, manager) => this.#take(body, manager),
      onFailure: (reason) => this.#fail(reason),
      request: options.request,
    });
  }

  /** Begins an interval from now: the managers are asked for their health first. */
  start(): void {
    this.#reader.startIn(Math.max(everyMs, this.#options.intervalMs()));
  }

  stop(): void {
    this.#reader.stop();
  }

  /** The stop that is neither released nor acknowledged, `null` where there is none. */
  get current(): LabStop | null {
    return currentStop(this.#records, this.#context());
  }

  /** Whether the log of the event manager that the lab has now was read. */
  get isRead(): boolean {
    return this.#log !== null && this.#log.manager === this.#options.eventManager();
  }

  /** Those of another lab's event manager say nothing of this one. */
  get #records(): readonly RecordedCommand[] {
    return this.isRead ? (this.#log?.records ?? []) : [];
  }

  /** The stop that is acknowledged and not released, `null` where there is none. */
  get held(): LabStop | null {
    return this.current === null ? stopInEffect(this.#records, this.#context()) : null;
  }

  #context(): StopContext {
    return { flags: this.#options.flags(), now: Date.now(), undone: this.#undone };
  }

  #take(body: JsonObject, manager: string): true {
    this.#isFailing = false;
    const before = JSON.stringify([this.isRead, this.current, this.held]);
    this.#log = { manager, records: Object.values(body).flatMap((event) => recordedIn(event) ?? []) };
    const undone = undoneStop(this.#records, this.#options.flags());
    if (undone !== null) this.#undone.add(undone);
    if (JSON.stringify([this.isRead, this.current, this.held]) !== before) this.#options.onChange();
    return true;
  }

  #fail(reason: string): void {
    if (!this.#isFailing) this.#options.log.warn('The safety stops in the event log could not be read', { reason });
    this.#isFailing = true;
  }
}
