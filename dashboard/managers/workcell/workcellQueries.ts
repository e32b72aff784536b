/** What the page reads of the workcell manager; each is read once for all components that need it. */
import { currentTime } from '../../base/clock.ts';
import { createSharedComposable } from '@vueuse/core';
import { computed, shallowRef, toValue, watch, type ComputedRef, type MaybeRefOrGetter } from 'vue';
import { workcellApi, type Nodes } from '../../../api/managers/workcell.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import { useConnection } from '../transport/clients.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { nodeSince, type NodeSince } from './nodeState.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';
import type { LabSnapshot } from '../guards/decision.ts';
import { isUnclear, labSnapshot, unownedNodes, type Unowned } from './labSnapshot.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { stampOf } from '../transport/time/stamps.ts';
import { learn as learnReadings, type Reading } from '../transport/poll/readings.ts';

export const useWorkcell = createSharedComposable(() => useConnection(workcellApi));

/** Nodes, the queue, and the workcell's own status. */
export const useWorkcellState = createSharedComposable(() =>
  useManagerQuery(workcellApi, 'getState', { polled: 'workcellState' }),
);

/** Queued, running and paused workflows, and those that ended just now. */
export const useActiveWorkflows = createSharedComposable(() =>
  useManagerQuery(workcellApi, 'getActiveWorkflows', { polled: 'activeWorkflows' }),
);

/** The newest `count` of the archive; 0 reads all, which may take a while; `null` nothing, for now. */
export function useArchivedWorkflows(count: MaybeRefOrGetter<number | null>) {
  return useManagerQuery(workcellApi, 'getArchivedWorkflows', {
    polled: 'archivedWorkflows',
    input: () => {
      const number = toValue(count);
      return number === null ? null : { number };
    },
    deadlineMs: 60_000,
  });
}

const none: Nodes = {};

export function useNodes(): ComputedRef<Nodes> {
  const state = useWorkcellState();
  return computed(() => state.data.value?.nodes ?? none);
}

/** Every workflow as it was read last, whichever answer it was in; `learn` adds what else was read. */
export const useNewestWorkflows = createSharedComposable(() => {
  const active = useActiveWorkflows();
  const state = useWorkcellState();
  const workcell = useWorkcell();
  const known = shallowRef<ReadonlyMap<string, Reading<Workflow>>>(new Map());
  /** `body`: the answer that they were in, as a query gave it. */
  function take(body: unknown, workflows: readonly Workflow[]): void {
    const stamp = stampOf(body);
    if (stamp === null) return;
    known.value = learnReadings(
      known.value,
      workflows.map((workflow) => [workflow.workflow_id, workflow] as const),
      stamp,
    );
  }
  // In the order in which answers come, each before anything is drawn from it.
  const options = { immediate: true, flush: 'sync' } as const;
  // Another workcell's workflows say nothing of this one's.
  watch(
    () => workcell.value?.address,
    () => (known.value = new Map()),
    { flush: 'sync' },
  );
  // An answer that says the same again is news of a later moment.
  watch([active.data, active.receivedAt], ([body]) => take(body, Object.values(body ?? {})), options);
  watch([state.data, state.receivedAt], ([body]) => take(body, body?.workflow_queue ?? []), options);
  return { of: (id: string): Workflow | null => known.value.get(id)?.body ?? null, learn: take };
});

/** All workflows that aren't in the archive, once each: from the list of active ones, and from the queue. */
export const useCurrentWorkflows = createSharedComposable((): ComputedRef<readonly Workflow[]> => {
  const active = useActiveWorkflows();
  const state = useWorkcellState();
  const newest = useNewestWorkflows();
  return computed(() => {
    const listed = new Map(Object.entries(active.data.value ?? {}));
    // The list has all of them; one that is in the queue alone was submitted since.
    const queueIsNewer = (state.receivedAt.value ?? 0) > (active.receivedAt.value ?? 0);
    if (queueIsNewer)
      for (const workflow of state.data.value?.workflow_queue ?? []) listed.set(workflow.workflow_id, workflow);
    return [...listed].map(([id, workflow]) => newest.of(id) ?? workflow);
  });
});

/** The lab at one moment: what is said of nodes and workflows together is said from this. */
export const useLabSnapshot = createSharedComposable((): ComputedRef<LabSnapshot> => {
  const state = useWorkcellState();
  const workflows = useCurrentWorkflows();
  const time = useWorkcellTime();
  const lab = computed(() => labSnapshot(state.data.value, workflows.value, { now: currentTime, at: time.at }));
  const unowned = shallowRef<Unowned>(new Map());
  watch([state.receivedAt, lab] as const, ([at, now]) => (unowned.value = unownedNodes(unowned.value, now, at ?? 0)), {
    immediate: true,
    flush: 'sync',
  });
  return computed(() => ({
    ...lab.value,
    isUnclear: (name) => isUnclear(name, unowned.value, state.receivedAt.value ?? 0),
  }));
});

/** Reads it again, for what somebody has confirmed. */
export function useFreshLab(): () => Promise<LabSnapshot> {
  const state = useWorkcellState();
  const active = useActiveWorkflows();
  const time = useWorkcellTime();
  const shown = useLabSnapshot();
  return async () => {
    const [now, workflows] = await Promise.all([state.refresh(), active.refresh()]);
    const fresh = labSnapshot(now, Object.values(workflows), { now: currentTime, at: time.at });
    return { ...fresh, isUnclear: (name) => shown.value.isUnclear?.(name) === true };
  };
}

/** Reads the workcell manager's naive times. */
export const useWorkcellTime = () => useManagerTime('workcell');

/** Since when a node needs somebody: as the service has watched it, for every page and for the history the same. */
export function useNodeSince(): ComputedRef<NodeSince> {
  const history = useLabHistory();
  const time = useWorkcellTime();
  return computed(() => nodeSince(history.data.value?.activity?.nodes?.in_need ?? [], time.at));
}
