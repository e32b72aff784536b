/** Experiments that need attention: failed ones, and ones in progress whose newest workflow failed. */
import type { Experiment } from '#api/managers/experiment.ts';
import { experimentAppearances } from '#api/states.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { isSettled } from '../../components/feedback/liveQuery.ts';
import { experimentPage } from '../../base/objectPages.ts';
import { experimentId, experimentName, experimentState } from '../../managers/experiment/experimentState.ts';
import { workflowState } from '../../managers/workcell/workflowState.ts';
import { type AttentionItem, markStale } from '../panel.ts';
import { experimentsTexts } from './texts.ts';
import { computed, type ComputedRef } from 'vue';
import { useClock } from '../../base/clock.ts';
import { useExperiments, useExperimentTime } from '../../managers/experiment/experimentQueries.ts';
import { useExperimentEnds } from '../../managers/experiment/useExperimentEnds.ts';
import {
  useActiveWorkflows,
  useArchivedWorkflows,
  useCurrentWorkflows,
  useWorkcellTime,
} from '../../managers/workcell/workcellQueries.ts';

const texts = experimentsTexts.attention;
/** How long a failed experiment needs attention. */
export const listedForMs = 86_400_000;
/** The time after a failed workflow in which the next one may be submitted. */
const graceMs = 10 * 60_000;

export interface AttentionInput {
  readonly experiments: readonly Experiment[];
  /** When experiments failed, by ID, in ms since the epoch; only if the log contains the failure. */
  readonly ends: ReadonlyMap<string, number>;
  /** Queued, running and paused; `null` while unknown. */
  readonly current: readonly Workflow[] | null;
  /** The newest archived workflows. */
  readonly archived: readonly Workflow[];
  /**
   * `parseStamp` converts timestamps of the experiment manager to ms since the epoch, `parseWorkflowStamp` those of the
   * workcell manager.
   */
  readonly parseStamp: (stamp: string | null | undefined) => number | null;
  readonly parseWorkflowStamp: (stamp: string | null | undefined) => number | null;
  /** ms since the epoch. */
  readonly now: number;
}

/** Returns the experiments that need attention, with the reason. */
export function findExperimentAttention(input: AttentionInput): readonly AttentionItem[] {
  return input.experiments.flatMap((experiment) => {
    const state = experimentState(experiment);
    if (state === 'failed') return createFailedItem(experiment, input);
    return state === 'inProgress' ? createStuckItem(experiment, input) : [];
  });
}

const getExperimentName = (experiment: Experiment): string => experimentName(experiment) || experimentId(experiment);
const createOpenAction = (experiment: Experiment) => ({
  label: texts.open,
  to: experimentPage(experimentId(experiment)),
});

/**
 * Returns the item of an experiment that failed in the last day. If the log doesn't contain the failure, the time of
 * the start counts.
 */
function createFailedItem(experiment: Experiment, { ends, parseStamp, now }: AttentionInput): AttentionItem[] {
  const failedAt = ends.get(experimentId(experiment)) ?? null;
  const startedAt = parseStamp(experiment.started_at);
  const since = failedAt ?? startedAt;
  if (since === null || now - since > listedForMs) return [];
  return [
    {
      key: `experiment ${experimentId(experiment)} failed ${failedAt ?? ''}`,
      appearance: experimentAppearances.failed,
      name: getExperimentName(experiment),
      reason: failedAt === null ? texts.failedSince : texts.failed,
      since,
      past: true,
      action: createOpenAction(experiment),
      hideable: true,
    },
  ];
}

/** Returns the item of an experiment in progress whose newest workflow failed, with no workflow queued or running. */
function createStuckItem(
  experiment: Experiment,
  { current, archived, parseWorkflowStamp, now }: AttentionInput,
): AttentionItem[] {
  const id = experimentId(experiment);
  const belongsToExperiment = ({ ownership_info: ownership }: Workflow): boolean => ownership.experiment_id === id;
  if (current === null || current.some((workflow) => belongsToExperiment(workflow) && !workflow.status.terminal))
    return [];
  const runs = [...current, ...archived].filter(belongsToExperiment);
  const newest = runs.toSorted(
    (a, b) => (parseWorkflowStamp(b.submitted_time) ?? 0) - (parseWorkflowStamp(a.submitted_time) ?? 0),
  )[0];
  const endedAt = parseWorkflowStamp(newest?.end_time);
  if (newest === undefined || workflowState(newest) !== 'failed' || endedAt === null || now - endedAt < graceMs)
    return [];
  return [
    {
      key: `experiment ${id} stuck ${newest.workflow_id} ${newest.end_time ?? ''}`,
      appearance: experimentAppearances.inProgress,
      name: getExperimentName(experiment),
      reason: texts.stuck(newest.name),
      since: endedAt,
      action: createOpenAction(experiment),
      hideable: true,
    },
  ];
}

/** The same count as for failed workflows, so that both share one request. */
const archivedCount = 50;

/** Returns the experiments that need attention, from the latest experiments and workflows. */
export function useExperimentAttention(): ComputedRef<readonly AttentionItem[] | null> {
  const live = useExperiments();
  const time = useExperimentTime();
  const active = useActiveWorkflows();
  const current = useCurrentWorkflows();
  const archived = useArchivedWorkflows(archivedCount);
  const workcellTime = useWorkcellTime();
  const clock = useClock();
  const experiments = computed(() => live.data.value ?? []);
  const ends = useExperimentEnds(() =>
    experiments.value.some((experiment) => experimentState(experiment) === 'failed') ? clock.value - listedForMs : null,
  );
  return computed(() => {
    if (![live, active, archived].every(isSettled)) return null;
    const items = findExperimentAttention({
      experiments: experiments.value,
      ends: ends.value,
      current: active.data.value === undefined || archived.data.value === undefined ? null : current.value,
      archived: Object.values(archived.data.value ?? {}),
      parseStamp: time.parseStamp,
      parseWorkflowStamp: workcellTime.parseStamp,
      now: clock.value,
    });
    return markStale(items, live.stale.value || active.stale.value);
  });
}
