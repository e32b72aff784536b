/**
 * Records of commands that the event manager has not accepted yet. A record has its ID from the start, so that sending it
 * again stores no duplicate.
 */
import * as z from 'zod/mini';
import { clock, type Timer } from './time/clock.ts';
import type { Client } from './client/client.ts';
import {
  limitRecord,
  createCommandEvent,
  commandRecord,
  isRejectedPermanently,
  type RecordedCommand,
} from './commandRecord.ts';
import type { eventApi } from './managers/event.ts';
import { hostStamp, type HostClock } from './time/time.ts';

/** Above this number the oldest are dropped: browsers have 5 MB in total. */
export const maxPendingRecords = 200;
/** Retry interval while records are pending, in ms. */
const pendingRetryMs = 30_000;
/** Records below this age, in ms, get their time from the event manager's own clock. */
const freshMs = 3000;
/** How long after the start of a program late records wait until the manager's time zone is known, in ms. */
const maxZoneWaitMs = 60_000;
/** Retry interval during this wait, in ms. */
const zoneRetryMs = 2000;

const storedRecord = z.object({ id: z.string(), lab: z.nullable(z.string()), record: commandRecord });

/** A record with the address of its event manager; empty if it was unknown: the next known event manager receives it. */
export interface PendingRecord extends RecordedCommand {
  readonly lab: string;
}

/**
 * The records in a stored text, a JSON list. An invalid one is skipped.
 * @returns the records, and the number of skipped entries
 * @throws SyntaxError for invalid JSON
 */
export function readPendingRecords(text: string): { readonly records: PendingRecord[]; readonly dropped: number } {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return { records: [], dropped: 1 };
  const records = list.flatMap((entry) => {
    const read = storedRecord.safeParse(entry);
    if (!read.success) return [];
    const limitedRecord = limitRecord(read.data.id, read.data.record);
    return limitedRecord === null ? [] : [{ ...limitedRecord, lab: read.data.lab ?? '' }];
  });
  return { records, dropped: list.length - records.length };
}

/** The oldest record for the lab with the event manager at `address`. */
function findNextRecord(address: string, pending: readonly PendingRecord[]): PendingRecord | undefined {
  return pending.find(({ lab }) => lab === '' || lab === address);
}

/** The application's storage of the records and its connection to the event manager. */
export interface PendingDependencies {
  /** The pending records, oldest first. */
  readonly pending: () => readonly PendingRecord[];
  readonly remove: (id: string) => void;
  /** The lab's current event manager, `null` while it is unknown. */
  readonly manager: () => {
    readonly address: string;
    readonly client: Pick<Client<typeof eventApi>, 'addEvent'>;
  } | null;
  /** The clock for `sendRecord`. */
  readonly clock: () => HostClock | null;
  readonly now: () => number;
  /** Called when the manager did not accept a record. `isDone`: it never will, so the record is dropped. */
  readonly onFailure: (failure: unknown, isDone: boolean) => void;
}

/** Sends the pending records in order, and retries while any are left, until it is stopped. */
export class PendingSender {
  readonly #dependencies: PendingDependencies;
  readonly #startedAt: number;
  #sending: Promise<void> | null = null;
  #retry: Timer | undefined;
  readonly #end = new AbortController();

  constructor(dependencies: PendingDependencies) {
    this.#dependencies = dependencies;
    this.#startedAt = dependencies.now();
  }

  /**
   * Sends records in order; those of another lab wait until that lab is shown again. Concurrent calls share one pass.
   * Never rejects.
   */
  flush(): Promise<void> {
    clock.clearTimeout(this.#retry);
    this.#sending ??= this.#pass().finally(() => (this.#sending = null));
    return this.#sending;
  }

  /** Ends the request and the retries; the records that are left stay stored. */
  stop(): void {
    this.#end.abort();
    clock.clearTimeout(this.#retry);
  }

  async #pass(): Promise<void> {
    let retryMs = pendingRetryMs;
    for (;;) {
      const manager = this.#dependencies.manager();
      const next = manager === null ? undefined : findNextRecord(manager.address, this.#dependencies.pending());
      if (manager === null || next === undefined) break;
      const [hostClock, now] = [this.#dependencies.clock(), this.#dependencies.now()];
      if (hostClock === null && isLate(next, now) && now - this.#startedAt < maxZoneWaitMs) {
        retryMs = zoneRetryMs;
        break;
      }
      const { isDone, failure } = await sendRecord(manager.client, next, hostClock, now, this.#end.signal);
      if (this.#end.signal.aborted && !isDone) return;
      if (failure !== null) this.#dependencies.onFailure(failure, isDone);
      if (!isDone) break;
      this.#dependencies.remove(next.id);
    }
    if (this.#end.signal.aborted || this.#dependencies.pending().length === 0) return;
    this.#retry = clock.setTimeout(() => void this.flush(), retryMs);
    // Do not keep a Node process alive: the pending records are stored.
    if (typeof this.#retry === 'object') this.#retry.unref();
  }
}

function isLate({ record }: RecordedCommand, now: number): boolean {
  return Math.abs(now - Date.parse(record.sent_at)) >= freshMs;
}

/**
 * Sends one record.
 * @param hostClock of the event manager's host, for a record that is sent later than its command; `null` while its time zone
 * is unknown: then the manager sets the time of arrival
 * @param now ms since the epoch, by the clock of `sent_at`
 * @returns `failure`: why the manager did not accept it; `isDone`: the record needs no further attempt
 */
async function sendRecord(
  client: Pick<Client<typeof eventApi>, 'addEvent'>,
  recorded: RecordedCommand,
  hostClock: HostClock | null,
  now: number,
  signal: AbortSignal,
): Promise<{ readonly isDone: boolean; readonly failure: unknown }> {
  try {
    const stamp =
      hostClock === null || !isLate(recorded, now) ? null : hostStamp(Date.parse(recorded.record.sent_at), hostClock);
    await client.addEvent({ body: createCommandEvent(recorded, stamp) }, { signal });
    return { isDone: true, failure: null };
  } catch (failure) {
    return { isDone: isRejectedPermanently(failure), failure };
  }
}
