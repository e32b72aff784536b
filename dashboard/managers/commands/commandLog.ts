/**
 * Records every command that this page sends in the lab's event log. While the event manager does not take a record, it waits in the
 * browser's storage and is sent later with the time of the command. A record has its ID from the start, so none is stored twice.
 */
import { currentTime } from '../../base/clock.ts';
import { useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { monotonicFactory } from 'ulid';
import { watch } from 'vue';
import { newRecord, type RecordFacts } from '../../../api/commandRecord.ts';
import {
  maxPendingRecords,
  nextRecordFor,
  pendingRetryMs,
  readPendingRecords,
  sendRecord,
  type PendingRecord,
} from '../../../api/pendingRecords.ts';
import { eventApi } from '../../../api/managers/event.ts';
import type { Command } from './performCommand.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { useConnection } from '../transport/clients.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';

/** Records of the same millisecond keep their order in the event log. */
const eventId = monotonicFactory();

const storageKey = 'lab-manager.command-log';

/** Records as this page has stored them; nothing of a text that it did not write, or that was cut off, can be sent. */
export function readStored(text: string): PendingRecord[] {
  try {
    const { records, dropped } = readPendingRecords(text);
    if (dropped > 0) console.warn(`${dropped} stored records of commands could not be read`);
    return records;
  } catch (error) {
    console.warn(`The stored records of commands could not be read: ${String(error)}`);
    return [];
  }
}

/** What a caller knows of a command; where and by whom it was sent is added. */
export type CommandFacts = Omit<RecordFacts, 'application' | 'machine'>;

export const useCommandLog = defineStore('commandLog', () => {
  const connection = useConnection(eventApi);
  const history = useLabHistory();
  const time = useManagerTime('event');
  const pending = useLocalStorage<PendingRecord[]>(storageKey, [], {
    serializer: { read: readStored, write: JSON.stringify },
  });
  let isSending = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function remove(id: string): void {
    pending.value = pending.value.filter((each) => each.id !== id);
  }

  /** In the order in which they were sent, one after the other. */
  async function flush(): Promise<void> {
    clearTimeout(retry);
    if (isSending) return;
    isSending = true;
    try {
      for (;;) {
        const manager = connection.value;
        // The demo lab and another lab at this address share the browser's storage: each gets its own records.
        const next = manager === null ? undefined : nextRecordFor(manager.address, pending.value);
        if (manager === null || next === undefined) return;
        const { isDone, failure } = await sendRecord(
          manager.commands,
          next,
          time.known.value ? time.clock.value : null,
          currentTime(),
        );
        if (isDone && failure !== null)
          console.warn(`The event manager refused the record of a command: ${String(failure)}`);
        if (!isDone) {
          retry = setTimeout(() => void flush(), pendingRetryMs);
          return;
        }
        remove(next.id);
      }
    } finally {
      isSending = false;
    }
  }

  /**
   * @param what the command as people read it
   * @returns the record, with the ID of its event
   */
  function record(facts: CommandFacts, what: string): PendingRecord {
    const machine = history.data.value?.client ?? null;
    const lab = connection.value?.address ?? '';
    const recorded = {
      id: eventId(currentTime()),
      lab,
      record: newRecord({ ...facts, application: 'dashboard', machine }, what),
    };
    pending.value = [...pending.value, recorded].slice(-maxPendingRecords);
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
