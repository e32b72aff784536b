/** When each step of a workflow ran and waited, as lanes and spans of a time axis. Nothing is drawn without times. Pure. */
import { stepLooks, workflowLooks } from '../../../../api/states.ts';
import type { Step, Workflow } from '../../../../api/managers/workflow.ts';
import { workflowsTexts } from '../texts.ts';
import type { Lane, Span } from '../../../components/time/timeAxis.ts';
import {
  currentStep,
  isBuiltIn,
  isWaiting,
  nodesOf,
  stepName,
  stepState,
} from '../../../managers/workcell/workflowState.ts';
import { attemptsOf } from './attempts.ts';

const texts = workflowsTexts.page;
/** Of steps that the workcell manager does itself; no node may be called so. */
const own = ':workcell';

type At = (stamp: string | null | undefined) => number | null;

function laneOf(step: Step): string {
  return isBuiltIn(step) ? own : (step.node ?? '');
}

/** The workflows that carry for its transfers, by the index of the step. */
export type Children = ReadonlyMap<number, Workflow>;
const childless: Children = new Map();

export function lanesOf(workflow: Pick<Workflow, 'steps'>, children = childless): readonly Lane[] {
  const names = new Set([workflow, ...children.values()].flatMap(nodesOf));
  const nodes = [...names].map((name) => ({ key: name, label: name }));
  return workflow.steps.some(isBuiltIn) ? [...nodes, { key: own, label: texts.lane }] : nodes;
}

/** The span's key for a step's last attempt; the step can be read from any key by `stepOfKey`. */
export function keyOfStep(index: number, attempt: number): string {
  return `${index}.${attempt}`;
}
export function stepOfKey(key: string): number {
  return Number.parseInt(key, 10);
}

interface Time {
  readonly start: number;
  readonly end: number | null;
  /** It started then or later: of a built-in step that runs, the manager doesn't say when. */
  readonly atEarliest?: true;
}

/** When a built-in step that runs was started, as far as others tell; what it says itself is of an earlier attempt. */
function startOfBuiltIn(workflow: TimedWorkflow, index: number, at: At, child: Workflow | undefined): Time | null {
  const known = at(child?.submitted_time) ?? (index === 0 ? at(workflow.start_time) : null);
  if (known !== null) return { start: known, end: null };
  const start = at(workflow.steps[index - 1]?.end_time) ?? at(workflow.start_time);
  return start === null ? null : { start, end: null, atEarliest: true };
}

type TimedWorkflow = Pick<Workflow, 'steps' | 'status' | 'start_time'>;

/** When the step's latest attempt ran, as the step itself says; `null` before it started, or while it is yet to run again. */
export function timeOf(workflow: TimedWorkflow, index: number, at: At, child?: Workflow): Time | null {
  const step = workflow.steps[index];
  if (step === undefined) return null;
  const state = stepState(workflow, index);
  if (state === 'running' && isBuiltIn(step)) return startOfBuiltIn(workflow, index, at, child);
  const start = at(step.start_time);
  if (start === null) return null;
  if (state === 'waiting') return null;
  // A retry starts a step anew and leaves the end of the earlier attempt.
  const end = at(step.end_time);
  const ended = end !== null && end >= start ? end : null;
  if (state === 'running' || state === 'paused') return { start, end: state === 'running' ? null : ended };
  return { start, end: ended ?? at(step.result?.history_created_at) ?? start };
}

export function spansOf(workflow: Workflow, at: At, children = childless): readonly Span[] {
  const spans: Span[] = [];
  let before = at(workflow.submitted_time);
  for (const [index, step] of workflow.steps.entries()) {
    const name = stepName(step, index);
    const lane = laneOf(step);
    const child = children.get(index);
    const time = timeOf(workflow, index, at, child);
    const attempts = attemptsOf(step);
    const past = time === null ? attempts : attempts.slice(0, -1);
    const earlier = past.flatMap(({ first, last, state }, number) => {
      const [start, end] = [at(first), at(last)];
      if (start === null || end === null) return [];
      const label = texts.again(name, number + 1);
      return [{ key: keyOfStep(index, number), lane, start, end, look: stepLooks[state], label }];
    });
    const began = earlier[0]?.start ?? time?.start ?? null;
    if (began !== null && before !== null && began > before)
      spans.push({ key: `${index}.w`, lane, start: before, end: began, ...waiting(name) });
    spans.push(...earlier);
    // On the lanes of the nodes that do the work.
    if (child !== undefined)
      spans.push(...spansOf(child, at).map((span) => ({ ...span, key: `${index}.c${span.key}` })));
    if (time !== null) {
      const number = Math.max(0, attempts.length - 1);
      const label = number === 0 ? name : texts.again(name, number + 1);
      spans.push({ key: keyOfStep(index, number), lane, ...time, look: stepLooks[stepState(workflow, index)], label });
      before = time.end;
    } else if (step === currentStep(workflow) && isWaiting(workflow) && before !== null) {
      const start = at(past.at(-1)?.last) ?? before;
      spans.push({ key: `${index}.w${past.length}`, lane, start, end: null, ...waiting(name) });
      before = null;
    } else before = null;
  }
  return spans;
}

function waiting(step: string): Pick<Span, 'look' | 'label' | 'thin'> {
  return { look: workflowLooks.queued, label: texts.waitsFor(step), thin: true };
}
