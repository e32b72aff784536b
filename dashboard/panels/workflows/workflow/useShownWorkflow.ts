/**
 * Reads one workflow without duplicate requests: while active, mainly from the list of active workflows; afterwards by a
 * separate poll at an interval, because only a retry changes it.
 */
import {
  computed,
  shallowRef,
  toValue,
  watch,
  type ComputedRef,
  type MaybeRefOrGetter,
  inject,
  provide,
  type InjectionKey,
} from 'vue';
import { workcellApi } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { useManagerQuery } from '#dashboard/managers/transport/poll/managerQuery.ts';
import type { LiveQuery, MissingObject } from '#dashboard/components/feedback/liveQuery.ts';
import {
  useActiveWorkflows,
  useNewestWorkflows,
  useWorkcellState,
} from '#dashboard/managers/workcell/workcellQueries.ts';
import { workflowsTexts } from '../texts.ts';
import { useClock } from '#dashboard/base/clock.ts';

const activeIntervalMs = 60_000;
const endedIntervalMs = 15_000;

interface ShownWorkflow {
  readonly workflow: ComputedRef<Workflow | null>;
  /** The query with the latest read. */
  readonly live: ComputedRef<LiveQuery<unknown>>;
  /** The stale query; `null` if none is stale. */
  readonly stale: ComputedRef<LiveQuery<unknown> | null>;
  /** The manager reports that it does not exist, and it was never read. */
  readonly isMissing: ComputedRef<boolean>;
  /** Time of the last read, in ms since the epoch, if the manager no longer has it; otherwise `null`. */
  readonly lostSince: ComputedRef<number | null>;
}

export function useShownWorkflow(id: MaybeRefOrGetter<string>): ShownWorkflow {
  const activeQuery = useActiveWorkflows();
  const workcellState = useWorkcellState();
  const newest = useNewestWorkflows();
  const listedWorkflow = computed<Workflow | null>(() => activeQuery.data.value?.[toValue(id)] ?? null);
  const singleQuery = useManagerQuery(workcellApi, 'getWorkflow', {
    schedule: 'workflow',
    input: () => ({ workflow_id: toValue(id) }),
    interval: () => (listedWorkflow.value === null ? endedIntervalMs : activeIntervalMs),
  });
  newest.addResponses(singleQuery, (workflow) => [workflow]);
  // The first response is pending and may be older than the end of the workflow.
  let endedDuringFirstRead = false;
  watch(
    [singleQuery.data, singleQuery.receivedAt],
    ([workflow]) => {
      if (workflow === undefined || !endedDuringFirstRead) return;
      endedDuringFirstRead = false;
      singleQuery.retry();
    },
    { immediate: true, flush: 'sync' },
  );
  // The workflow is no longer active, so its result is read at once.
  watch(listedWorkflow, (current, previous) => {
    if (current !== null || previous === null || previous.workflow_id !== toValue(id)) return;
    if (singleQuery.data.value === undefined) endedDuringFirstRead = true;
    else singleQuery.retry();
  });

  const isListNewer = computed(
    () => listedWorkflow.value !== null && (activeQuery.receivedAt.value ?? 0) >= (singleQuery.receivedAt.value ?? 0),
  );
  const workflow = computed(() => newest.find(toValue(id)) ?? singleQuery.data.value ?? listedWorkflow.value);
  const isNotFound = computed(() => singleQuery.errorStatus.value === 404 && listedWorkflow.value === null);
  const lastSeenAt = shallowRef<number | null>(null);
  watch(
    [listedWorkflow, activeQuery.receivedAt, singleQuery.receivedAt, () => toValue(id)] as const,
    ([currentlyListed, activeAt, singleAt], [, , , previousId]) => {
      if (previousId !== undefined && previousId !== toValue(id)) lastSeenAt.value = null;
      const at = Math.max(currentlyListed === null ? 0 : (activeAt ?? 0), singleAt ?? 0, lastSeenAt.value ?? 0);
      if (at > 0) lastSeenAt.value = at;
    },
    { immediate: true },
  );
  const lostSince = computed(() => (isNotFound.value && workflow.value !== null ? (lastSeenAt.value ?? 0) : null));
  const isMissing = computed(() => isNotFound.value && workflow.value === null);
  return {
    workflow,
    isMissing,
    lostSince,
    live: computed(() => (isListNewer.value ? activeQuery : singleQuery)),
    stale: computed(() => {
      if (activeQuery.stale.value) return activeQuery;
      if (workcellState.stale.value) return workcellState;
      return listedWorkflow.value === null && !isNotFound.value && singleQuery.failure.value !== null
        ? singleQuery
        : null;
    }),
  };
}

/** Returns the texts for a workflow that the workcell manager does not have. */
export function describeMissingWorkflow(id: string): MissingObject {
  const { notFound, notFoundWhy, toList } = workflowsTexts.page;
  return { title: notFound(id), body: notFoundWhy, link: { title: toList, to: { name: 'workflows' } } };
}

const lostSinceKey: InjectionKey<ComputedRef<number | null>> = Symbol('lost workflow');

/** @param lostSince time of the last read of a lost workflow, in ms since the epoch; `null` while the manager has it */
export function provideLostSince(lostSince: ComputedRef<number | null>): void {
  provide(lostSinceKey, lostSince);
}

const neverLost = computed(() => null);

/** Returns the time of the last read of the page's workflow if the manager has lost it; otherwise `null`. */
export function useLostSince(): ComputedRef<number | null> {
  return inject(lostSinceKey, neverLost);
}

/** Returns the time until which running steps are known to run: now, or the last read of a lost workflow. */
export function useLastKnownTime(): ComputedRef<number> {
  const lostSince = useLostSince();
  const clock = useClock();
  return computed(() => lostSince.value ?? clock.value);
}
