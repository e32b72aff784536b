/**
 * Reads the safety stops that are recorded in the lab's event log, so that every page, tray and wall screen shows a lab that is
 * stopped, whoever stopped it. While the event manager does not answer, the records read last and the nodes' own flags count.
 */
import { recordedIn, stopSelector, type RecordedCommand } from '../../api/commandRecord.ts';
import {
  currentStop,
  heldStop,
  undoneStop,
  type FlagReading,
  type LabStop,
  type StopContext,
} from '../../api/safetyStop/labStop.ts';
import { formatManagerTime } from '../../api/time/time.ts';
import { askJson } from '../net/askJson.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import { baseUrl } from '../../api/hosts.ts';
import type { Log } from '../logging/log.ts';

const leastIntervalMs = 5000;
const failedIntervalMs = 30_000;
const timeoutMs = 8000;
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
  readonly ask?: typeof askJson;
}

export class SafetyStopWatch {
  readonly #options: SafetyStopWatchOptions;
  readonly #ask: typeof askJson;
  #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** The records of the event log, and the address of the manager that they were read from; `null` before the first answer. */
  #log: { readonly manager: string; readonly records: readonly RecordedCommand[] } | null = null;
  /** IDs of stops that were undone by other programs or at the instruments. */
  readonly #undone = new Set<string>();
  #isFailing = false;

  constructor(options: SafetyStopWatchOptions) {
    this.#options = options;
    this.#ask = options.ask ?? askJson;
  }

  /** Begins an interval from now: the managers are asked for their health first. */
  start(): void {
    this.#stopped = new AbortController();
    this.#after(leastIntervalMs);
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
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
    return this.current === null ? heldStop(this.#records, this.#context()) : null;
  }

  #context(): StopContext {
    return { flags: this.#options.flags(), now: Date.now(), undone: this.#undone };
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#stopped;
    const isRead = await this.#read(signal);
    if (signal.aborted) return;
    this.#after(isRead ? leastIntervalMs : failedIntervalMs);
  }

  #after(ms: number): void {
    this.#timer = setTimeout(() => void this.#repeat(), Math.max(ms, this.#options.intervalMs()));
  }

  /** @returns whether the event manager answered */
  async #read(signal: AbortSignal): Promise<boolean> {
    const manager = this.#options.eventManager();
    if (manager === null) return true;
    const since = formatManagerTime(new Date(Date.now() - windowMs), 'UTC');
    const answer = await this.#ask(new URL('events/query', baseUrl(manager)).href, timeoutMs, signal, {
      query: stopSelector(since),
      maxBytes: maxAnswerBytes,
      essentials: newestRecords,
    });
    if (signal.aborted || manager !== this.#options.eventManager()) return false;
    if (!answer.ok && !this.#isFailing)
      this.#options.log.warn('The safety stops in the event log could not be read', { reason: answer.reason });
    this.#isFailing = !answer.ok;
    if (!answer.ok) return false;
    const before = JSON.stringify([this.isRead, this.current, this.held]);
    this.#log = { manager, records: Object.values(answer.body).flatMap((event) => recordedIn(event) ?? []) };
    const undone = undoneStop(this.#records, this.#options.flags());
    if (undone !== null) this.#undone.add(undone);
    if (JSON.stringify([this.isRead, this.current, this.held]) !== before) this.#options.onChange();
    return true;
  }
}
