/**
 * Every wait and every run of the steps that were read, as columns of numbers: they are handed over by a worker without
 * being copied, and fifty thousand are searched in less than a frame. Texts are in a table of their own. Pure.
 */
import { stepStates, workflowStates, type StepState, type WorkflowState } from '../../../../api/states.ts';

/** One lane's entries lie together, in the order of their starts. */
export interface Layer {
  /** A node's name each, or `ownLane`. */
  readonly lanes: readonly string[];
  /** Where the entries of a lane begin; one more than there are lanes. */
  readonly offsets: Uint32Array;
  /** How many rows each lane needs, so that what runs at the same time stands below each other. */
  readonly rowCounts: Uint8Array;
  /** ms since the epoch. */
  readonly start: Float64Array;
  /** Infinite while it goes on. */
  readonly end: Float64Array;
  /** The latest end of this entry and those before it in the lane: what a search for a moment needs. */
  readonly reach: Float64Array;
  /** Place in `stepStates`, and the flags below. */
  readonly kind: Uint8Array;
  readonly row: Uint8Array;
  /** Place in `workflows`. */
  readonly owner: Uint32Array;
  /** Of the step in its workflow, from 0. */
  readonly step: Uint32Array;
  /** Place of its name in the texts. */
  readonly name: Uint32Array;
  /** Place of its error in the texts, 0 without one. */
  readonly error: Uint32Array;
  readonly workflows: WorkflowColumns;
}

/** The workflows; texts as places in the table of texts, 0 being empty. */
export interface WorkflowColumns {
  readonly id: Uint32Array;
  readonly name: Uint32Array;
  readonly author: Uint32Array;
  readonly experiment: Uint32Array;
  /** Place in `workflowStates`. */
  readonly state: Uint8Array;
  /** ms since the epoch, NaN where there is none. */
  readonly ended: Float64Array;
}

/** Parts of `kind`. */
export const stateBits = 7;
export const waitingFlag = 8;
/** It started then or later. */
export const atEarliestFlag = 16;
/** Done by the workflow that carries for a transfer. */
export const carriedFlag = 32;

export function stateAt({ kind }: Pick<Layer, 'kind'>, index: number): StepState {
  return stepStates[(kind[index] ?? 0) & stateBits] ?? 'unknown';
}
export function isWait({ kind }: Pick<Layer, 'kind'>, index: number): boolean {
  return ((kind[index] ?? 0) & waitingFlag) !== 0;
}
export function workflowStateAt({ workflows }: Pick<Layer, 'workflows'>, workflow: number): WorkflowState {
  return workflowStates[workflows.state[workflow] ?? 0] ?? 'queued';
}

/** The place of the first in `values[from, to)`, which ascend, that is over `least`; `to` where none is. */
function firstOver(values: Float64Array, least: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Infinity) > least) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Where a lane's entries begin and end. */
function boundsOf(layer: Pick<Layer, 'offsets'>, lane: number): readonly [from: number, to: number] {
  return [layer.offsets[lane] ?? 0, layer.offsets[lane + 1] ?? 0];
}

/** So that what ended in the very moment counts, in ms. */
const instant = 0.001;

/** Of a lane the entries among which all are that touch the time from `from` to `to`; a few of them may have ended before. */
export function touching(layer: Layer, lane: number, from: number, to: number): readonly [from: number, to: number] {
  const [begin, end] = boundsOf(layer, lane);
  const first = firstOver(layer.reach, from - instant, begin, end);
  return [first, firstOver(layer.start, to, first, end)];
}

/** When it ended, or now; never before its start. */
export function endAt(layer: Layer, index: number, now: number): number {
  const end = layer.end[index] ?? 0;
  return Math.max(layer.start[index] ?? 0, end === Infinity ? now : end);
}

/** How long the lane ran between two moments, in ms: what ran at the same time is counted once. */
export function busyTime(layer: Layer, lane: number, from: number, to: number, now: number, shown: Uint8Array): number {
  const [first, last] = touching(layer, lane, from, to);
  let [busy, until] = [0, from];
  for (let index = first; index < last; index += 1) {
    if (isWait(layer, index) || shown[layer.owner[index] ?? 0] === 0) continue;
    const begin = Math.max(until, layer.start[index] ?? 0);
    const end = Math.min(to, endAt(layer, index, now));
    if (end <= begin) continue;
    busy += end - begin;
    until = end;
  }
  return busy;
}

/** Which run of a step an entry is: the same in every layer, while the places of entries are each layer's own. Pure. */
export interface StepRun {
  readonly lane: string;
  /** Place of the workflow's ID in the texts, which only grow: it stays. */
  readonly workflow: number;
  /** Of the step in its workflow, from 0. */
  readonly step: number;
}

export function runAt({ owner, step, workflows }: Layer, lane: string, entry: number): StepRun {
  return { lane, workflow: workflows.id[owner[entry] ?? 0] ?? 0, step: step[entry] ?? 0 };
}

/** Its place in the layer; `null` where the layer doesn't have it any more. */
export function entryOf(layer: Layer, { lane, workflow, step }: StepRun): number | null {
  const place = layer.lanes.indexOf(lane);
  const owner = layer.workflows.id.indexOf(workflow);
  if (place === -1 || owner === -1) return null;
  const [from, to] = boundsOf(layer, place);
  for (let entry = from; entry < to; entry += 1)
    if (layer.owner[entry] === owner && layer.step[entry] === step && !isWait(layer, entry)) return entry;
  return null;
}

/** Each text once, by its place: the page has the same table, and is only sent what is new in it. Pure. */
export interface TextTable {
  /** 0 for the empty text. */
  readonly placeOf: (text: string) => number;
  /** Those that were added since it was asked last. */
  readonly consumeAdded: () => readonly string[];
}

export function createTextTable(): TextTable {
  const places = new Map([['', 0]]);
  let added: string[] = [''];
  return {
    placeOf: (text) => {
      const known = places.get(text);
      if (known !== undefined) return known;
      const place = places.size;
      places.set(text, place);
      added.push(text);
      return place;
    },
    consumeAdded: () => {
      const used = added;
      added = [];
      return used;
    },
  };
}
