/** Reads the newest datapoints up to the selected count, or all of one workflow or experiment. */
import { computed, type ComputedRef } from 'vue';
import { dataApi, type Datapoint } from '#api/managers/data.ts';
import { originFilter } from '../../managers/data/datapoint.ts';
import { newestCount } from '../../managers/workcell/archive/archive.ts';
import { useArchive } from '../../managers/workcell/archive/useArchive.ts';
import { useWorkflowRows } from '../../managers/workcell/archive/useWorkflowRows.ts';
import { useManagerQuery } from '../../managers/transport/poll/managerQuery.ts';
import { pollingSchedule } from '../../managers/transport/poll/pollingSchedule.ts';
import { isComplete, nextCounts, type PageCounts } from '../../managers/transport/poll/newestPages.ts';
import { useManagerTime } from '../../managers/transport/time/managerTime.ts';

/** Selectable counts; 0 means all. */
export const datapointCounts: PageCounts = [200, 1000, 5000, 0];

/** The owner of the datapoints; the manager filters by it. */
export interface DatapointOwner {
  readonly kind: 'workflow' | 'experiment';
  readonly id: string;
}

export function useDatapoints(count: () => number, owner: () => DatapointOwner | null) {
  const time = useManagerTime('data');
  // Most datapoints contain only their workflow, so filtering by experiment requires all workflows.
  const archive = useArchive(computed(() => (owner()?.kind === 'experiment' ? 0 : newestCount)));
  const workflowRows = useWorkflowRows(archive);
  const experiments = computed(() => new Map(workflowRows.value.map(({ id, experiment }) => [id, experiment])));
  const names = computed(() => new Map(workflowRows.value.map(({ id, name }) => [id, name])));
  const workflows = computed(() => {
    const subject = owner();
    return subject?.kind === 'experiment'
      ? workflowRows.value.flatMap((row) => (row.experiment === subject.id ? [row.id] : []))
      : [];
  });
  const newest = useManagerQuery(dataApi, 'getDatapoints', {
    schedule: 'dataShown',
    input: () => (owner() === null ? { number: count() } : null),
    // Larger counts are polled less often, because old datapoints don't change.
    interval: () => (count() === datapointCounts[0] ? 0 : pollingSchedule.archiveFurtherBack),
  });
  const ownedDatapoints = useManagerQuery(dataApi, 'queryDatapoints', {
    schedule: 'dataShown',
    input: () => {
      const subject = owner();
      if (subject === null) return null;
      return {
        body:
          subject.kind === 'workflow' ? originFilter([], [subject.id]) : originFilter([subject.id], workflows.value),
      };
    },
  });
  const live = computed(() => (owner() === null ? newest : ownedDatapoints));
  const all: ComputedRef<readonly Datapoint[]> = computed(() => Object.values(live.value.data.value ?? {}));
  const isSearchComplete = computed(() => owner()?.kind !== 'experiment' || archive.extended.data.value !== undefined);
  const isListComplete = computed(() =>
    owner() === null ? isComplete(all.value.length, count()) : isSearchComplete.value,
  );
  return {
    live,
    all,
    time,
    /** Returns the ID of the workflow's experiment; empty if unknown. */
    getExperimentId: (workflow: string): string => experiments.value.get(workflow) ?? '',
    /** Returns the name of the workflow; empty if unknown. */
    getWorkflowName: (workflow: string): string => names.value.get(workflow) ?? '',
    isComplete: isListComplete,
    /** Whether all workflows of the selected experiment are loaded. */
    isSearchComplete,
    /** The reason why the workflows are not loaded; `null` without a failure. */
    searchFailure: computed(() => (isSearchComplete.value ? null : archive.extended.failure.value)),
    /** Larger counts to select next. */
    nextCounts: computed(() => (isListComplete.value || owner() !== null ? [] : nextCounts(datapointCounts, count()))),
  };
}
