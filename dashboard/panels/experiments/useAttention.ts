/** What of experiments needs a person, as they and their workflows were read last. */
import { computed, type ComputedRef } from 'vue';
import { useClock } from '../../base/clock.ts';
import { useExperiments, useExperimentTime } from '../../managers/experiment/experimentQueries.ts';
import { experimentState } from '../../managers/experiment/experimentState.ts';
import { useExperimentEnds } from '../../managers/experiment/useExperimentEnds.ts';
import {
  useActiveWorkflows,
  useArchivedWorkflows,
  useCurrentWorkflows,
  useWorkcellTime,
} from '../../managers/workcell/workcellQueries.ts';
import { staleItems, type AttentionItem } from '../panel.ts';
import { experimentAttention, pastFor } from './attention.ts';

/** As many as are looked through for workflows that failed: they are read once for both. */
const searched = 50;

export function useExperimentAttention(): ComputedRef<readonly AttentionItem[]> {
  const live = useExperiments();
  const time = useExperimentTime();
  const active = useActiveWorkflows();
  const current = useCurrentWorkflows();
  const archived = useArchivedWorkflows(searched);
  const workcellTime = useWorkcellTime();
  const clock = useClock();
  const experiments = computed(() => live.data.value ?? []);
  const ends = useExperimentEnds(() =>
    experiments.value.some((one) => experimentState(one) === 'failed') ? clock.value - pastFor : null,
  );
  return computed(() => {
    const items = experimentAttention({
      experiments: experiments.value,
      ends: ends.value,
      current: active.data.value === undefined || archived.data.value === undefined ? null : current.value,
      archived: Object.values(archived.data.value ?? {}),
      at: time.at,
      workflowAt: workcellTime.at,
      now: clock.value,
    });
    return staleItems(items, live.stale.value || active.stale.value);
  });
}
