/**
 * Records every command that this page sends in the lab's event log. Records that the event manager doesn't accept yet
 * wait in the browser's storage; their IDs are fixed from the start, so that none is stored twice.
 */
import { definePageState } from '../../base/pageState.ts';
import { currentTime } from '../../base/clock.ts';
import { useQueryClient } from '@tanstack/vue-query';
import { useLocalStorage } from '@vueuse/core';
import { monotonicFactory } from 'ulid';
import { onScopeDispose, watch } from 'vue';
import { toCommandName, createRecord, type BatchTarget, type CommandFields } from '#api/commandRecord.ts';
import { maxPendingRecords, PendingSender, readPendingRecords, type PendingRecord } from '#api/pendingRecords.ts';
import { managerKeys } from '#api/managers.ts';
import { eventApi } from '#api/managers/event.ts';
import type { Command } from './performCommand.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { useSession } from '../lab/session.ts';
import { useConnection, useRelayCommandClient } from '../transport/clients.ts';
import { invalidateManagerQueries } from '../transport/poll/queryKey.ts';
import { useRoutes } from '../transport/relay/routes.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';

/** Monotonic IDs preserve the order of records within the same millisecond. */
const createEventId = monotonicFactory();

const storageKey = 'lab-manager.command-log';

/** Reads the records that this page stored; invalid or truncated text yields no records to send. */
function parseStoredRecords(text: string): PendingRecord[] {
  try {
    const { records, dropped } = readPendingRecords(text);
    if (dropped > 0) console.warn(`${dropped} stored records of commands could not be read`);
    return records;
  } catch (error) {
    console.warn(`The stored records of commands could not be read: ${String(error)}`);
    return [];
  }
}

/**
 * Returns a function that returns the client of the relay, or `null` if the relay may not forward commands of this
 * page, or this page reaches every manager without it. The relay adds the verified user and the forwarded request to
 * each record.
 */
function useRelayClient() {
  const { relayAccess, findRoute } = useRoutes();
  const getRelayClient = useRelayCommandClient(eventApi);
  return () => {
    const { value } = relayAccess;
    const isAllowed = value?.remote_access === 'operate' && value.role !== null && value.role !== 'viewer';
    return isAllowed && managerKeys.some((key) => findRoute(key) === 'relay') ? getRelayClient() : null;
  };
}

type SentCommand = Pick<Command<unknown>, 'verb' | 'target'>;
type SentDetails = [
  timing: { readonly sentAt: number; readonly durationMs: number },
  outcome: { readonly state: CommandFields['result']; readonly text: string },
  targets?: readonly BatchTarget[],
];

function toCommandFields(
  { verb, target }: SentCommand,
  ...[timing, { state, text }, targets]: SentDetails
): CommandFields {
  return {
    command: toCommandName(verb),
    target: { ...target, id: target.id === '' ? null : target.id },
    result: state,
    reason: text,
    sent_at: new Date(timing.sentAt).toISOString(),
    duration_ms: timing.durationMs,
    ...(targets && { targets: [...targets] }),
  };
}

/** Returns a function that returns the name of the signed-in user; `undefined` if none is signed in. */
function useUserName() {
  const { session } = useSession();
  return () => {
    const user = session.value?.user ?? null;
    return user?.via === 'loopback' || user?.via === 'app' ? undefined : user?.name;
  };
}

export const useCommandLog = definePageState(() => {
  const connection = useConnection(eventApi);
  const queries = useQueryClient();
  const history = useLabHistory();
  const time = useManagerTime('event');
  const pending = useLocalStorage<PendingRecord[]>(storageKey, [], {
    serializer: { read: parseStoredRecords, write: JSON.stringify },
  });
  const relayClient = useRelayClient();
  const userName = useUserName();
  const sender = new PendingSender({
    pending: () => pending.value,
    remove: (id) => {
      pending.value = pending.value.filter((pendingRecord) => pendingRecord.id !== id);
      // Lists of changes and events contain the record, and the event of the manager that executed the command.
      void invalidateManagerQueries(queries, ['manager', 'event'], ({ queryKey }) => queryKey[3] === 'queryEvents');
    },
    // The demo lab and another lab at this address share the browser's storage, so each record is sent only to its own
    // lab.
    manager: () =>
      connection.value === null
        ? null
        : { address: connection.value.address, client: relayClient() ?? connection.value.commands },
    clock: () => (time.isZoneKnown.value ? time.clock.value : null),
    now: currentTime,
    onFailure: (failure, isDone) => {
      if (isDone) console.warn(`The event manager refused the record of a command: ${String(failure)}`);
    },
  });

  onScopeDispose(() => sender.stop());

  /**
   * @param commandText the command's display text
   * @param isSentHere false if another part of the system sends the record
   * @returns the record, with the ID of its event
   */
  function record(facts: CommandFields, commandText: string, isSentHere = true): PendingRecord {
    const user = userName();
    const lab = connection.value?.address ?? '';
    const recorded = {
      id: createEventId(currentTime()),
      lab,
      record: createRecord(
        { ...facts, application: 'dashboard', machine: history.data.value?.client ?? null, ...(user && { user }) },
        commandText,
      ),
    };
    if (!isSentHere) return recorded;
    pending.value = [...pending.value, recorded].slice(-maxPendingRecords);
    void sender.flush();
    return recorded;
  }

  /** @param commandText the command's display text: `Pause “Growth assay”` */
  function recordCommand(command: SentCommand, commandText: string, ...details: SentDetails): void {
    record(toCommandFields(command, ...details), commandText);
  }

  // Sends the records of an earlier page and those that waited for the event manager.
  watch(
    () => [connection.value?.address, history.data.value?.managers.find(({ manager }) => manager === 'event')?.state],
    () => void sender.flush(),
    { immediate: true },
  );

  return { record, recordCommand, pending };
});
