/**
 * The lab at one moment. Nodes and queue come in one answer, the list of active workflows in another, of another age: what
 * is said of a node and a workflow together is said from the one answer that has both. Pure.
 */
import type { Nodes } from '../../../api/managers/workcell.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import type { LabSnapshot } from '../guards/decision.ts';
import { userOf } from './waiting.ts';
import { hasEnded } from './workflowState.ts';

interface Snapshot {
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

/** A node that has been busy without a known workflow. */
interface UnownedNode {
  /** Since which reading it has been so, in ms since the epoch. */
  readonly first: number;
  /** Since which reading it has been at the same actions. */
  readonly since: number;
  /** Their IDs, as one text. */
  readonly actions: string;
}
/** By the node's name. */
export type Unowned = ReadonlyMap<string, UnownedNode>;

/** @param at when the nodes were read, in ms since the epoch */
export function unownedNodes(before: Unowned, { nodes, workflows }: LabSnapshot, at: number): Unowned {
  const busy = Object.entries(nodes).filter(
    ([name, { status }]) => status?.busy === true && userOf(name, '', { nodes, workflows }) === null,
  );
  if (busy.length === 0) return new Map();
  const ofSteps = new Set(workflows.flatMap(({ steps }) => steps.map(({ result }) => result?.action_id)));
  return new Map(
    busy.map(([name, { status }]) => {
      const running = status?.running_actions ?? [];
      const actions = running.toSorted().join(' ');
      const last = before.get(name);
      // What a step has ended with is a workflow's: the manager looks at its nodes later than it hears of their results.
      const isSame = last?.actions === actions && !running.some((id) => ofSteps.has(id));
      return [name, { first: last?.first ?? at, since: isSame ? last.since : at, actions }];
    }),
  );
}

/**
 * Whether nobody can say yet what a busy node does: a workflow that has just ended, or just begun, is seen by one answer
 * before the other, and on a node that many share each reading may meet another one so. What stays so over several readings,
 * at the same action, is so; and no doubt lasts for good.
 */
export function isUnclear(name: string, unowned: Unowned, at: number): boolean {
  const node = unowned.get(name);
  return node !== undefined && at - node.since < recentMs && at - node.first < maxUncertainMs;
}

/** The workcell manager looks at its nodes every 2 s, and the page reads it every 3 s. */
const recentMs = 6000;
const maxUncertainMs = 60_000;
