/**
 * A built-in transfer runs as a workflow of its own, and MADSci says of neither whose it is before the transfer has ended. So
 * the two are found by what they have in common: the way and the time. Pure.
 * Source: MADSci 0.8.1, `workcell_actions.py` and the location manager's `transfer_planner.py`.
 */
import type { Step, Workflow } from '../../../api/managers/workflow.ts';
import { currentStep, hasEnded, isBuiltIn, workflowState } from './workflowState.ts';

/** A step of the workcell manager's own that carries something with another workflow. */
export function isTransfer(step: Pick<Step, 'node' | 'action'>): boolean {
  return isBuiltIn(step) && (step.action === 'transfer' || step.action === 'transfer_resource');
}

interface Transfer {
  /** Names and IDs that mean the place; empty: any. */
  readonly source: readonly string[];
  readonly target: readonly string[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What the step asks for: locations by name or ID. Where a resource lies, only the manager has looked up. */
function requestedTransfer({ action, args = {} }: Step): Transfer {
  return { source: action === 'transfer' ? [text(args['source'])] : [], target: [text(args['target'])] };
}

const plannedName = /^Transfer: '(.+)' -> '(.+)'$/;
const plannedIds = /^Transfer from .+ \((\w+)\) to .+ \((\w+)\)$/;

/** The way of a workflow that the location manager planned; `null` for any other. */
function plannedTransfer({ name, definition_metadata: metadata }: Workflow): Transfer | null {
  const names = plannedName.exec(name);
  if (names === null) return null;
  const ids = plannedIds.exec(metadata?.description ?? '');
  const of = (index: 1 | 2) => [names[index] ?? '', ...(ids === null ? [] : [ids[index] ?? ''])];
  return { source: of(1), target: of(2) };
}

/** Whether the location manager planned it: a transfer's own, as a rule. */
export function isPlanned(workflow: Workflow): boolean {
  return plannedTransfer(workflow) !== null;
}

function isSameTransfer(requested: Transfer, planned: Transfer): boolean {
  const meets = (one: readonly string[], other: readonly string[]) =>
    one.length === 0 || one.some((name) => other.includes(name));
  return meets(requested.source, planned.source) && meets(requested.target, planned.target);
}

/** From when on the current step may have been started. Naive times of one host compare as texts. */
function earliest({ steps, status, start_time: start, submitted_time: submitted }: Workflow): string {
  const index = status.current_step_index;
  return (index === 0 ? start : steps[index - 1]?.end_time) ?? start ?? submitted ?? '';
}

const ended =
  /^Transfer workflow failed during execution: Workflow .* \(([0-9A-Z]{26})\) (?:failed|was cancelled) on step/s;

/** The ID of the workflow that a transfer's result names; `null` where it names none. */
export function namedChild({ result }: Pick<Step, 'result'>): string | null {
  const json = result?.json_result;
  const id =
    typeof json === 'object' && json !== null ? (json as { readonly workflow_id?: unknown }).workflow_id : null;
  if (typeof id === 'string') return id;
  return (result?.errors ?? []).map(({ message }) => ended.exec(message ?? '')?.[1]).find(Boolean) ?? null;
}

/** Whether its current step is a transfer that runs. */
function isTransferring(workflow: Workflow): boolean {
  const step = currentStep(workflow);
  return step !== null && workflow.status.running && !hasEnded(workflow) && isTransfer(step);
}

export interface Link {
  readonly workflow: Workflow;
  /** Another transfer has the same way at the same time, or nobody knows the source: it may be that one's. */
  readonly likely?: true;
}

/**
 * The workflow that carries for the transfer that runs; `null` while none is known.
 * @param workflows those that are active, at one moment
 */
export function childOf(parent: Workflow, workflows: readonly Workflow[]): Link | null {
  const step = currentStep(parent);
  if (step === null || !isTransferring(parent)) return null;
  const requested = requestedTransfer(step);
  const named = new Set(workflows.flatMap(({ steps }) => steps.flatMap((each) => namedChild(each) ?? [])));
  const fits = workflows
    .filter((each) => each.workflow_id !== parent.workflow_id && !named.has(each.workflow_id))
    .filter((each) => {
      const way = plannedTransfer(each);
      return way !== null && isSameTransfer(requested, way) && (each.submitted_time ?? '') >= earliest(parent);
    })
    .toSorted(bySubmission);
  // The same way may be asked for by several at once: they got their workflows in the order in which they started.
  const rivals = workflows
    .filter((each) => isTransferring(each) && competes(requested, currentStep(each)))
    .toSorted((a, b) => compare(earliest(a), earliest(b)));
  const place = rivals.length - 1 - rivals.findIndex(({ workflow_id: id }) => id === parent.workflow_id);
  const workflow = fits.at(-1 - place);
  if (workflow === undefined) return null;
  return rivals.length > 1 || requested.source.length === 0 ? { workflow, likely: true } : { workflow };
}

function competes(requested: Transfer, step: Step | null): boolean {
  return step !== null && isSameTransfer(requested, requestedTransfer(step));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
function bySubmission(a: Workflow, b: Workflow): number {
  return compare(a.submitted_time ?? '', b.submitted_time ?? '');
}

export interface Parent extends Link {
  /** Of the transfer in it, from 0. */
  readonly index: number;
}

/** The workflow that the given one carries for; `null` where none is known. */
export function parentOf(child: Workflow, workflows: readonly Workflow[]): Parent | null {
  if (!isPlanned(child)) return null;
  for (const workflow of workflows) {
    const index = workflow.steps.findIndex((step) => isTransfer(step) && namedChild(step) === child.workflow_id);
    if (index !== -1) return { workflow, index };
  }
  for (const workflow of workflows) {
    const link = childOf(workflow, workflows);
    if (link?.workflow.workflow_id === child.workflow_id)
      return { ...link, workflow, index: workflow.status.current_step_index };
  }
  return null;
}

/** Of workflows that failed, those whose failure another one's tells: a transfer's own workflow, told by its transfer. */
export function reportedByParent(workflows: Iterable<Workflow>): ReadonlySet<string> {
  const children = [...workflows].flatMap((workflow) => {
    const step = workflowState(workflow) === 'failed' ? currentStep(workflow) : null;
    return step !== null && isTransfer(step) ? (namedChild(step) ?? []) : [];
  });
  return new Set(children);
}
