/**
 * The texts that the pages must show for the managers' responses. They derive from the managers' descriptions, not from
 * the flags that the pages read.
 */
import type { NodeStatus } from '../../api/managers/node.ts';
import type { Nodes } from '../../api/managers/workcell.ts';
import type { Workflow } from '../../api/managers/workflow.ts';
import { isCancelledDespiteCompletion } from '../../api/managers/workflowState.ts';
import { workflowStateTexts } from '../../dashboard/managers/workcell/workflowState.ts';

export interface WorkflowState {
  readonly id: string;
  readonly name: string;
  /** `Running step 3`, counted from 0. */
  readonly description: string;
  readonly hasStarted: boolean;
  readonly total: number;
  /** The index of the current step. */
  readonly index: number;
}

/** The states in a response of the workcell manager, or in its store. */
export interface ManagerStates {
  readonly workflows: readonly WorkflowState[];
  /** The text of each node's state, by node name. */
  readonly nodes: Readonly<Record<string, string>>;
}

export function toWorkflowState({ workflow_id: id, name, status, steps }: Workflow): WorkflowState {
  const { description, has_started: hasStarted, current_step_index: index } = status;
  const text = isCancelledDespiteCompletion({ status, steps }) ? `Cancelled on step ${index}` : (description ?? '');
  return { id, name, description: text, hasStarted, index, total: steps.length };
}

export function describeNodes(nodes: Nodes): ManagerStates['nodes'] {
  return Object.fromEntries(Object.entries(nodes).map(([name, { status }]) => [name, nodeText(status)]));
}

/**
 * Returns the text that pages must show for a node: the most severe state, then the other flags. Duplicated on purpose,
 * so that the pages' own table is compared with an independent one.
 */
export function nodeText(status: NodeStatus | null): string {
  if (status === null) return 'Unknown';
  const { busy, errored, stopped, paused, locked, initializing = false } = status;
  const isDisconnected = status.disconnected === true;
  const rules: readonly (readonly [boolean, string])[] = [
    [isDisconnected, 'Unreachable'],
    [stopped, 'Stopped'],
    [errored, 'Error'],
    [(status.waiting_for_config ?? []).length > 0, 'Not configured'],
    [locked, 'Locked'],
    [paused, 'Paused'],
    [initializing, 'Initializing'],
    [busy, 'Busy'],
  ];
  const first = rules.find(([isSet]) => isSet)?.[1] ?? (status.ready ? 'Ready' : 'Not ready');
  const extra: readonly (readonly [boolean, string])[] = [
    [busy, 'busy'],
    // The manager itself sets the error of a node that it cannot reach.
    [errored && !isDisconnected, 'error'],
    [stopped, 'stopped'],
    [paused, 'paused'],
    [locked, 'locked'],
  ];
  const others = extra.filter(([isSet, word]) => isSet && word !== first.toLowerCase()).map(([, word]) => word);
  return [first, ...others].join(', ');
}

const texts = workflowStateTexts;

/** Returns the text that pages must show for a workflow, such as `Running: step 3 of 300 is next`. */
export function describeWorkflow({ description, hasStarted, total }: WorkflowState): string {
  if (description === 'Completed Successfully') return texts.completed;
  const match = /^(\w+) on step (\d+)$|^(Running) step (\d+)$/.exec(description);
  const step = Math.min(Number(match?.[2] ?? match?.[4] ?? 0) + 1, total);
  switch (match?.[1] ?? match?.[3]) {
    case 'Failed':
      return texts.failed(step, total);
    case 'Cancelled':
      return texts.cancelled(step, total);
    case 'Paused':
      return texts.paused(step, total);
    case 'Running':
      return texts.running(step, total);
    case 'Queued':
      return hasStarted ? texts.between(step, total) : step > 1 ? texts.queuedAt(step, total) : texts.queued;
    default:
      return description;
  }
}

/**
 * Returns the states that the workflow can have had briefly between two responses; an ended workflow is queued again
 * before it continues.
 */
export function possibleStates(earlier: WorkflowState, later: WorkflowState): readonly string[] {
  const { total } = later;
  const ended = /^(?:Failed|Cancelled|Completed)\b/.test(earlier.description);
  const last = Math.min(later.index, earlier.index + 20);
  return Array.from(
    { length: Math.max(0, last - earlier.index) + 1 },
    (_, offset) => earlier.index + offset + 1,
  ).flatMap((step) => [
    ...(ended ? [texts.queuedAt(step, total), texts.queued] : []),
    texts.running(step, total),
    texts.between(step, total),
  ]);
}
