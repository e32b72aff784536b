/** Queries of the workcell manager, each shared by all components. */
import { currentTime, useClock } from '../../base/clock.ts';
import { createSharedComposable } from '@vueuse/core';
import { computed, shallowRef, toValue, watch, type ComputedRef, type MaybeRefOrGetter } from 'vue';
import { workcellApi, type Nodes } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import type { LiveQuery } from '../../components/feedback/liveQuery.ts';
import { useConnection } from '../transport/clients.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { createNodeStateStart, type NodeStateStart } from './nodeState.ts';
import { blockedText, type WaitingReason } from './waiting.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';
import type { LabSnapshot } from '../guards/decision.ts';
import {
  isUnclear,
  createLabSnapshot,
  findNodesBusyWithoutWorkflow,
  type NodesBusyWithoutWorkflow,
} from './labSnapshot.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { getStamp, mergeReadings, type Reading } from '../transport/poll/readings.ts';

export const useWorkcell = createSharedComposable(() => useConnection(workcellApi));

/** Nodes, queue and the workcell's own status. */
export const useWorkcellState = createSharedComposable(() =>
  useManagerQuery(workcellApi, 'getState', { schedule: 'workcellState' }),
);

/** Queued, running and paused workflows, and those that have just ended. */
export const useActiveWorkflows = createSharedComposable(() =>
  useManagerQuery(workcellApi, 'getActiveWorkflows', { schedule: 'activeWorkflows' }),
);

/**
 * The newest `count` workflows of the archive; 0 reads all, which may be slow; `null` pauses reading. The archive is read
 * rarely, so a workflow that was retried since has the state of a newer response.
 */
export function useArchivedWorkflows(
  count: MaybeRefOrGetter<number | null>,
): LiveQuery<Readonly<Record<string, Workflow>>> {
  const archived = useManagerQuery(workcellApi, 'getArchivedWorkflows', {
    schedule: 'archivedWorkflows',
    input: () => {
      const number = toValue(count);
      return number === null ? null : { number };
    },
    timeoutMs: 60_000,
  });
  const newest = useNewestWorkflows();
  newest.addResponses(archived, Object.values);
  const data = computed(() => {
    const body = archived.data.value;
    if (body === undefined) return undefined;
    const entries = Object.entries(body).map(([id, workflow]) => [id, newest.find(id) ?? workflow] as const);
    // The same object while nothing is newer, so that a poll of active workflows computes nothing again.
    return entries.every(([id, workflow]) => workflow === body[id]) ? body : Object.fromEntries(entries);
  });
  return { ...archived, data };
}

const none: Nodes = {};

export function useNodes(): ComputedRef<Nodes> {
  const state = useWorkcellState();
  return computed(() => state.data.value?.nodes ?? none);
}

/** The newest known state of every workflow, from any response; `addResponses` adds those of other queries. */
export const useNewestWorkflows = createSharedComposable(() => {
  const active = useActiveWorkflows();
  const state = useWorkcellState();
  const workcell = useWorkcell();
  const newestById = shallowRef<ReadonlyMap<string, Reading<Workflow>>>(new Map());
  /** `body`: the response that contained them, as a query returned it. */
  function addResponse(body: unknown, workflows: readonly Workflow[]): void {
    const stamp = getStamp(body);
    if (stamp === null) return;
    newestById.value = mergeReadings(
      newestById.value,
      workflows.map((workflow) => [workflow.workflow_id, workflow] as const),
      stamp,
    );
  }
  // Discards the state of another workcell.
  watch(
    () => workcell.value?.address,
    () => (newestById.value = new Map()),
    { flush: 'sync' },
  );
  /** Adds every response of a query. @param list returns the workflows in a response */
  function addResponses<Body extends object>(
    query: Pick<LiveQuery<Body>, 'data' | 'receivedAt'>,
    list: (body: Body) => readonly Workflow[],
  ): void {
    // A response with unchanged content still has a newer stamp. Synchronous, so that responses are processed in order
    // and before they are rendered.
    watch([query.data, query.receivedAt], ([body]) => body && addResponse(body, list(body)), {
      immediate: true,
      flush: 'sync',
    });
  }
  addResponses(active, Object.values);
  addResponses(state, ({ workflow_queue: queue }) => queue);
  return { find: (id: string): Workflow | null => newestById.value.get(id)?.body ?? null, addResponses };
});

/** All unarchived workflows, each once: from the list of active ones, and from the queue. */
export const useCurrentWorkflows = createSharedComposable((): ComputedRef<readonly Workflow[]> => {
  const active = useActiveWorkflows();
  const state = useWorkcellState();
  const newest = useNewestWorkflows();
  return computed(() => {
    const listedById = new Map(Object.entries(active.data.value ?? {}));
    // The list contains all of them; a workflow only in a newer queue was submitted since.
    const queueIsNewer = (state.receivedAt.value ?? 0) > (active.receivedAt.value ?? 0);
    if (queueIsNewer)
      for (const workflow of state.data.value?.workflow_queue ?? []) listedById.set(workflow.workflow_id, workflow);
    return [...listedById].map(([id, workflow]) => newest.find(id) ?? workflow);
  });
});

/** A snapshot of the lab; all statements about nodes and workflows together use it. */
export const useLabSnapshot = createSharedComposable((): ComputedRef<LabSnapshot> => {
  const state = useWorkcellState();
  const workflows = useCurrentWorkflows();
  const time = useWorkcellTime();
  const lab = computed(() =>
    createLabSnapshot(state.data.value, workflows.value, { now: currentTime, parseStamp: time.parseStamp }),
  );
  const busyNodes = shallowRef<NodesBusyWithoutWorkflow>(new Map());
  watch(
    [state.receivedAt, lab] as const,
    ([at, snapshot]) => (busyNodes.value = findNodesBusyWithoutWorkflow(busyNodes.value, snapshot, at ?? 0)),
    {
      immediate: true,
      flush: 'sync',
    },
  );
  return computed(() => ({
    ...lab.value,
    isUnclear: (name) => isUnclear(name, busyNodes.value, state.receivedAt.value ?? 0),
  }));
});

/** Returns a function that reads a fresh snapshot, for the check after a confirmation. */
export function useFreshLab(): () => Promise<LabSnapshot> {
  const state = useWorkcellState();
  const active = useActiveWorkflows();
  const time = useWorkcellTime();
  const displayed = useLabSnapshot();
  return async () => {
    const [freshState, workflows] = await Promise.all([state.refresh(), active.refresh()]);
    const fresh = createLabSnapshot(freshState, Object.values(workflows), {
      now: currentTime,
      parseStamp: time.parseStamp,
    });
    return { ...fresh, isUnclear: (name) => displayed.value.isUnclear?.(name) === true };
  };
}

/** The clock for the workcell manager's naive times. */
export const useWorkcellTime = () => useManagerTime('workcell');

/** Since when a node needs attention, as the service has watched it: the same on every page and in the history. */
export function useNodeStateStart(): ComputedRef<NodeStateStart> {
  const history = useLabHistory();
  const time = useWorkcellTime();
  return computed(() => createNodeStateStart(history.data.value?.activity?.nodes?.in_need ?? [], time.parseStamp));
}

/** Returns a function for the text of a blocked workflow with its duration; empty for one that is not blocked. */
export function useBlockedText(): (workflow: Workflow, waiting: WaitingReason | null) => string {
  const state = useWorkcellState();
  const since = useNodeStateStart();
  const { parseStamp } = useWorkcellTime();
  const clock = useClock();
  // Lists of hundreds of rows are not rendered at every tick.
  const now = computed(() => Math.floor(clock.value / 10_000) * 10_000);
  return (workflow, waiting) =>
    blockedText(workflow, waiting, {
      nodes: state.data.value?.nodes ?? {},
      since: since.value,
      parseStamp,
      now: now.value,
    });
}
