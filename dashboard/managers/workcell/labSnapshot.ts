/**
 * The lab at one moment. Nodes and queue come in one answer, the list of active workflows in another, of another age: what
 * is said of a node and a workflow together is said from the one answer that has both. Pure.
 */
import type { Nodes } from '../../../api/managers/workcell.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import type { LabSnapshot } from '../guards/decision.ts';
import { userOf } from './waiting.ts';
import { hasEnded } from './workflowState.ts';

export interface Snapshot {
  readonly nodes: Nodes;
  readonly workflow_queue: readonly Workflow[];
}

/** One that waits or runs, as the snapshot has it; what has ended or was paused is so, whatever was read with the nodes. */
export function asInSnapshot(workflow: Workflow, snapshot: Snapshot | undefined): Workflow {
  if (hasEnded(workflow) || workflow.status.paused) return workflow;
  const { workflow_id: id } = workflow;
  return snapshot?.workflow_queue.find((each) => each.workflow_id === id) ?? workflow;
}

/**
 * @param workflows as they are known best
 * @param now ms since the epoch
 * @param at the stamp in ms since the epoch
 */
export function labSnapshot(
  snapshot: Snapshot | undefined,
  workflows: readonly Workflow[],
  { now, at }: { readonly now: () => number; readonly at: (stamp: string | null | undefined) => number | null },
): LabSnapshot {
  const queue = new Map((snapshot?.workflow_queue ?? []).map((each) => [each.workflow_id, each]));
  return {
    nodes: snapshot?.nodes ?? {},
    workflows: workflows.map((each) =>
      hasEnded(each) || each.status.paused ? each : (queue.get(each.workflow_id) ?? each),
    ),
    isInSnapshot: (id) => queue.has(id),
    isRecent: (stamp) => now() - (at(stamp) ?? -Infinity) < recentMs,
  };
}

/** Since which reading, in ms since the epoch, a node has been busy without a known workflow, by its name. */
export type Unowned = ReadonlyMap<string, number>;

/** @param at when the nodes were read */
export function unownedNodes(before: Unowned, { nodes, workflows }: LabSnapshot, at: number): Unowned {
  const busy = Object.entries(nodes).filter(
    ([name, { status }]) => status?.busy === true && userOf(name, '', { nodes, workflows }) === null,
  );
  return new Map(busy.map(([name]) => [name, before.get(name) ?? at]));
}

/**
 * Whether nobody can say yet what a busy node does: a workflow that has just ended, or just begun, is seen by one answer
 * before the other. What stays so over several readings is so.
 */
export function isUnclear(name: string, unowned: Unowned, at: number): boolean {
  const since = unowned.get(name);
  return since !== undefined && at - since < recentMs;
}

/** The workcell manager looks at its nodes every 2 s, and the page reads it every 3 s. */
const recentMs = 6000;
