/**
 * Records of commands that wait until the event manager takes them. A record has its ID from the start, so that sending it again
 * stores nothing twice.
 */
import * as z from 'zod/mini';
import type { Client } from './client/client.ts';
import { boundedRecord, commandEvent, commandRecord, isRefusedForGood, type RecordedCommand } from './commandRecord.ts';
import type { eventApi } from './managers/event.ts';
import { hostStamp, type HostClock } from './time/time.ts';

/** The oldest are dropped beyond this: browsers keep 5 MB for all. */
export const maxPendingRecords = 200;
/** Between two attempts while the event manager does not answer, in ms. */
const pendingRetryMs = 30_000;
/** A record this young gets its time from the event manager's own clock, in ms. */
const freshMs = 3000;
/** How long after the start of a program late records wait for the manager's time zone to be measured, and how often it is checked, in ms. */
const maxZoneWaitMs = 60_000;
const zoneRetryMs = 2000;

const storedRecord = z.object({ id: z.string(), lab: z.nullable(z.string()), record: commandRecord });

/** A record with the address of the event manager that it is for; empty where none was known: it is for the next one. */
export interface PendingRecord extends RecordedCommand {
  readonly lab: string;
}

/**
 * The records in a stored text, a JSON list. One that cannot be read costs no other.
 * @returns the records, and how many entries were left out
 * @throws SyntaxError for a text that is no JSON
 */
export function readPendingRecords(text: string): { readonly records: PendingRecord[]; readonly dropped: number } {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return { records: [], dropped: 1 };
  const records = list.flatMap((each) => {
    const read = storedRecord.safeParse(each);
    if (!read.success) return [];
    const bounded = boundedRecord(read.data.id, read.data.record);
    return bounded === null ? [] : [{ ...bounded, lab: read.data.lab ?? '' }];
  });
  return { records, dropped: list.length - records.length };
}

/** The oldest record that is for the lab whose event manager is at `address`. */
function nextRecordFor(address: string, pending: readonly PendingRecord[]): PendingRecord | undefined {
  return pending.find(({ lab }) => lab === '' || lab === address);
}

/** What an application adds to the records that it keeps: where they are, and how they reach the event manager. */
export interface PendingWiring {
  /** Those that wait, oldest first. */
  readonly pending: () => readonly PendingRecord[];
  readonly remove: (id: string) => void;
  /** The lab's event manager now, `null` while it is unknown. */
  readonly manager: () => {
    readonly address: string;
    readonly client: Pick<Client<typeof eventApi>, 'addEvent'>;
  } | null;
  /** As `sendRecord` has it. */
  readonly clock: () => HostClock | null;
  readonly now: () => number;
  /** The manager did not take a record, and never will where `isDone`. */
  readonly onFailure: (failure: unknown, isDone: boolean) => void;
}

/** Sends the records that wait, one after the other, and again while the event manager takes none. */
export class PendingSender {
  readonly #wiring: PendingWiring;
  readonly #startedAt: number;
  #sending: Promise<void> | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(wiring: PendingWiring) {
    this.#wiring = wiring;
    this.#startedAt = wiring.now();
  }

  /**
   * In the order in which they were recorded; records of another lab wait until that lab is shown again. Concurrent calls share one
   * pass. Never rejects.
   */
  flush(): Promise<void> {
    clearTimeout(this.#retry);
    this.#sending ??= this.#pass().finally(() => (this.#sending = null));
    return this.#sending;
  }

  async #pass(): Promise<void> {
    let retryMs = pendingRetryMs;
    for (;;) {
      const manager = this.#wiring.manager();
      const next = manager === null ? undefined : nextRecordFor(manager.address, this.#wiring.pending());
      if (manager === null || next === undefined) break;
      const [clock, now] = [this.#wiring.clock(), this.#wiring.now()];
      if (clock === null && isLate(next, now) && now - this.#startedAt < maxZoneWaitMs) {
        retryMs = zoneRetryMs;
        break;
      }
      const { isDone, failure } = await sendRecord(manager.client, next, clock, now);
      if (failure !== null) this.#wiring.onFailure(failure, isDone);
      if (!isDone) break;
      this.#wiring.remove(next.id);
    }
    if (this.#wiring.pending().length === 0) return;
    this.#retry = setTimeout(() => void this.flush(), retryMs);
    // A program of Node's that has nothing else to do ends: what waits is stored.
    if (typeof this.#retry === 'object') this.#retry.unref();
  }
}

function isLate({ record }: RecordedCommand, now: number): boolean {
  return Math.abs(now - Date.parse(record.sent_at)) >= freshMs;
}

/**
 * Sends one record.
 * @param clock of the event manager's host, for a record that is sent later than its command; `null` while its time zone is unknown:
 *   then the manager gives it the time of its arrival
 * @param now ms since the epoch, by the clock of `sent_at`
 * @returns `failure`: why the manager did not take it; `isDone`: nothing is left to do for it
 */
async function sendRecord(
  client: Pick<Client<typeof eventApi>, 'addEvent'>,
  recorded: RecordedCommand,
  clock: HostClock | null,
  now: number,
): Promise<{ readonly isDone: boolean; readonly failure: unknown }> {
  try {
    const stamp =
      clock === null || !isLate(recorded, now) ? null : hostStamp(Date.parse(recorded.record.sent_at), clock);
    await client.addEvent({ body: commandEvent(recorded, stamp) });
    return { isDone: true, failure: null };
  } catch (failure) {
    return { isDone: isRefusedForGood(failure), failure };
  }
}
