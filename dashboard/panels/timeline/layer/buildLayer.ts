/** Builds the layer of the workflows, in the worker. */
import { stepStates, workflowStates } from '#api/states.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { occupyFreeRow, groupBy } from '#dashboard/base/grouping.ts';
import { listAttempts } from '#dashboard/managers/workcell/attempts.ts';
import {
  listStepSpans,
  type ParseStamp,
  type ChildWorkflows,
  type StepSpan,
} from '#dashboard/managers/workcell/stepSpans.ts';
import { findChild, isTransfer, childIdInResult } from '#dashboard/managers/workcell/transfers.ts';
import {
  getAuthor,
  haltedStep,
  hasEnded,
  isFinishing,
  stepState,
  workflowState,
  type ExecutingNodes,
  finishingStates,
} from '#dashboard/managers/workcell/workflowState.ts';
import {
  atEarliestFlag,
  byTransferFlag,
  maxRows,
  waitingFlag,
  type Layer,
  type WorkflowColumns,
  type TextTable,
} from './layer.ts';

/** Returns the child workflow of each transfer step, by the parent's ID, from the loaded workflows. */
function findChildWorkflows(workflows: readonly Workflow[]): ReadonlyMap<string, ChildWorkflows> {
  const byId = new Map(workflows.map((workflow) => [workflow.workflow_id, workflow]));
  const childrenByParent = new Map<string, Map<number, Workflow>>();
  const assignChild = (parent: Workflow, index: number, child: Workflow): void => {
    if (child.workflow_id === parent.workflow_id) return;
    const byStep = childrenByParent.get(parent.workflow_id) ?? new Map<number, Workflow>();
    childrenByParent.set(parent.workflow_id, byStep.set(index, child));
  };
  const active = workflows.filter((workflow) => !hasEnded(workflow));
  for (const workflow of workflows) {
    for (const [index, step] of workflow.steps.entries()) {
      const child = isTransfer(step) ? byId.get(childIdInResult(step) ?? '') : undefined;
      if (child !== undefined) assignChild(workflow, index, child);
    }
    const link = hasEnded(workflow) ? null : findChild(workflow, active);
    if (link !== null) assignChild(workflow, workflow.status.current_step_index, link.workflow);
  }
  return childrenByParent;
}

/** Shorter waits, in ms, are omitted: they are due to the scheduler, which starts at most one step in five seconds. */
const minWaitMs = 10_000;

const noChildren: ChildWorkflows = new Map();

interface Entry {
  readonly span: StepSpan;
  /** Index of the workflow in which the step is drawn. */
  readonly owner: number;
  readonly end: number;
  /** Empty unless the attempt failed. */
  readonly error: string;
}

/** Returns the error texts of a failed attempt from its results. */
function attemptErrors({ index, attempt, state, waiting, childSpan }: StepSpan, workflow: Workflow): string {
  const stepIndex = childSpan?.index ?? index;
  const step = workflow.steps[stepIndex];
  if (waiting || state !== 'failed' || step === undefined) return '';
  return (listAttempts(step, stepState(workflow, stepIndex))[childSpan?.attempt ?? attempt]?.errors ?? []).join('; ');
}

/**
 * Returns the end for drawing. A step without an end ends with its workflow, because MADSci may not have updated the
 * step.
 */
function drawnEnd(span: StepSpan, workflow: Workflow, parseStamp: ParseStamp): number {
  if (span.end !== null) return Math.max(span.start, span.end);
  if (!hasEnded(workflow)) return Infinity;
  return Math.max(span.start, parseStamp(workflow.end_time) ?? span.start);
}

/** Extends the span of a step that its node still executes after the workflow was cancelled or paused. */
function extendIfExecuting(span: StepSpan, workflow: Workflow, nodes: ExecutingNodes): StepSpan {
  if (span.waiting || span.past === true || span.childSpan !== undefined) return span;
  const halted = haltedStep(workflow);
  if (halted === null || halted.step !== span.index + 1 || !isFinishing(halted, nodes)) return span;
  return { ...span, end: Infinity, state: 'running', name: `${span.name}: ${finishingStates[halted.state]}` };
}

/**
 * @param listSpans returns the spans of a workflow, possibly cached
 * @param nodes current nodes
 */
export function buildLayer(
  workflows: readonly Workflow[],
  parseStamp: ParseStamp,
  texts: TextTable,
  listSpans: (workflow: Workflow, children: ChildWorkflows) => readonly StepSpan[] = (workflow, children) =>
    listStepSpans(workflow, parseStamp, children),
  nodes: ExecutingNodes = {},
): Layer {
  const childrenByParent = findChildWorkflows(workflows);
  const childIds = new Set(
    [...childrenByParent.values()].flatMap((byStep) => [...byStep.values()].map(({ workflow_id: id }) => id)),
  );
  const owners = workflows.filter(({ workflow_id: id }) => !childIds.has(id));
  const entries = owners.flatMap((workflow, owner) => {
    const byStep = childrenByParent.get(workflow.workflow_id) ?? noChildren;
    return listSpans(workflow, byStep).flatMap((stepSpan): Entry[] => {
      const span = extendIfExecuting(stepSpan, workflow, nodes);
      const executor = span.childSpan === undefined ? workflow : (byStep.get(span.index) ?? workflow);
      const end = drawnEnd(span, executor, parseStamp);
      if (span.waiting && end - span.start < minWaitMs) return [];
      return Number.isFinite(span.start) && !Number.isNaN(end)
        ? [{ span, owner, end, error: attemptErrors(span, executor) }]
        : [];
    });
  });
  return toColumns(
    groupBy(entries, ({ span }) => span.lane),
    workflowColumns(owners, parseStamp, texts),
    texts,
  );
}

function toColumns(byLane: ReadonlyMap<string, Entry[]>, workflows: WorkflowColumns, texts: TextTable): Layer {
  const lanes = [...byLane.keys()];
  const count = [...byLane.values()].reduce((sum, laneEntries) => sum + laneEntries.length, 0);
  const layer = {
    lanes,
    offsets: new Uint32Array(lanes.length + 1),
    start: new Float64Array(count),
    end: new Float64Array(count),
    maxEnd: new Float64Array(count),
    kind: new Uint8Array(count),
    row: new Uint8Array(count),
    owner: new Uint32Array(count),
    step: new Uint32Array(count),
    name: new Uint32Array(count),
    error: new Uint32Array(count),
    workflows,
  };
  let entryIndex = 0;
  for (const [laneIndex, lane] of lanes.entries()) {
    layer.offsets[laneIndex] = entryIndex;
    const ends: number[] = [];
    let maxEnd = -Infinity;
    for (const { span, owner, end, error } of (byLane.get(lane) ?? []).toSorted(
      (a, b) => a.span.start - b.span.start,
    )) {
      maxEnd = Math.max(maxEnd, end);
      const row = span.waiting ? 0 : occupyFreeRow(ends, span.start, end, maxRows);
      layer.start[entryIndex] = span.start;
      layer.end[entryIndex] = end;
      layer.maxEnd[entryIndex] = maxEnd;
      layer.row[entryIndex] = row;
      layer.owner[entryIndex] = owner;
      layer.step[entryIndex] = span.index;
      layer.name[entryIndex] = texts.indexOf(span.name);
      layer.error[entryIndex] = texts.indexOf(error);
      layer.kind[entryIndex] =
        stepStates.indexOf(end === Infinity || span.state !== 'running' ? span.state : 'unknown') |
        (span.waiting ? waitingFlag : 0) |
        (span.isEarliestStart === true ? atEarliestFlag : 0) |
        (span.childSpan === undefined ? 0 : byTransferFlag);
      entryIndex += 1;
    }
  }
  layer.offsets[lanes.length] = entryIndex;
  return layer;
}

function workflowColumns(workflows: readonly Workflow[], parseStamp: ParseStamp, texts: TextTable): WorkflowColumns {
  const toTextIndexes = (select: (workflow: Workflow) => string) =>
    Uint32Array.from(workflows, (workflow) => texts.indexOf(select(workflow)));
  return {
    id: toTextIndexes(({ workflow_id: id }) => id),
    name: toTextIndexes(({ name }) => name),
    author: toTextIndexes(getAuthor),
    experiment: toTextIndexes(({ ownership_info: { experiment_id: id } }) => id ?? ''),
    state: Uint8Array.from(workflows, (workflow) => workflowStates.indexOf(workflowState(workflow))),
    endedAt: Float64Array.from(workflows, (workflow) =>
      hasEnded(workflow) ? (parseStamp(workflow.end_time) ?? Number.NaN) : Number.NaN,
    ),
  };
}

/** Returns the buffers that a message transfers instead of copying. */
export function listBuffers({ workflows, lanes: _lanes, ...columns }: Layer): ArrayBuffer[] {
  return [...Object.values(columns), ...Object.values(workflows as unknown as Record<string, Uint8Array>)].map(
    ({ buffer }) => buffer as ArrayBuffer,
  );
}
