/** What needs a person, from the service's status and the workcell manager's newest response: the same on every page. */
import { createSharedComposable } from '@vueuse/core';
import { computed, type ComputedRef } from 'vue';
import type { LabStatus } from '#api/lab/lab.ts';
import { listNeeds, type LabConditions, type Need, type NodeCondition } from '#api/lab/needs.ts';
import { countWaiting, listBlockedWorkflows } from '#api/managers/waitingWorkflows.ts';
import type { WorkcellState } from '#api/managers/workcell.ts';
import type { LabStop } from '#api/safetyStop/labStop.ts';
import type { ReadStamp } from '#api/time/time.ts';
import { formatClock } from '../../base/time.ts';
import { toErrorTexts } from '../errors/errorText.ts';
import { useLabStop } from '../safetyStop/useSafetyStop.ts';
import { nodeReason, nodeState, otherNodeFlags, type NodeStateStart } from '../workcell/nodeState.ts';
import { useNodeStateStart, useWorkcellState, useWorkcellTime } from '../workcell/workcellQueries.ts';
import { useLabHistory } from './labQueries.ts';

interface PageReading {
  readonly status: LabStatus | undefined;
  /** Nodes and queue are of one response, so that a node and the workflows that wait for it are of the same time. */
  readonly workcell: WorkcellState | undefined;
  readonly stop: LabStop | null;
  readonly since: NodeStateStart;
  readonly parseStamp: ReadStamp;
}

/** Returns the service's conditions, where those that the page has read itself replace older ones. */
export function createConditions({ status, workcell, stop, since, parseStamp }: PageReading): LabConditions {
  const lab = { managers: [], ...status, safety_stop: stop ?? undefined };
  if (workcell === undefined) return lab;
  const { nodes, workflow_queue: queued, status: engine, workcell_info: info } = workcell;
  // A workflow that was paused and resumed can be in the queue twice.
  const queue = [...new Map(queued.map((workflow) => [workflow.workflow_id, workflow])).values()];
  const waiting = countWaiting(queue);
  const conditions = Object.entries(nodes).map(([name, node]): NodeCondition => {
    const at = since(name, node);
    return {
      name,
      state: nodeState(node),
      flags: [...otherNodeFlags(node)],
      reason: nodeReason(node),
      since: at === null ? null : new Date(at).toISOString(),
      waiting: waiting.get(name),
    };
  });
  const newest = (engine.errors ?? []).slice(-1);
  const reason = toErrorTexts(newest)[0]?.text ?? '';
  return {
    ...lab,
    stopped_engine: engine.errored ? { name: info.name, reason, since: parseStamp(newest[0]?.logged_at) } : undefined,
    activity: {
      ...lab.activity,
      nodes: { in_need: conditions },
      blocked_workflows: listBlockedWorkflows(queue),
    },
  };
}

/** The kinds of items that follow from the workcell manager's response. */
const workcellKinds: ReadonlySet<Need['kind']> = new Set(['workcell', 'node', 'workflow']);

export interface LabNeeds {
  /** The most urgent first. */
  readonly current: readonly Need[];
  /** Items that may have changed, because their source does not respond. */
  readonly stale: readonly Need[];
}

export const useNeeds = createSharedComposable((): ComputedRef<LabNeeds> => {
  const history = useLabHistory();
  const workcell = useWorkcellState();
  const stop = useLabStop();
  const since = useNodeStateStart();
  const { parseStamp } = useWorkcellTime();
  return computed(() => {
    const reading = { status: history.data.value, workcell: workcell.data.value, stop: stop.value };
    const needs = listNeeds(createConditions({ ...reading, since: since.value, parseStamp }), formatClock);
    const isStale = ({ kind }: Need) => (workcellKinds.has(kind) ? workcell.stale.value : history.stale.value);
    return { current: needs.filter((need) => !isStale(need)), stale: needs.filter(isStale) };
  });
});
