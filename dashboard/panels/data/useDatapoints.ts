/** The newest datapoints as far as they were asked for, or all of one workflow or experiment. */
import { computed, type ComputedRef } from 'vue';
import { dataApi, type Datapoint } from '../../../api/managers/data.ts';
import { madeBy } from '../../managers/data/datapoint.ts';
import { newestCount } from '../../managers/workcell/archive/archive.ts';
import { useArchive } from '../../managers/workcell/archive/useArchive.ts';
import { useWorkflowRows } from '../../managers/workcell/archive/useWorkflowRows.ts';
import { useManagerQuery } from '../../managers/transport/poll/managerQuery.ts';
import { pollingSchedule } from '../../managers/transport/poll/pollingSchedule.ts';
import { isWhole, nextCounts, type PageCounts } from '../../managers/transport/poll/newestPages.ts';
import { useManagerTime } from '../../managers/transport/time/managerTime.ts';

/** What can be asked for; 0 is all. */
export const datapointCounts: PageCounts = [200, 1000, 5000, 0];

/** Whose datapoints; the manager picks them out. */
export interface Belonging {
  readonly kind: 'workflow' | 'experiment';
  readonly id: string;
}

export function useDatapoints(count: () => number, of: () => Belonging | null) {
  const time = useManagerTime('data');
  // Which workflow belongs to which experiment, only the workflows tell: of one experiment all of them are needed.
  const archive = useArchive(computed(() => (of()?.kind === 'experiment' ? 0 : newestCount)));
  const known = useWorkflowRows(archive);
  const experiments = computed(() => new Map(known.value.map(({ id, experiment }) => [id, experiment])));
  const names = computed(() => new Map(known.value.map(({ id, name }) => [id, name])));
  const workflows = computed(() => {
    const requested = of();
    return requested?.kind === 'experiment'
      ? known.value.flatMap((row) => (row.experiment === requested.id ? [row.id] : []))
      : [];
  });
  const newest = useManagerQuery(dataApi, 'getDatapoints', {
    polled: 'dataShown',
    input: () => (of() === null ? { number: count() } : null),
    // All of them are many, and old ones don't change.
    interval: () => (count() === datapointCounts[0] ? 0 : pollingSchedule.archiveFurtherBack),
  });
  const found = useManagerQuery(dataApi, 'queryDatapoints', {
    polled: 'dataShown',
    input: () => {
      const requested = of();
      if (requested === null) return null;
      return {
        body: requested.kind === 'workflow' ? madeBy([], [requested.id]) : madeBy([requested.id], workflows.value),
      };
    },
  });
  const live = computed(() => (of() === null ? newest : found));
  const all: ComputedRef<readonly Datapoint[]> = computed(() => Object.values(live.value.data.value ?? {}));
  const searched = computed(() => of()?.kind !== 'experiment' || archive.deep.data.value !== undefined);
  const whole = computed(() => (of() === null ? isWhole(all.value.length, count()) : searched.value));
  return {
    live,
    all,
    time,
    /** The experiment of a workflow, as far as that is known; empty otherwise. */
    experimentOf: (workflow: string): string => experiments.value.get(workflow) ?? '',
    /** The name of a workflow, as far as that is known; empty otherwise. */
    workflowName: (workflow: string): string => names.value.get(workflow) ?? '',
    whole,
    /** Whether all workflows of the experiment are known that it was asked for. */
    searched,
    /** Why they aren't; `null` while nothing went wrong. */
    unread: computed(() => (searched.value ? null : archive.deep.failure.value)),
    /** What can be asked for next. */
    more: computed(() => (whole.value || of() !== null ? [] : nextCounts(datapointCounts, count()))),
  };
}
