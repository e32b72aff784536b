/** This page's records of safety stops, and the stop in force in the lab. */
import { createSharedComposable, useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, watch, type ComputedRef } from 'vue';
import { closesStop, currentStop, type FlagReading, type LabStop } from '../../../api/safetyStop/labStop.ts';
import { useClock } from '../../base/clock.ts';
import type { CommandFields } from '../../../api/commandRecord.ts';
import type { PendingRecord } from '../../../api/pendingRecords.ts';
import { parseStoredRecords, useCommandLog } from '../commands/commandLog.ts';
import { useAddress } from '../transport/clients.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { useRelayStop } from './relayStop.ts';
import { useNodes, useWorkcellState } from '../workcell/workcellQueries.ts';

/** Each stop has three or four records. */
const maxRecords = 40;
/** The time after which the service has read this page's records, in ms. */
const publishDelayMs = 20_000;

export const useStopLog = defineStore('stopLog', () => {
  const log = useCommandLog();
  const relayStop = useRelayStop();
  const records = useLocalStorage<PendingRecord[]>('lab-manager.stops', [], {
    serializer: { read: parseStoredRecords, write: JSON.stringify },
  });

  /** @returns the ID of its event */
  function record(facts: CommandFields, commandText: string): string {
    const recorded = log.record(facts, commandText, relayStop.canRecord.value);
    records.value = [...records.value, recorded].slice(-maxRecords);
    return recorded.id;
  }

  // Removes the records of a stop that was sent before this page's access was known.
  watch(relayStop.canRecord, (canRecord) => {
    const recordIds = new Set(records.value.map(({ id }) => id));
    if (!canRecord) log.pending = log.pending.filter(({ id }) => !recordIds.has(id));
  });

  return { records, record };
});

/** The nodes' flags as this page has read them. */
function useNodeFlags(): ComputedRef<FlagReading | null> {
  const state = useWorkcellState();
  const nodes = useNodes();
  return computed(() => {
    const at = state.receivedAt.value;
    if (at === null || state.stale.value) return null;
    const nodeFlags = Object.entries(nodes.value).map(([name, { status }]) => ({
      name,
      isKnown: status !== null && status.disconnected !== true,
      stopped: status?.stopped === true,
      locked: status?.locked === true,
      paused: status?.paused === true,
    }));
    return { at, nodes: nodeFlags };
  });
}

/**
 * The safety stop in force, `null` if there is none: the one that the service publishes, or the one in this page's
 * records while the service or the event manager has not read them yet.
 */
export const useLabStop = createSharedComposable((): ComputedRef<LabStop | null> => {
  const log = useCommandLog();
  const stopLog = useStopLog();
  const history = useLabHistory();
  const flags = useNodeFlags();
  const clock = useClock();
  const address = useAddress('event');
  return computed(() => {
    // The last published stop stays in force while the service doesn't respond.
    const publishedStop = history.data.value?.safety_stop ?? null;
    const pending = new Set(log.pending.map(({ id }) => id));
    // Older records of this page are in the event log, and may have been closed by others since.
    const unpublished = stopLog.records.filter(
      ({ id, lab, record }) =>
        (lab === '' || lab === address.value) &&
        (pending.has(id) || clock.value - Date.parse(record.sent_at) - record.duration_ms < publishDelayMs),
    );
    const unpublishedIds = new Set(unpublished.map(({ id }) => id));
    const unpublishedStop = currentStop(
      stopLog.records.filter(({ id, record }) => unpublishedIds.has(id) || unpublishedIds.has(record.stop_id ?? '')),
      { flagReading: flags.value, now: clock.value },
    );
    if (unpublishedStop !== null && unpublishedStop.id !== null) return unpublishedStop;
    const isClosed = (id: string): boolean => unpublished.some((record) => closesStop(record, id));
    if (publishedStop !== null && !(publishedStop.id !== null && isClosed(publishedStop.id))) return publishedStop;
    return history.stale.value || history.data.value === undefined ? unpublishedStop : null;
  });
});
