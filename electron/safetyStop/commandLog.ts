/**
 * Records the commands that the app sends itself in the lab's event log. While the event manager does not take a record, it waits in a
 * file and is sent later with the time of the command, also by the next start.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { ulid } from 'ulid';
import * as z from 'zod';
import { createClient } from '../../api/client/client.ts';
import { commandEvent, commandRecord, isRefusedForGood, newRecord, type RecordFacts } from '../../api/commandRecord.ts';
import { eventApi } from '../../api/managers/event.ts';
import { formatManagerTime } from '../../api/time.ts';
import { errorText, type Log } from '../../server/logging/log.ts';
import { replaceFileSync } from '../preferences/replaceFile.ts';

/** The oldest are dropped beyond this. */
const maxPending = 200;
const retryMs = 30_000;
const deadlineMs = 10_000;
/** A record this young gets its time from the event manager's own clock, in ms. */
const freshMs = 3000;

const pendingFile = z.array(z.object({ id: z.string(), lab: z.string().nullable(), record: commandRecord }));
type Pending = z.infer<typeof pendingFile>[number];

export interface CommandLogWiring {
  /** Whole path of the JSON file in which records wait. */
  readonly path: string;
  /** Address of the lab's event manager now, `null` while it is unknown. */
  readonly eventManager: () => string | null;
  readonly log: Log;
}

export class CommandLog {
  readonly #wiring: CommandLogWiring;
  #pending: readonly Pending[];
  #isSending = false;
  #retry: NodeJS.Timeout | null = null;

  constructor(wiring: CommandLogWiring) {
    this.#wiring = wiring;
    this.#pending = this.#read();
  }

  /**
   * @param what the command as people read it
   * @returns the ID of its event
   */
  record(facts: Omit<RecordFacts, 'application' | 'machine'>, what: string): string {
    const record = newRecord({ ...facts, application: 'desktop app', machine: hostname() }, what);
    const id = ulid();
    this.#wiring.log.info(record.message, { command: record.command });
    this.#keep([...this.#pending, { id, lab: this.#wiring.eventManager(), record }].slice(-maxPending));
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
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        if (await this.#send(next)) this.#keep(this.#pending.filter(({ id }) => id !== next?.id));
        else break;
      }
    } finally {
      this.#isSending = false;
    }
    if (this.#pending.length === 0) return;
    this.#retry = setTimeout(() => void this.flush(), retryMs);
    this.#retry.unref();
  }

  #next(): Pending | undefined {
    const manager = this.#wiring.eventManager();
    return manager === null ? undefined : this.#pending.find(({ lab }) => lab === null || lab === manager);
  }

  /** @returns whether nothing is left to do for it */
  async #send({ id, record }: Pending): Promise<boolean> {
    const manager = this.#wiring.eventManager();
    if (manager === null) return false;
    const sentAt = new Date(record.sent_at);
    const isFresh = Math.abs(Date.now() - sentAt.getTime()) < freshMs;
    // Managers of a lab run on its machine or in its time zone; the record itself has UTC.
    const stamp = isFresh ? null : formatManagerTime(sentAt, 0 - sentAt.getTimezoneOffset());
    try {
      await createClient(eventApi, { baseUrl: manager, deadlineMs }).addEvent({
        body: commandEvent({ id, record }, stamp),
      });
      return true;
    } catch (error) {
      this.#wiring.log.warn(`The event manager did not take the record of a command: ${errorText(error)}`);
      return isRefusedForGood(error);
    }
  }

  #keep(pending: readonly Pending[]): void {
    this.#pending = pending;
    try {
      replaceFileSync(this.#wiring.path, `${JSON.stringify(pending)}\n`);
    } catch (error) {
      this.#wiring.log.warn(`Records of commands could not be saved: ${errorText(error)}`);
    }
  }

  #read(): readonly Pending[] {
    try {
      return pendingFile.parse(JSON.parse(readFileSync(this.#wiring.path, 'utf8')));
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing) this.#wiring.log.warn(`${this.#wiring.path} can't be read: ${errorText(error)}`);
      return [];
    }
  }
}
