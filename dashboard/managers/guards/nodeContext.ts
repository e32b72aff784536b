/** A node in one snapshot of the lab: its record, the workflow it works for, and the workflows that wait for it. */
import type { Node } from '#api/managers/node.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { nodeCommandTexts as texts } from '../commands/nodeCommandTexts.ts';
import type { LabSnapshot } from './decision.ts';
import { workflowRunningOn } from '../workcell/nodeState.ts';
import { currentStep, isWaiting, stepName, workflowState } from '../workcell/workflowState.ts';

/** A node, the workflow that it works for, and the workflows that wait for it. */
export interface NodeContext {
  readonly name: string;
  readonly node: Node;
  /** The workflow of this workcell whose step the node is executing. */
  readonly workflow: Workflow | null;
  /** Whether the node may be busy with a workflow's step that this snapshot doesn't show yet. */
  readonly isWorkUnclear: boolean;
  /** The number of queued workflows whose next step needs it. */
  readonly waitingCount: number;
  /** The waiting workflow that the scheduler starts first. */
  readonly nextWorkflow: Workflow | null;
}

/** Returns whether the node has an action, paused or not. */
export function isWorking({ status }: Pick<Node, 'status'>): boolean {
  return status !== null && (status.busy || (status.running_actions ?? []).length > 0);
}

/**
 * Finds the workflow whose started step the working node still has although the workflow is not running: it is paused, or it
 * was resumed before the step ended.
 */
function findUnfinishedWorkflow(name: string, workflows: readonly Workflow[]): Workflow | null {
  const hasStartedStep = (other: Workflow): boolean => {
    const { start_time: start = null, end_time: end = null } = currentStep(other) ?? {};
    return start !== null && (workflowState(other) === 'paused' || !(end !== null && end >= start));
  };
  return (
    workflows.find(
      (candidate) =>
        (workflowState(candidate) === 'paused' || isWaiting(candidate)) &&
        currentStep(candidate)?.node === name &&
        hasStartedStep(candidate),
    ) ?? null
  );
}

export function createNodeContext(
  name: string,
  node: Node,
  workflows: readonly Workflow[],
  isUnclear: LabSnapshot['isUnclear'] = undefined,
): NodeContext {
  const workflow =
    workflowRunningOn(name, workflows) ?? (isWorking(node) ? findUnfinishedWorkflow(name, workflows) : null);
  const waitingWorkflows = workflows
    .filter((other) => isWaiting(other) && other !== workflow && currentStep(other)?.node === name)
    .toSorted((a, b) => (a.submitted_time ?? '').localeCompare(b.submitted_time ?? ''));
  const isWorkUnclear = workflow === null && isWorking(node) && isUnclear?.(name) === true;
  return {
    name,
    node,
    workflow,
    isWorkUnclear,
    waitingCount: waitingWorkflows.length,
    nextWorkflow: waitingWorkflows[0] ?? null,
  };
}

/** Returns the node in one snapshot of the lab; `null` if the workcell doesn't contain it. */
export function findNodeContext({ nodes, workflows, isUnclear }: LabSnapshot, name: string): NodeContext | null {
  const node = nodes[name];
  return node === undefined ? null : createNodeContext(name, node, workflows, isUnclear);
}

export function listNodeContexts(lab: LabSnapshot): readonly NodeContext[] {
  return Object.keys(lab.nodes).flatMap((name) => findNodeContext(lab, name) ?? []);
}

/** Returns the end of a sentence: ` on step 2 of 5, Move plate, of “Growth assay”`. */
export function describeWork({ workflow, isWorkUnclear }: Pick<NodeContext, 'workflow' | 'isWorkUnclear'>): string {
  const step = workflow === null ? null : currentStep(workflow);
  if (workflow === null || step === null) return isWorkUnclear ? texts.onUnclear : texts.onItself;
  const index = workflow.status.current_step_index;
  return texts.onStep(index + 1, workflow.steps.length, stepName(step, index), workflow.name);
}
