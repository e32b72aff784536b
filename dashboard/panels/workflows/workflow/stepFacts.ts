/** Texts of a step in the table. Pure. */
import type { Condition } from '../../../../api/resourceCondition.ts';
import type { Step, Workflow } from '../../../../api/managers/workflow.ts';
import { stepLooks, workflowLooks } from '../../../../api/states.ts';
import { workflowsTexts } from '../texts.ts';
import { isResourceArgument } from '../../../components/form/field.ts';
import { shortId } from '../../../base/objectPages.ts';
import { hasEnded, stepState, isBuiltIn, nodesOf } from '../../../managers/workcell/workflowState.ts';
import { truncate } from '../../../base/texts.ts';
import type { Lane, LaneSpan } from '../../../components/time/timeAxis.ts';
import {
  workcellLane,
  listStepSpans,
  type ParseStamp,
  type ChildWorkflows,
  type StepSpan,
} from '../../../managers/workcell/stepSpans.ts';

const texts = workflowsTexts.steps;

/** `Completed`, `Waits for step 4`, `Not reached`. */
export function stepText(workflow: Pick<Workflow, 'steps' | 'status'>, index: number): string {
  const state = stepState(workflow, index);
  if (state !== 'waiting') return stepLooks[state].label;
  if (hasEnded(workflow)) return texts.notReached;
  return index === workflow.status.current_step_index ? texts.waitsToStart : texts.waitsForStep(index);
}

interface Place {
  readonly argument: string;
  /** The location's name, or the literal value. */
  readonly name: string;
  /** Whether `name` is the name of a location. */
  readonly known: boolean;
  readonly resource: string;
}

/** Returns the locations of a step, sources before targets. */
export function placesOf({ locations = {} }: Pick<Step, 'locations'>): readonly Place[] {
  const places = Object.entries(locations).flatMap(([argument, location]): Place[] => {
    if (location === null || location === undefined) return [];
    if (typeof location === 'string') return [{ argument, name: location, known: true, resource: '' }];
    const known = Boolean(location.location_name);
    const name = location.location_name || valueText(location.representation);
    return [{ argument, name, known, resource: location.resource_id ?? '' }];
  });
  const order = (argument: string): number =>
    /^(source|from)/.test(argument) ? 0 : /^(target|to)\b/.test(argument) ? 1 : 2;
  return places.toSorted((a, b) => order(a.argument) - order(b.argument));
}

/** Returns `deck_1 → plate_carriage`, or a list of places. */
export function whereText(step: Pick<Step, 'locations'>): string {
  const places = placesOf(step);
  const moves = places.length === 2 && /^(source|from)/.test(places[0]?.argument ?? '');
  return places.map(({ name }) => name).join(moves ? ' → ' : ', ');
}

const maxValueLength = 120;

/** Returns a value on one line. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value) ?? '';
  return truncate(text, maxValueLength);
}

interface Line {
  readonly name: string;
  readonly value: string;
  /** Key of the parameter that the value comes from; empty for a value in the step. */
  readonly parameter: string;
  /** IDs of the resources in the value. */
  readonly resources: readonly string[];
}

export function argumentLines({ args = {}, use_parameters: uses }: Step): readonly Line[] {
  return Object.entries(args).map(([name, value]) => {
    const key = uses?.args?.[name];
    const ids = isResourceArgument(name) ? [value].flat().filter((id) => typeof id === 'string') : [];
    return { name, value: valueText(value), parameter: typeof key === 'string' ? key : '', resources: ids };
  });
}

/** Returns the file of each argument: its parameter, and its original name. */
export function fileLines({ files = {} }: Step, { file_input_paths: paths, file_input_ids: ids }: Workflow) {
  return Object.entries(files).map(([name, input]) => {
    const parameter = typeof input === 'string' ? input : keyOf(input);
    const path = paths?.[parameter] ?? '';
    return {
      name,
      parameter,
      file: path.split(/[\\/]/).at(-1) ?? '',
      datapoint: ids?.[parameter] ?? null,
    };
  });
}

function keyOf(input: unknown): string {
  const key = typeof input === 'object' && input !== null ? (input as { readonly key?: unknown }).key : undefined;
  return typeof key === 'string' ? key : '';
}

/**
 * Returns a condition as text; unknown conditions of a later MADSci as raw data.
 * @param nameOf returns the name of a resource or location that is given only by ID
 */
export function conditionText(
  condition: Condition,
  nameOf: (kind: 'resource' | 'location', id: string) => string = (_kind, id) => shortId(id),
): string {
  const sentences = workflowsTexts.conditions;
  const place = condition.location_name || (condition.location_id ? nameOf('location', condition.location_id) : '');
  const { key } = condition;
  const position =
    key === undefined || key === 0 ? '' : sentences.key(Array.isArray(key) ? key.join(', ') : String(key));
  const kind = condition.resource_class || sentences.anything;
  const resource = condition.resource_name || (condition.resource_id ? nameOf('resource', condition.resource_id) : '');
  const { field = '', operator = '', target_value: target } = condition;
  const check = sentences.field(resource, field, sentences.operators[operator] ?? operator, valueText(target));
  switch (condition.condition_type) {
    case 'resource_present':
      return sentences.present(place, position, kind);
    case 'no_resource_present':
      return sentences.absent(place, position, kind);
    case 'resource_field_check':
      return check;
    case 'resource_child_field_check':
      return sentences.unchecked(check);
    default:
      return valueText(condition);
  }
}

const pageTexts = workflowsTexts.page;
const childless: ChildWorkflows = new Map();

/** Returns the lanes of the time axis: one for each node, and one for the steps that the workcell manager executes. */
export function lanesOf(workflow: Pick<Workflow, 'steps'>, children = childless): readonly Lane[] {
  const names = new Set([workflow, ...children.values()].flatMap(nodesOf));
  const nodes = [...names].map((name) => ({ key: name, label: name }));
  return workflow.steps.some(isBuiltIn) ? [...nodes, { key: workcellLane, label: pageTexts.lane }] : nodes;
}

/** The span's key; the step can be read from any key by `stepOfKey`. */
function spanKey({ index, attempt, waiting, end, childSpan }: StepSpan): string {
  if (childSpan !== undefined) return `${index}.c${spanKey(childSpan)}`;
  if (!waiting) return `${index}.${attempt}`;
  return end === null ? `${index}.w${attempt}` : `${index}.w`;
}
export function stepOfKey(key: string): number {
  return Number.parseInt(key, 10);
}

/** Returns the spans of the time axis in which the steps waited and ran; none if the workflow has no times. */
export function spansOf(workflow: Workflow, parseStamp: ParseStamp, children = childless): readonly LaneSpan[] {
  return listStepSpans(workflow, parseStamp, children).map((span) => {
    const { lane, start, end, isEarliestStart: atEarliest, name, attempt } = span;
    const time = atEarliest === true ? { start, end, atEarliest } : { start, end };
    const label = attempt === 0 && span.past !== true ? name : pageTexts.again(name, attempt + 1);
    return {
      key: spanKey(span),
      lane,
      ...time,
      ...(span.waiting
        ? { look: workflowLooks.queued, label: pageTexts.waitsFor(name), thin: true }
        : { look: stepLooks[span.state], label }),
    };
  });
}
