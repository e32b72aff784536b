/**
 * A snapshot of the lab. Nodes and queue are in one response, the active workflows in another of a different age:
 * statements about a node and a workflow use the one response that contains both.
 */
import type { Nodes } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import type { LabSnapshot } from '../guards/decision.ts';
import { findOccupyingWorkflow } from './waiting.ts';
import { hasEnded } from './workflowState.ts';

interface Snapshot {
  readonly nodes: Nodes;
  readonly workflow_queue: readonly Workflow[];
}

/**
 * Returns a waiting or running workflow as the snapshot contains it. An ended or paused one is used as given, because
 * these states are reliable in any response.
 */
export function workflowInSnapshot(workflow: Workflow, snapshot: Snapshot | undefined): Workflow {
  const { workflow_id: id } = workflow;
  return preferQueued(
    workflow,
    snapshot?.workflow_queue.find((candidate) => candidate.workflow_id === id),
  );
}

function preferQueued(workflow: Workflow, queued: Workflow | undefined): Workflow {
  return hasEnded(workflow) || workflow.status.paused ? workflow : (queued ?? workflow);
}

/**
 * @param workflows the newest known state of each workflow
 * @param now ms since the epoch
 * @param parseStamp converts a timestamp to ms since the epoch
 */
export function createLabSnapshot(
  snapshot: Snapshot | undefined,
  workflows: readonly Workflow[],
  {
    now,
    parseStamp,
  }: { readonly now: () => number; readonly parseStamp: (stamp: string | null | undefined) => number | null },
): LabSnapshot {
  const queue = new Map((snapshot?.workflow_queue ?? []).map((queued) => [queued.workflow_id, queued]));
  return {
    nodes: snapshot?.nodes ?? {},
    workflows: workflows.map((workflow) => preferQueued(workflow, queue.get(workflow.workflow_id))),
    isInSnapshot: (id) => queue.has(id),
    isRecent: (stamp) => now() - (parseStamp(stamp) ?? -Infinity) < recentMs,
  };
}

/** A node that has been busy without a known workflow since `firstSeen`. */
interface NodeBusyWithoutWorkflow {
  /**
   * The time of the first read that found it so, or of the last action that a workflow had started, in ms since the
   * epoch.
   */
  readonly firstSeen: number;
  /** The time of the first read with the same actions. */
  readonly sameActionsSince: number;
  /** The action IDs, joined. */
  readonly actions: string;
}
/** By node name. */
export type NodesBusyWithoutWorkflow = ReadonlyMap<string, NodeBusyWithoutWorkflow>;

/** @param at when the nodes were read, in ms since the epoch */
export function findNodesBusyWithoutWorkflow(
  previous: NodesBusyWithoutWorkflow,
  { nodes, workflows }: LabSnapshot,
  at: number,
): NodesBusyWithoutWorkflow {
  const busy = Object.entries(nodes).filter(
    ([name, { status }]) => status?.busy === true && findOccupyingWorkflow(name, '', { nodes, workflows }) === null,
  );
  if (busy.length === 0) return new Map();
  const stepActionIds = new Set(workflows.flatMap(({ steps }) => steps.map(({ result }) => result?.action_id)));
  return new Map(
    busy.map(([name, { status }]) => {
      const running = status?.running_actions ?? [];
      const actions = running.toSorted().join(' ');
      const last = previous.get(name);
      const hasStepAction = (ids: readonly string[]) => ids.some((id) => stepActionIds.has(id));
      const isSame = last?.actions === actions;
      // An action with a step's result belongs to a workflow: the manager polls its nodes later than it receives their
      // results. On a node that works for workflows, the next action is probably a workflow's too.
      const worksForWorkflows = !isSame && hasStepAction([...running, ...(last?.actions.split(' ') ?? [])]);
      return [
        name,
        {
          firstSeen: worksForWorkflows ? at : (last?.firstSeen ?? at),
          sameActionsSince: isSame && !hasStepAction(running) ? last.sameActionsSince : at,
          actions,
        },
      ];
    }),
  );
}

/**
 * Returns whether the work of a busy node is still uncertain: one response shows the start or end of a workflow before
 * the other, and on a shared node each read may hit another such moment. A state that is unchanged over several reads,
 * at the same action, is certain; and the uncertainty is limited in time.
 */
export function isUnclear(name: string, busyNodes: NodesBusyWithoutWorkflow, at: number): boolean {
  const node = busyNodes.get(name);
  return node !== undefined && at - node.sameActionsSince < recentMs && at - node.firstSeen < maxUncertainMs;
}

/** The workcell manager polls its nodes every 2 s, and the page reads it every 3 s. */
const recentMs = 6000;
const maxUncertainMs = 60_000;
