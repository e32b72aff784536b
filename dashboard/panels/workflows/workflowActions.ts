/** Actions on a workflow, each with the decision of the guards. */
import type { Workflow } from '#api/managers/workflow.ts';
import type { Decision, LabSnapshot } from '../../managers/guards/decision.ts';
import { decideCancel, decideCancelNow, decideCancelWhenFree } from '../../managers/guards/cancelGuards.ts';
import { decidePause, decideResubmit, decideResume, decideRetry } from '../../managers/guards/guards.ts';
import { workflowState } from '../../managers/workcell/workflowState.ts';

export const actionNames = ['pause', 'resume', 'cancel', 'cancelWhenFree', 'cancelNow', 'retry', 'resubmit'] as const;
export type ActionName = (typeof actionNames)[number];

/** @param step index from 0, for a retry */
export function decideAction(action: ActionName, workflow: Workflow, lab: LabSnapshot, step: number): Decision {
  switch (action) {
    case 'pause':
      return decidePause(workflow, lab);
    case 'cancel':
      return decideCancel(workflow, lab);
    case 'cancelWhenFree':
      return decideCancelWhenFree(workflow, lab);
    case 'cancelNow':
      return decideCancelNow(workflow, lab);
    case 'resume':
      return decideResume(workflow, lab);
    case 'retry':
      return decideRetry(workflow, step);
    case 'resubmit':
      return decideResubmit(workflow);
  }
}

/** Returns the visible actions in their order; pause and resume share one position. */
export function listActions(workflow: Workflow): readonly ActionName[] {
  return [workflowState(workflow) === 'paused' ? 'resume' : 'pause', 'cancel', 'retry', 'resubmit'];
}
