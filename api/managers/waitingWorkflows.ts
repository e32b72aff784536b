/** The workflows whose next step has not started: for which node they wait, and which of them need a person. */
import type { BlockedWorkflow } from '../lab/lab.ts';
import { isWaiting, type WorkflowFlags } from './workflowState.ts';

interface ActiveWorkflow extends WorkflowFlags {
  readonly workflow_id: string;
  readonly name: string;
  readonly steps: readonly { readonly node?: string | null | undefined; readonly status?: string | null | undefined }[];
  readonly scheduler_metadata?: { readonly reasons?: readonly string[] | null | undefined } | null | undefined;
}

const unknownNodePattern = /^Node (.+) not found(?: in .*)?$/;
const failedPattern = /^Exception in scheduler: (.*)$/s;

/** Returns the text of a scheduler's reason that no state of a node explains and no time ends; `null` for another one. */
export function schedulerFaultText(reason: string): string | null {
  const node = unknownNodePattern.exec(reason)?.[1];
  if (node !== undefined) return `the workcell has no node ${node}`;
  const failure = failedPattern.exec(reason)?.[1];
  return failure === undefined ? null : `the scheduler failed at it: ${failure}`;
}

/** Returns the number of workflows whose next step is on each node, by its name. */
export function countWaiting(workflows: readonly ActiveWorkflow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { status, steps } of workflows.filter(isWaiting)) {
    const node = steps[status.current_step_index]?.node;
    if (node) counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  return counts;
}

/** Returns the waiting workflows that cannot start for a reason other than the state of a node. */
export function listBlockedWorkflows(workflows: readonly ActiveWorkflow[]): readonly BlockedWorkflow[] {
  return workflows.filter(isWaiting).flatMap(({ workflow_id: id, name, scheduler_metadata: metadata }) => {
    const reason = (metadata?.reasons ?? []).map(schedulerFaultText).find((text) => text !== null);
    return reason === undefined ? [] : [{ id, name, reason }];
  });
}
