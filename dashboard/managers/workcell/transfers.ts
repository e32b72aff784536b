/**
 * Matches each built-in transfer with the separate workflow that executes it, by source, target and time, because
 * MADSci links the two only after the transfer has ended. Source: MADSci 0.8.1, `workcell_actions.py` and the location
 * manager's `transfer_planner.py`.
 */
import type { Step, Workflow } from '#api/managers/workflow.ts';
import { currentStep, hasEnded, isBuiltIn, workflowState } from './workflowState.ts';

/** Returns whether a built-in step of the workcell manager moves a resource by another workflow. */
export function isTransfer(step: Pick<Step, 'node' | 'action'>): boolean {
  return isBuiltIn(step) && (step.action === 'transfer' || step.action === 'transfer_resource');
}

interface Transfer {
  /** Names and IDs of the location; empty: any. */
  readonly source: readonly string[];
  readonly target: readonly string[];
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Returns the locations in the step's arguments, by name or ID. The location of a resource is resolved only by the
 * manager.
 */
function requestedTransfer({ action, args = {} }: Step): Transfer {
  return { source: action === 'transfer' ? [asText(args['source'])] : [], target: [asText(args['target'])] };
}

const plannedName = /^Transfer: '(.+)' -> '(.+)'$/;
const plannedIds = /^Transfer from .+ \((\w+)\) to .+ \((\w+)\)$/;

/** Returns the source and target of a workflow that the location manager planned; `null` for any other. */
function plannedTransfer({ name, definition_metadata: metadata }: Workflow): Transfer | null {
  const names = plannedName.exec(name);
  if (names === null) return null;
  const ids = plannedIds.exec(metadata?.description ?? '');
  const labelsAt = (index: 1 | 2) => [names[index] ?? '', ...(ids === null ? [] : [ids[index] ?? ''])];
  return { source: labelsAt(1), target: labelsAt(2) };
}

/** Returns whether the location manager planned the workflow; usually it belongs to a transfer. */
export function isPlanned(workflow: Workflow): boolean {
  return plannedTransfer(workflow) !== null;
}

function isSameTransfer(requested: Transfer, planned: Transfer): boolean {
  const overlaps = (a: readonly string[], b: readonly string[]) => a.length === 0 || a.some((name) => b.includes(name));
  return overlaps(requested.source, planned.source) && overlaps(requested.target, planned.target);
}

/** Returns the earliest possible start of the current step. Naive times of one host can be compared as text. */
function earliestStart({ steps, status, start_time: start, submitted_time: submitted }: Workflow): string {
  const index = status.current_step_index;
  return (index === 0 ? start : steps[index - 1]?.end_time) ?? start ?? submitted ?? '';
}

const failedTransferPattern =
  /^Transfer workflow failed during execution: Workflow .* \(([0-9A-Z]{26})\) (?:failed|was cancelled) on step/s;

/** Returns the ID of the workflow in a transfer's result; `null` if there is none. */
export function childIdInResult({ result }: Pick<Step, 'result'>): string | null {
  const json = result?.json_result;
  const id =
    typeof json === 'object' && json !== null ? (json as { readonly workflow_id?: unknown }).workflow_id : null;
  if (typeof id === 'string') return id;
  return (
    (result?.errors ?? []).map(({ message }) => failedTransferPattern.exec(message ?? '')?.[1]).find(Boolean) ?? null
  );
}

function isTransferring(workflow: Workflow): boolean {
  const step = currentStep(workflow);
  return step !== null && workflow.status.running && !hasEnded(workflow) && isTransfer(step);
}

export interface TransferLink {
  readonly workflow: Workflow;
  /**
   * Whether the match is uncertain: another transfer has the same source and target at the same time, or the source is
   * unknown.
   */
  readonly isUncertain?: true;
}

/**
 * Returns the workflow that executes the running transfer; `null` while unknown.
 * @param workflows the active workflows of one snapshot
 */
export function findChild(parent: Workflow, workflows: readonly Workflow[]): TransferLink | null {
  const step = currentStep(parent);
  if (step === null || !isTransferring(parent)) return null;
  const requested = requestedTransfer(step);
  const linkedIds = new Set(
    workflows.flatMap(({ steps }) => steps.flatMap((otherStep) => childIdInResult(otherStep) ?? [])),
  );
  const matchingWorkflows = workflows
    .filter((candidate) => candidate.workflow_id !== parent.workflow_id && !linkedIds.has(candidate.workflow_id))
    .filter((candidate) => {
      const transfer = plannedTransfer(candidate);
      return (
        transfer !== null &&
        isSameTransfer(requested, transfer) &&
        (candidate.submitted_time ?? '') >= earliestStart(parent)
      );
    })
    .toSorted(compareSubmission);
  // Several transfers may have the same source and target; their workflows were created in the order in which they
  // started.
  const competing = workflows
    .filter((candidate) => isTransferring(candidate) && competes(requested, currentStep(candidate)))
    .toSorted((a, b) => compare(earliestStart(a), earliestStart(b)));
  const rank = competing.length - 1 - competing.findIndex(({ workflow_id: id }) => id === parent.workflow_id);
  const workflow = matchingWorkflows.at(-1 - rank);
  if (workflow === undefined) return null;
  return competing.length > 1 || requested.source.length === 0 ? { workflow, isUncertain: true } : { workflow };
}

function competes(requested: Transfer, step: Step | null): boolean {
  return step !== null && isSameTransfer(requested, requestedTransfer(step));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
function compareSubmission(a: Workflow, b: Workflow): number {
  return compare(a.submitted_time ?? '', b.submitted_time ?? '');
}

export interface ParentLink extends TransferLink {
  /** The index of the transfer step, from 0. */
  readonly index: number;
}

/** Returns the workflow whose transfer the given one executes; `null` if unknown. */
export function findParent(child: Workflow, workflows: readonly Workflow[]): ParentLink | null {
  if (!isPlanned(child)) return null;
  for (const workflow of workflows) {
    const index = workflow.steps.findIndex((step) => isTransfer(step) && childIdInResult(step) === child.workflow_id);
    if (index !== -1) return { workflow, index };
  }
  for (const workflow of workflows) {
    const link = findChild(workflow, workflows);
    if (link?.workflow.workflow_id === child.workflow_id)
      return { ...link, workflow, index: workflow.status.current_step_index };
  }
  return null;
}

/** Returns the IDs of failed workflows whose failure another workflow reports: those that a failed transfer names. */
export function findReportedByParent(workflows: Iterable<Workflow>): ReadonlySet<string> {
  const children = [...workflows].flatMap((workflow) => {
    const step = workflowState(workflow) === 'failed' ? currentStep(workflow) : null;
    return step !== null && isTransfer(step) ? (childIdInResult(step) ?? []) : [];
  });
  return new Set(children);
}
