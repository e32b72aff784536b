/**
 * Records the commands that the app sends itself in the lab's event log. While the event manager does not take a record, it waits in a
 * file and is sent later with the time of the command, also by the next start.
 */
import { hostname } from 'node:os';
import { monotonicFactory } from 'ulid';
import { createClient } from '../../api/client/client.ts';
import { newRecord, type RecordFacts } from '../../api/commandRecord.ts';
import { eventApi } from '../../api/managers/event.ts';
import {
  maxPendingRecords,
  nextRecordFor,
  pendingRetryMs,
  readPendingRecords,
  sendRecord,
  type PendingRecord,
} from '../../api/pendingRecords.ts';
import type { HostClock } from '../../api/time.ts';
import { errorText, type Log } from '../../server/logging/log.ts';
import { StateFile } from '../../server/stateFile.ts';

/** Records of the same millisecond keep their order in the event log. */
const eventId = monotonicFactory();

const deadlineMs = 10_000;

export interface CommandLogWiring {
  /** Whole path of the JSON file in which records wait. */
  readonly path: string;
  /** Address of the lab's event manager now, `null` while it is unknown. */
  readonly eventManager: () => string | null;
  /** The clock of that manager's host; `null` while its time zone is unknown. */
  readonly clock: () => HostClock | null;
  readonly log: Log;
}

export class CommandLog {
  readonly #wiring: CommandLogWiring;
  readonly #file: StateFile;
  #pending: readonly PendingRecord[] = [];
  #isSending = false;
  #retry: NodeJS.Timeout | null = null;

  constructor(wiring: CommandLogWiring) {
    this.#wiring = wiring;
    this.#file = new StateFile(wiring.path, 'Records of commands', wiring.log);
  }

  get path(): string {
    return this.#file.path;
  }

  /** Takes in the records that the last run could not send. Never rejects. @returns why the file can't be read, `null` when it could */
  load(): Promise<string | null> {
    return this.#file.load((text) => {
      if (text === null) return;
      const { records, dropped } = readPendingRecords(text);
      if (dropped > 0)
        this.#wiring.log.warn(`${dropped} records of commands in ${this.#wiring.path} could not be read`);
      const merged = [...records, ...this.#pending].slice(-maxPendingRecords);
      if (this.#pending.length > 0) this.#keep(merged);
      else this.#pending = merged;
    });
  }

  /**
   * @param what the command as people read it
   * @returns the ID of its event
   */
  record(facts: Omit<RecordFacts, 'application' | 'machine'>, what: string): string {
    const record = newRecord({ ...facts, application: 'desktop app', machine: hostname() }, what);
    const id = eventId();
    this.#wiring.log.info(record.message, { command: record.command });
    this.#keep([...this.#pending, { id, lab: this.#wiring.eventManager() ?? '', record }].slice(-maxPendingRecords));
    void this.flush();
    return id;
  }

  /** Sends what waits, in the order in which it was recorded. Never rejects. */
  async flush(): Promise<void> {
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      // Records of another lab wait until that lab is shown again.
      for (;;) {
        const manager = this.#wiring.eventManager();
        const next = manager === null ? undefined : nextRecordFor(manager, this.#pending);
        if (manager === null || next === undefined) break;
        const client = createClient(eventApi, { baseUrl: manager, deadlineMs });
        const { isDone, failure } = await sendRecord(client, next, this.#wiring.clock(), Date.now());
        if (failure !== null)
          this.#wiring.log.warn(`The event manager did not take the record of a command: ${errorText(failure)}`);
        if (!isDone) break;
        this.#keep(this.#pending.filter(({ id }) => id !== next.id));
      }
    } finally {
      this.#isSending = false;
    }
    if (this.#pending.length === 0) return;
    this.#retry = setTimeout(() => void this.flush(), pendingRetryMs);
    this.#retry.unref();
  }

  #keep(pending: readonly PendingRecord[]): void {
    this.#pending = pending;
    this.#file.save(`${JSON.stringify(pending)}\n`);
  }
}
