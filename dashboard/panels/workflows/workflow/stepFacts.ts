/** Texts of a step in the table, and the lanes and spans of the time axis. */
import type { Condition } from '#api/resourceCondition.ts';
import type { Step, Workflow } from '#api/managers/workflow.ts';
import { stepAppearances, workflowAppearances } from '#api/states.ts';
import { workflowsTexts } from '../texts.ts';
import { isResourceArgument } from '#dashboard/components/form/suggestion.ts';
import { shortId } from '#dashboard/base/objectPages.ts';
import { hasEnded, stepState, isBuiltIn, listNodes } from '#dashboard/managers/workcell/workflowState.ts';
import { truncate } from '#dashboard/base/texts.ts';
import type { Lane, LaneSpan } from '#dashboard/components/time/timeAxis.ts';
import {
  workcellLane,
  listStepSpans,
  type ParseStamp,
  type ChildWorkflows,
  type StepSpan,
} from '#dashboard/managers/workcell/stepSpans.ts';
import { formatJson } from '#api/exactJson.ts';

/** `Completed`, `Waits for step 4`, `Not reached`. */
export function describeStepState(workflow: Pick<Workflow, 'steps' | 'status'>, index: number): string {
  const state = stepState(workflow, index);
  if (state !== 'waiting') return stepAppearances[state].label;
  if (hasEnded(workflow)) return 'Not reached';
  return index === workflow.status.current_step_index ? 'Waits to start' : `Waits for step ${index}`;
}

interface StepLocation {
  readonly argument: string;
  /** The location's name, or the literal value. */
  readonly name: string;
  /** Whether `name` is the name of a location. */
  readonly isNamed: boolean;
  readonly resource: string;
}

/** Returns the locations of a step, sources before targets. */
export function listLocations({ locations = {} }: Pick<Step, 'locations'>): readonly StepLocation[] {
  const stepLocations = Object.entries(locations).flatMap(([argument, location]): StepLocation[] => {
    if (location === null || location === undefined) return [];
    if (typeof location === 'string') return [{ argument, name: location, isNamed: true, resource: '' }];
    const isNamed = Boolean(location.location_name);
    const name = location.location_name || formatValue(location.representation);
    return [{ argument, name, isNamed, resource: location.resource_id ?? '' }];
  });
  const order = (argument: string): number =>
    /^(source|from)/.test(argument) ? 0 : /^(target|to)\b/.test(argument) ? 1 : 2;
  return stepLocations.toSorted((a, b) => order(a.argument) - order(b.argument));
}

/** Returns `deck_1 → plate_carriage`, or a list of places. */
export function describeLocations(step: Pick<Step, 'locations'>): string {
  const stepLocations = listLocations(step);
  const isMove = stepLocations.length === 2 && /^(source|from)/.test(stepLocations[0]?.argument ?? '');
  return stepLocations.map(({ name }) => name).join(isMove ? ' → ' : ', ');
}

const maxValueLength = 120;

/** Returns text unchanged, and other values as truncated JSON on one line. */
export function formatValue(value: unknown): string {
  const text = formatJson(value);
  return typeof value === 'string' ? text : truncate(text, maxValueLength);
}

interface ArgumentLine {
  readonly name: string;
  readonly value: string;
  /** Key of the parameter that the value comes from; empty for a value in the step. */
  readonly parameter: string;
  /** IDs of the resources in the value. */
  readonly resources: readonly string[];
}

export function listArgumentLines({ args = {}, use_parameters: uses }: Step): readonly ArgumentLine[] {
  return Object.entries(args).map(([name, value]) => {
    const key = uses?.args?.[name];
    const ids = isResourceArgument(name) ? [value].flat().filter((id) => typeof id === 'string') : [];
    return { name, value: formatValue(value), parameter: typeof key === 'string' ? key : '', resources: ids };
  });
}

/** Returns the file of each argument: its parameter, and its original name. */
export function listFileLines({ files = {} }: Step, { file_input_paths: paths, file_input_ids: ids }: Workflow) {
  return Object.entries(files).map(([name, input]) => {
    const parameter = typeof input === 'string' ? input : readParameterKey(input);
    const path = paths?.[parameter] ?? '';
    return {
      name,
      parameter,
      file: path.split(/[\\/]/).at(-1) ?? '',
      datapoint: ids?.[parameter] ?? null,
    };
  });
}

function readParameterKey(input: unknown): string {
  const key = typeof input === 'object' && input !== null ? (input as { readonly key?: unknown }).key : undefined;
  return typeof key === 'string' ? key : '';
}

/**
 * Returns a condition as text; unknown conditions of a later MADSci as raw data.
 * @param getName returns the name of a resource or location that is given only by ID
 */
export function describeCondition(
  condition: Condition,
  getName: (kind: 'resource' | 'location', id: string) => string = (_kind, id) => shortId(id),
): string {
  const sentences = workflowsTexts.conditions;
  const location = condition.location_name || (condition.location_id ? getName('location', condition.location_id) : '');
  const { key } = condition;
  const position =
    key === undefined || key === 0 ? '' : `, position ${Array.isArray(key) ? key.join(', ') : String(key)}`;
  const kind = condition.resource_class || 'something';
  const resource = condition.resource_name || (condition.resource_id ? getName('resource', condition.resource_id) : '');
  const { field = '', operator = '', target_value: targetValue } = condition;
  const check = `${field} of ${resource} ${sentences.operators[operator] ?? operator} ${formatValue(targetValue)}`;
  switch (condition.condition_type) {
    case 'resource_present':
      return `${kind} is at ${location}${position}`;
    case 'no_resource_present':
      return `${kind} is not at ${location}${position}`;
    case 'resource_field_check':
      return check;
    case 'resource_child_field_check':
      return `${check} (MADSci 0.8 never checks this one)`;
    default:
      return formatValue(condition);
  }
}

const pageTexts = workflowsTexts.page;
const noChildren: ChildWorkflows = new Map();

/** Returns the lanes of the time axis: one for each node, and one for the steps that the workcell manager executes. */
export function createLanes(workflow: Pick<Workflow, 'steps'>, children = noChildren): readonly Lane[] {
  const names = new Set([workflow, ...children.values()].flatMap(listNodes));
  const nodes = [...names].map((name) => ({ key: name, label: name }));
  return workflow.steps.some(isBuiltIn) ? [...nodes, { key: workcellLane, label: pageTexts.lane }] : nodes;
}

/** The span's key; `parseStepIndex` reads the step's index from it. */
function spanKey({ index, attempt, waiting, end, childSpan }: StepSpan): string {
  if (childSpan !== undefined) return `${index}.c${spanKey(childSpan)}`;
  if (!waiting) return `${index}.${attempt}`;
  return end === null ? `${index}.w${attempt}` : `${index}.w`;
}
export function parseStepIndex(key: string): number {
  return Number.parseInt(key, 10);
}

/** Returns the spans of the time axis in which the steps waited and ran; none if the workflow has no times. */
export function createLaneSpans(
  workflow: Workflow,
  parseStamp: ParseStamp,
  children = noChildren,
): readonly LaneSpan[] {
  return listStepSpans(workflow, parseStamp, children).map((span) => {
    const { lane, start, end, isEarliestStart, name, attempt } = span;
    const time = isEarliestStart === true ? { start, end, atEarliest: isEarliestStart } : { start, end };
    const label = attempt === 0 && span.past !== true ? name : pageTexts.again(name, attempt + 1);
    return {
      key: spanKey(span),
      lane,
      ...time,
      ...(span.waiting
        ? { appearance: workflowAppearances.queued, label: pageTexts.waitsFor(name), thin: true }
        : { appearance: stepAppearances[span.state], label }),
    };
  });
}
