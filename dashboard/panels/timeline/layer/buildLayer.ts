/** Builds the layer of the workflows, in the worker. Pure. */
import { stepStates, workflowStates } from '../../../../api/states.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import { freeRow, groupBy } from '../../../base/grouping.ts';
import { attemptsOf } from '../../../managers/workcell/attempts.ts';
import { stepSpansOf, type ParseStamp, type Children, type StepSpan } from '../../../managers/workcell/stepSpans.ts';
import { childOf, isTransfer, namedChild } from '../../../managers/workcell/transfers.ts';
import {
  authorOf,
  haltedStep,
  hasEnded,
  isFinishing,
  stepState,
  workflowState,
  type ExecutingNodes,
  finishingStates,
} from '../../../managers/workcell/workflowState.ts';
import {
  atEarliestFlag,
  carriedFlag,
  maxRows,
  waitingFlag,
  type Layer,
  type WorkflowColumns,
  type TextTable,
} from './layer.ts';

/** Returns the child workflow of each transfer step, from the loaded workflows. */
function carriersOf(workflows: readonly Workflow[]): ReadonlyMap<string, Children> {
  const byId = new Map(workflows.map((workflow) => [workflow.workflow_id, workflow]));
  const carriers = new Map<string, Map<number, Workflow>>();
  const note = (parent: Workflow, index: number, child: Workflow): void => {
    if (child.workflow_id === parent.workflow_id) return;
    const byStep = carriers.get(parent.workflow_id) ?? new Map<number, Workflow>();
    carriers.set(parent.workflow_id, byStep.set(index, child));
  };
  const active = workflows.filter((workflow) => !hasEnded(workflow));
  for (const workflow of workflows) {
    for (const [index, step] of workflow.steps.entries()) {
      const child = isTransfer(step) ? byId.get(namedChild(step) ?? '') : undefined;
      if (child !== undefined) note(workflow, index, child);
    }
    const link = hasEnded(workflow) ? null : childOf(workflow, active);
    if (link !== null) note(workflow, workflow.status.current_step_index, link.workflow);
  }
  return carriers;
}

/** Shorter waits, in ms, are due to the scheduler, which starts a step every five seconds at most. */
const rhythm = 10_000;

const none: Children = new Map();

interface Entry {
  readonly span: StepSpan;
  readonly owner: number;
  readonly end: number;
  /** Empty unless it failed. */
  readonly error: string;
}

/** Returns the error texts of a failed attempt from its results. */
function errorOf({ index, attempt, state, waiting, childSpan }: StepSpan, workflow: Workflow): string {
  const at = childSpan?.index ?? index;
  const step = workflow.steps[at];
  if (waiting || state !== 'failed' || step === undefined) return '';
  return (attemptsOf(step, stepState(workflow, at))[childSpan?.attempt ?? attempt]?.errors ?? []).join('; ');
}

/**
 * Returns the end for drawing. A step without an end continues only while its workflow runs, because MADSci may not have
 * updated it.
 */
function endOf(span: StepSpan, workflow: Workflow, at: ParseStamp): number {
  if (span.end !== null) return Math.max(span.start, span.end);
  if (!hasEnded(workflow)) return Infinity;
  return Math.max(span.start, at(workflow.end_time) ?? span.start);
}

/** A step that its node still executes after the workflow was cancelled or paused continues. */
function stillExecuted(span: StepSpan, workflow: Workflow, nodes: ExecutingNodes): StepSpan {
  if (span.waiting || span.past === true || span.childSpan !== undefined) return span;
  const halted = haltedStep(workflow);
  if (halted === null || halted.step !== span.index + 1 || !isFinishing(halted, nodes)) return span;
  return { ...span, end: Infinity, state: 'running', name: `${span.name}: ${finishingStates[halted.state]}` };
}

/**
 * @param spansOf returns the spans of a workflow, possibly cached
 * @param nodes current nodes
 */
export function buildLayer(
  workflows: readonly Workflow[],
  at: ParseStamp,
  texts: TextTable,
  spansOf: (workflow: Workflow, children: Children) => readonly StepSpan[] = (workflow, children) =>
    stepSpansOf(workflow, at, children),
  nodes: ExecutingNodes = {},
): Layer {
  const carriers = carriersOf(workflows);
  const children = new Set(
    [...carriers.values()].flatMap((byStep) => [...byStep.values()].map(({ workflow_id: id }) => id)),
  );
  const owners = workflows.filter(({ workflow_id: id }) => !children.has(id));
  const entries = owners.flatMap((workflow, owner) => {
    const byStep = carriers.get(workflow.workflow_id) ?? none;
    return spansOf(workflow, byStep).flatMap((one): Entry[] => {
      const span = stillExecuted(one, workflow, nodes);
      const executor = span.childSpan === undefined ? workflow : (byStep.get(span.index) ?? workflow);
      const end = endOf(span, executor, at);
      if (span.waiting && end - span.start < rhythm) return [];
      return Number.isFinite(span.start) && !Number.isNaN(end)
        ? [{ span, owner, end, error: errorOf(span, executor) }]
        : [];
    });
  });
  return columnsOf(
    groupBy(entries, ({ span }) => span.lane),
    workflowColumns(owners, at, texts),
    texts,
  );
}

function columnsOf(byLane: ReadonlyMap<string, Entry[]>, workflows: WorkflowColumns, texts: TextTable): Layer {
  const lanes = [...byLane.keys()];
  const count = [...byLane.values()].reduce((sum, laneEntries) => sum + laneEntries.length, 0);
  const layer = {
    lanes,
    offsets: new Uint32Array(lanes.length + 1),
    start: new Float64Array(count),
    end: new Float64Array(count),
    reach: new Float64Array(count),
    kind: new Uint8Array(count),
    row: new Uint8Array(count),
    owner: new Uint32Array(count),
    step: new Uint32Array(count),
    name: new Uint32Array(count),
    error: new Uint32Array(count),
    workflows,
  };
  let place = 0;
  for (const [lane, name] of lanes.entries()) {
    layer.offsets[lane] = place;
    const ends: number[] = [];
    let reach = -Infinity;
    for (const { span, owner, end, error } of (byLane.get(name) ?? []).toSorted(
      (a, b) => a.span.start - b.span.start,
    )) {
      reach = Math.max(reach, end);
      const row = span.waiting ? 0 : freeRow(ends, span.start, end, maxRows);
      layer.start[place] = span.start;
      layer.end[place] = end;
      layer.reach[place] = reach;
      layer.row[place] = row;
      layer.owner[place] = owner;
      layer.step[place] = span.index;
      layer.name[place] = texts.placeOf(span.name);
      layer.error[place] = texts.placeOf(error);
      layer.kind[place] =
        stepStates.indexOf(end === Infinity || span.state !== 'running' ? span.state : 'unknown') |
        (span.waiting ? waitingFlag : 0) |
        (span.isEarliestStart === true ? atEarliestFlag : 0) |
        (span.childSpan === undefined ? 0 : carriedFlag);
      place += 1;
    }
  }
  layer.offsets[lanes.length] = place;
  return layer;
}

function workflowColumns(workflows: readonly Workflow[], at: ParseStamp, texts: TextTable): WorkflowColumns {
  const text = (select: (workflow: Workflow) => string) =>
    Uint32Array.from(workflows, (workflow) => texts.placeOf(select(workflow)));
  return {
    id: text(({ workflow_id: id }) => id),
    name: text(({ name }) => name),
    author: text(authorOf),
    experiment: text(({ ownership_info: { experiment_id: id } }) => id ?? ''),
    state: Uint8Array.from(workflows, (workflow) => workflowStates.indexOf(workflowState(workflow))),
    ended: Float64Array.from(workflows, (workflow) =>
      hasEnded(workflow) ? (at(workflow.end_time) ?? Number.NaN) : Number.NaN,
    ),
  };
}

/** Returns the buffers that a message transfers instead of copying. */
export function buffersOf({ workflows, lanes: _lanes, ...columns }: Layer): ArrayBuffer[] {
  return [...Object.values(columns), ...Object.values(workflows as unknown as Record<string, Uint8Array>)].map(
    ({ buffer }) => buffer as ArrayBuffer,
  );
}
