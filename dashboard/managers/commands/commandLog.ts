/**
 * Records every command that this page sends in the lab's event log. While the event manager does not take a record, it waits in the
 * browser's storage and is sent later with the time of the command. A record has its ID from the start, so none is stored twice.
 */
import { useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { ulid } from 'ulid';
import { watch } from 'vue';
import * as z from 'zod/mini';
import {
  boundedRecord,
  commandEvent,
  commandRecord,
  isRefusedForGood,
  newRecord,
  type RecordedCommand,
  type RecordFacts,
} from '../../../api/commandRecord.ts';
import { eventApi } from '../../../api/managers/event.ts';
import { formatManagerTime } from '../../../api/time.ts';
import type { Command } from './performCommand.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { useConnection } from '../transport/clients.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';

const storageKey = 'lab-manager.command-log';
/** The oldest are dropped beyond this: browsers keep 5 MB for all. */
const maxPending = 200;
/** Between two attempts while the event manager does not answer, in ms. */
const retryMs = 30_000;
/** A record this young gets its time from the event manager's own clock, in ms. */
const freshMs = 3000;

const storedRecord = z.object({ id: z.string(), lab: z.string(), record: commandRecord });

/** A record as it is stored: with the address of the event manager that it is for, empty where none was known. */
export interface StoredRecord extends RecordedCommand {
  readonly lab: string;
}

/** Records as this page has stored them; one that cannot be read costs no other. */
export function readRecords(text: string): StoredRecord[] {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return [];
    return list.flatMap((each) => {
      const read = storedRecord.safeParse(each);
      const bounded = read.success ? boundedRecord(read.data.id, read.data.record) : null;
      return bounded === null || !read.success ? [] : [{ ...bounded, lab: read.data.lab }];
    });
  } catch {
    // Not written by this page, or cut off: nothing of it can be sent.
    return [];
  }
}

/** What a caller knows of a command; where and by whom it was sent is added. */
export type CommandFacts = Omit<RecordFacts, 'application' | 'machine'>;

export const useCommandLog = defineStore('commandLog', () => {
  const connection = useConnection(eventApi);
  const history = useLabHistory();
  const time = useManagerTime('event');
  const pending = useLocalStorage<StoredRecord[]>(storageKey, [], {
    serializer: { read: readRecords, write: JSON.stringify },
  });
  let isSending = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function remove(id: string): void {
    pending.value = pending.value.filter((each) => each.id !== id);
  }

  /** The demo lab and another lab at this address share the browser's storage: each gets its own records. */
  function nextRecord(): StoredRecord | undefined {
    const address = connection.value?.address;
    return pending.value.find(({ lab }) => lab === '' || lab === address);
  }

  /** In the order in which they were sent, one after the other. */
  async function flush(): Promise<void> {
    clearTimeout(retry);
    if (isSending) return;
    isSending = true;
    try {
      for (let next = nextRecord(); next !== undefined; next = nextRecord()) {
        const manager = connection.value;
        if (manager === null) return;
        if (!(await send(manager.commands, next))) {
          retry = setTimeout(() => void flush(), retryMs);
          return;
        }
        remove(next.id);
      }
    } finally {
      isSending = false;
    }
  }

  /** @returns whether nothing is left to do for it */
  async function send(
    client: NonNullable<typeof connection.value>['commands'],
    recorded: RecordedCommand,
  ): Promise<boolean> {
    const sentAt = new Date(recorded.record.sent_at);
    const isFresh = Math.abs(Date.now() - sentAt.getTime()) < freshMs;
    try {
      const stamp = isFresh ? null : formatManagerTime(sentAt, time.offset.value);
      await client.addEvent({ body: commandEvent(recorded, stamp) });
      return true;
    } catch (error) {
      const isRefused = isRefusedForGood(error);
      if (isRefused) console.warn(`The event manager refused the record of a command: ${String(error)}`);
      return isRefused;
    }
  }

  /**
   * @param what the command as people read it
   * @returns the record, with the ID of its event
   */
  function record(facts: CommandFacts, what: string): StoredRecord {
    const machine = history.data.value?.client ?? null;
    const lab = connection.value?.address ?? '';
    const recorded = { id: ulid(), lab, record: newRecord({ ...facts, application: 'dashboard', machine }, what) };
    pending.value = [...pending.value, recorded].slice(-maxPending);
    void flush();
    return recorded;
  }

  /** @param what as people read it: `Pause “Growth assay”` */
  function recordCommand(
    { verb, target }: Pick<Command<unknown>, 'verb' | 'target'>,
    what: string,
    { sentAt, durationMs }: { readonly sentAt: number; readonly durationMs: number },
    { state, words }: { readonly state: CommandFacts['result']; readonly words: string },
  ): void {
    const facts: CommandFacts = {
      command: verb
        .toLowerCase()
        .replaceAll(/[^a-z]+/g, '_')
        .replaceAll(/^_|_$/g, ''),
      target: { ...target, id: target.id === '' ? null : target.id },
      result: state,
      reason: words,
      sent_at: new Date(sentAt).toISOString(),
      duration_ms: durationMs,
    };
    record(facts, what);
  }

  // What an earlier page left, and what waited for the event manager.
  watch(
    () => [connection.value?.address, history.data.value?.managers.find(({ manager }) => manager === 'event')?.state],
    () => void flush(),
    { immediate: true },
  );

  return { record, recordCommand, pending };
});
