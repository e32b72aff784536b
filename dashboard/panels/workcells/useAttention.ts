/** Workcell conditions that need attention, from the latest responses. */
import { computed, type ComputedRef } from 'vue';
import { useMaintenance } from '../../managers/lab/maintenance.ts';
import {
  useCurrentWorkflows,
  useNodeStateStart,
  useWorkcellState,
  useWorkcellTime,
} from '../../managers/workcell/workcellQueries.ts';
import { useLabStop } from '../../managers/safetyStop/useSafetyStop.ts';
import { markStale, type AttentionItem } from '../panel.ts';
import { workcellAttention } from './attention.ts';

export function useWorkcellAttention(): ComputedRef<readonly AttentionItem[]> {
  const state = useWorkcellState();
  const currentWorkflows = useCurrentWorkflows();
  const time = useWorkcellTime();
  const maintenance = useMaintenance();
  const stop = useLabStop();
  const stateStart = useNodeStateStart();
  return computed(() => {
    const items = workcellAttention({
      workcell: state.data.value,
      current: currentWorkflows.value,
      parseStamp: time.parseStamp,
      since: stateStart.value,
      isInMaintenance: (name) => maintenance('node', name) !== '',
      stop: stop.value,
    });
    return markStale(items, state.stale.value);
  });
}
