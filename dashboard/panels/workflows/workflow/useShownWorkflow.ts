/**
 * One workflow, as fresh as can be had without asking twice: while it is active, the list of active ones has it; later it
 * is read by itself, now and then, because only a retry changes it.
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
import type { Live, MissingObject } from '../../../components/feedback/live.ts';
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
  /** Where it was read last. */
  readonly live: ComputedRef<Live<unknown>>;
  /** What is no longer so, if anything. */
  readonly stale: ComputedRef<Live<unknown> | null>;
  /** The manager says that there is none, and it was never read. */
  readonly missing: ComputedRef<boolean>;
  /** When it was read last, in ms since the epoch, where the manager doesn't have it any more; else `null`. */
  readonly lost: ComputedRef<number | null>;
}

export function useShownWorkflow(id: MaybeRefOrGetter<string>): ShownWorkflow {
  const active = useActiveWorkflows();
  const state = useWorkcellState();
  const newest = useNewestWorkflows();
  const listed = computed<Workflow | null>(() => active.data.value?.[toValue(id)] ?? null);
  const single = useManagerQuery(workcellApi, 'getWorkflow', {
    polled: 'workflow',
    input: () => ({ workflow_id: toValue(id) }),
    interval: () => (listed.value === null ? otherwise : whileActive),
  });
  // Its first answer is under way already, and may be older than the end of the workflow.
  let leftDuringFirstRead = false;
  watch(
    [single.data, single.receivedAt],
    ([workflow]) => {
      if (workflow === undefined) return;
      newest.learn(workflow, [workflow]);
      if (!leftDuringFirstRead) return;
      leftDuringFirstRead = false;
      single.retry();
    },
    { immediate: true, flush: 'sync' },
  );
  // It left the active ones: what became of it is read at once.
  watch(listed, (now, before) => {
    if (now !== null || before === null || before.workflow_id !== toValue(id)) return;
    if (single.data.value === undefined) leftDuringFirstRead = true;
    else single.retry();
  });

  const fromList = computed(
    () => listed.value !== null && (active.receivedAt.value ?? 0) >= (single.receivedAt.value ?? 0),
  );
  const workflow = computed(() => newest.of(toValue(id)) ?? single.data.value ?? listed.value);
  const refused = computed(() => single.refusedWith.value === 404 && listed.value === null);
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
  const lost = computed(() => (refused.value && workflow.value !== null ? (seenAt.value ?? 0) : null));
  const missing = computed(() => refused.value && workflow.value === null);
  return {
    workflow,
    missing,
    lost,
    live: computed(() => (fromList.value ? active : single)),
    stale: computed(() => {
      if (active.stale.value) return active;
      if (state.stale.value) return state;
      return listed.value === null && !refused.value && single.failure.value !== null ? single : null;
    }),
  };
}

/** What a page shows of a workflow that the workcell manager doesn't have. */
export function missingWorkflow(id: string): MissingObject {
  const { notFound, notFoundWhy, toList } = workflowsTexts.page;
  return { title: notFound(id), body: notFoundWhy, link: { title: toList, to: { name: 'workflows' } } };
}

const lostKey: InjectionKey<ComputedRef<number | null>> = Symbol('lost workflow');

/** `at`: when it was read last, in ms since the epoch; `null` while the manager has it. */
export function provideLost(at: ComputedRef<number | null>): void {
  provide(lostKey, at);
}

const never = computed(() => null);

/** When the workflow on this page was read last, where the manager has lost it. */
export function useLost(): ComputedRef<number | null> {
  return inject(lostKey, never);
}

/** Until when what runs has run for certain: now, or when a lost workflow was read last. */
export function useLastKnown(): ComputedRef<number> {
  const lost = useLost();
  const clock = useClock();
  return computed(() => lost.value ?? clock.value);
}
