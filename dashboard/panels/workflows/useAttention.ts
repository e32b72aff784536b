/** What of workflows needs a person, as they were read last. */
import { computed, type ComputedRef } from 'vue';
import { useClock } from '../../base/clock.ts';
import {
  useActiveWorkflows,
  useArchivedWorkflows,
  useCurrentWorkflows,
  useWorkcellTime,
} from '../../managers/workcell/workcellQueries.ts';
import { staleItems, type AttentionItem } from '../panel.ts';
import { workflowAttention } from './attention.ts';

/** Enough for the last day of a busy lab. */
const searched = 50;

export function useWorkflowAttention(): ComputedRef<readonly AttentionItem[]> {
  const active = useActiveWorkflows();
  const current = useCurrentWorkflows();
  const archived = useArchivedWorkflows(searched);
  const time = useWorkcellTime();
  const clock = useClock();
  return computed(() => {
    const items = workflowAttention({
      current: current.value,
      archived: Object.values(archived.data.value ?? {}),
      now: clock.value,
      at: time.at,
    });
    return staleItems(items, active.stale.value);
  });
}
