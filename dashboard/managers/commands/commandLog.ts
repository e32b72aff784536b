/**
 * Records every command that this page sends in the lab's event log. While the event manager does not take a record, it waits in the
 * browser's storage and is sent later with the time of the command. A record has its ID from the start, so none is stored twice.
 */
import { currentTime } from '../../base/clock.ts';
import { useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { monotonicFactory } from 'ulid';
import { watch } from 'vue';
import { commandName, newRecord, type BatchTarget, type CommandFacts } from '../../../api/commandRecord.ts';
import {
  maxPendingRecords,
  PendingSender,
  readPendingRecords,
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

export const useCommandLog = defineStore('commandLog', () => {
  const connection = useConnection(eventApi);
  const history = useLabHistory();
  const time = useManagerTime('event');
  const pending = useLocalStorage<PendingRecord[]>(storageKey, [], {
    serializer: { read: readStored, write: JSON.stringify },
  });
  const sender = new PendingSender({
    pending: () => pending.value,
    remove: (id) => (pending.value = pending.value.filter((each) => each.id !== id)),
    // The demo lab and another lab at this address share the browser's storage: each gets its own records.
    manager: () =>
      connection.value === null ? null : { address: connection.value.address, client: connection.value.commands },
    clock: () => (time.known.value ? time.clock.value : null),
    now: currentTime,
    onFailure: (failure, isDone) => {
      if (isDone) console.warn(`The event manager refused the record of a command: ${String(failure)}`);
    },
  });

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
    void sender.flush();
    return recorded;
  }

  /** @param what as people read it: `Pause “Growth assay”` */
  function recordCommand(
    { verb, target }: Pick<Command<unknown>, 'verb' | 'target'>,
    what: string,
    { sentAt, durationMs }: { readonly sentAt: number; readonly durationMs: number },
    { state, text }: { readonly state: CommandFacts['result']; readonly text: string },
    targets?: readonly BatchTarget[],
  ): void {
    const facts: CommandFacts = {
      command: commandName(verb),
      target: { ...target, id: target.id === '' ? null : target.id },
      result: state,
      reason: text,
      sent_at: new Date(sentAt).toISOString(),
      duration_ms: durationMs,
      ...(targets && { targets: [...targets] }),
    };
    record(facts, what);
  }

  // What an earlier page left, and what waited for the event manager.
  watch(
    () => [connection.value?.address, history.data.value?.managers.find(({ manager }) => manager === 'event')?.state],
    () => void sender.flush(),
    { immediate: true },
  );

  return { record, recordCommand, pending };
});
