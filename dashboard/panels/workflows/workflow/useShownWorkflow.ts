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
import { workcellApi } from '../../../../api/managers/workcell.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import { useManagerQuery } from '../../../managers/transport/poll/managerQuery.ts';
import type { LiveQuery, MissingObject } from '../../../components/feedback/live.ts';
import {
  useActiveWorkflows,
  useNewestWorkflows,
  useWorkcellState,
} from '../../../managers/workcell/workcellQueries.ts';
import { workflowsTexts } from '../texts.ts';
import { useClock } from '../../../base/clock.ts';

const whileActive = 60_000;
const otherwise = 15_000;

interface ShownWorkflow {
  readonly workflow: ComputedRef<Workflow | null>;
  /** The query with the latest read. */
  readonly live: ComputedRef<LiveQuery<unknown>>;
  /** The stale query; `null` if none is stale. */
  readonly stale: ComputedRef<LiveQuery<unknown> | null>;
  /** The manager reports that it does not exist, and it was never read. */
  readonly missing: ComputedRef<boolean>;
  /** Time of the last read, in ms since the epoch, if the manager no longer has it; otherwise `null`. */
  readonly missingSince: ComputedRef<number | null>;
}

export function useShownWorkflow(id: MaybeRefOrGetter<string>): ShownWorkflow {
  const active = useActiveWorkflows();
  const state = useWorkcellState();
  const newest = useNewestWorkflows();
  const listed = computed<Workflow | null>(() => active.data.value?.[toValue(id)] ?? null);
  const single = useManagerQuery(workcellApi, 'getWorkflow', {
    schedule: 'workflow',
    input: () => ({ workflow_id: toValue(id) }),
    interval: () => (listed.value === null ? otherwise : whileActive),
  });
  // The first response is pending and may be older than the end of the workflow.
  let leftDuringFirstRead = false;
  watch(
    [single.data, single.receivedAt],
    ([workflow]) => {
      if (workflow === undefined) return;
      newest.addResponse(workflow, [workflow]);
      if (!leftDuringFirstRead) return;
      leftDuringFirstRead = false;
      single.retry();
    },
    { immediate: true, flush: 'sync' },
  );
  // The workflow is no longer active, so its result is read at once.
  watch(listed, (now, before) => {
    if (now !== null || before === null || before.workflow_id !== toValue(id)) return;
    if (single.data.value === undefined) leftDuringFirstRead = true;
    else single.retry();
  });

  const fromList = computed(
    () => listed.value !== null && (active.receivedAt.value ?? 0) >= (single.receivedAt.value ?? 0),
  );
  const workflow = computed(() => newest.find(toValue(id)) ?? single.data.value ?? listed.value);
  const isMissing = computed(() => single.errorStatus.value === 404 && listed.value === null);
  const seenAt = shallowRef<number | null>(null);
  watch(
    [listed, active.receivedAt, single.receivedAt, () => toValue(id)] as const,
    ([now, activeAt, singleAt], [, , , before]) => {
      if (before !== undefined && before !== toValue(id)) seenAt.value = null;
      const at = Math.max(now === null ? 0 : (activeAt ?? 0), singleAt ?? 0, seenAt.value ?? 0);
      if (at > 0) seenAt.value = at;
    },
    { immediate: true },
  );
  const missingSince = computed(() => (isMissing.value && workflow.value !== null ? (seenAt.value ?? 0) : null));
  const missing = computed(() => isMissing.value && workflow.value === null);
  return {
    workflow,
    missing,
    missingSince,
    live: computed(() => (fromList.value ? active : single)),
    stale: computed(() => {
      if (active.stale.value) return active;
      if (state.stale.value) return state;
      return listed.value === null && !isMissing.value && single.failure.value !== null ? single : null;
    }),
  };
}

/** Returns the texts for a workflow that the workcell manager does not have. */
export function missingWorkflow(id: string): MissingObject {
  const { notFound, notFoundWhy, toList } = workflowsTexts.page;
  return { title: notFound(id), body: notFoundWhy, link: { title: toList, to: { name: 'workflows' } } };
}

const lostKey: InjectionKey<ComputedRef<number | null>> = Symbol('lost workflow');

/** `at`: the time of the last read, in ms since the epoch; `null` while the manager has it. */
export function provideLost(at: ComputedRef<number | null>): void {
  provide(lostKey, at);
}

const never = computed(() => null);

/** Returns the time of the last read of the page's workflow if the manager has lost it; otherwise `null`. */
export function useLost(): ComputedRef<number | null> {
  return inject(lostKey, never);
}

/** Returns the time until which running steps are known to run: now, or the last read of a lost workflow. */
export function useLastKnown(): ComputedRef<number> {
  const lost = useLost();
  const clock = useClock();
  return computed(() => lost.value ?? clock.value);
}
