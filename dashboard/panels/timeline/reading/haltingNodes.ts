/** The nodes that may still execute what was cancelled or paused. Pure. */
import type { Nodes } from '../../../../api/managers/workcell.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import { currentStep, workflowState, type ExecutingNodes } from '../../../managers/workcell/workflowState.ts';

/** Without the actions of workflows that run: those would change, and the timeline be made anew, with every step. */
export function haltingNodes(workflows: readonly Workflow[], nodes: Nodes): ExecutingNodes {
  const running = workflows.filter((workflow) => workflowState(workflow) === 'running');
  const owned = new Set(running.map((workflow) => currentStep(workflow)?.result?.action_id));
  const halting = Object.entries(nodes).flatMap(([name, { status }]) => {
    const actions = (status?.running_actions ?? []).filter((action) => !owned.has(action));
    if (status?.busy !== true || status.disconnected === true || actions.length === 0) return [];
    return [[name, { status: { busy: true, paused: status.paused, running_actions: actions } }] as const];
  });
  return Object.fromEntries(halting);
}
