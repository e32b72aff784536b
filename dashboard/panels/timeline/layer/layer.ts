/**
 * All waits and runs of the loaded steps as typed arrays: a worker transfers them without copying, and a search over
 * 50,000 takes less than a frame. Texts are in a separate table.
 */
import { stepStates, workflowStates, type StepState, type WorkflowState } from '#api/states.ts';

/** Entries are grouped by lane and sorted by start. */
export interface Layer {
  /** The lanes: names of nodes, or `workcellLane`. */
  readonly lanes: readonly string[];
  /** Start index of each lane's entries, plus the end of the last lane. */
  readonly offsets: Uint32Array;
  /** ms since the epoch. */
  readonly start: Float64Array;
  /** Infinity while running. */
  readonly end: Float64Array;
  /** The latest end of this entry and earlier ones in the lane, for binary search by time. */
  readonly maxEnd: Float64Array;
  /** Index in `stepStates`, combined with the flags below. */
  readonly kind: Uint8Array;
  /** Concurrent entries of a lane are drawn below each other, up to `maxRows`. */
  readonly row: Uint8Array;
  /** Index in `workflows`. */
  readonly owner: Uint32Array;
  /** Index of the step in its workflow, from 0. */
  readonly step: Uint32Array;
  /** Index of its name in the text table. */
  readonly name: Uint32Array;
  /** Index of its error in the text table, 0 without one. */
  readonly error: Uint32Array;
  readonly workflows: WorkflowColumns;
}

/** The workflows; texts are indexes in the text table, 0 is the empty text. */
export interface WorkflowColumns {
  readonly id: Uint32Array;
  readonly name: Uint32Array;
  readonly author: Uint32Array;
  readonly experiment: Uint32Array;
  /** Index in `workflowStates`. */
  readonly state: Uint8Array;
  /** ms since the epoch; NaN if not ended. */
  readonly endedAt: Float64Array;
}

/** Flags in `kind`. */
export const stateBits = 7;
export const waitingFlag = 8;
/** Set if the entry started at its start time or later. */
export const atEarliestFlag = 16;
/** Executed by the workflow that performs a transfer. */
export const byTransferFlag = 32;

export function stateAt({ kind }: Pick<Layer, 'kind'>, index: number): StepState {
  return stepStates[(kind[index] ?? 0) & stateBits] ?? 'unknown';
}
export function isWait({ kind }: Pick<Layer, 'kind'>, index: number): boolean {
  return ((kind[index] ?? 0) & waitingFlag) !== 0;
}
export function workflowStateAt({ workflows }: Pick<Layer, 'workflows'>, workflow: number): WorkflowState {
  return workflowStates[workflows.state[workflow] ?? 0] ?? 'queued';
}

/** Returns the index of the first value above `min` in the ascending `values[from, to)`; `to` if there is none. */
function firstIndexAbove(values: Float64Array, min: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? Infinity) > min) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the start and end index of a lane's entries. */
function laneBounds(layer: Pick<Layer, 'offsets'>, lane: number): readonly [from: number, to: number] {
  return [layer.offsets[lane] ?? 0, layer.offsets[lane + 1] ?? 0];
}

/** Tolerance in ms, so that an entry that ends exactly at the time is included. */
const toleranceMs = 0.001;

/**
 * Returns a range of the lane's entries that includes all that overlap `from` to `to`; a few of them may have ended
 * before.
 */
export function overlappingRange(
  layer: Layer,
  lane: number,
  from: number,
  to: number,
): readonly [from: number, to: number] {
  const [begin, end] = laneBounds(layer, lane);
  const first = firstIndexAbove(layer.maxEnd, from - toleranceMs, begin, end);
  return [first, firstIndexAbove(layer.start, to, first, end)];
}

/** Returns the earliest start of the entries that overlap the time since `from`, not before it; `null` if there are none. */
export function firstStartSince(layer: Layer, from: number): number | null {
  const starts = layer.lanes.flatMap((_lane, index) => {
    const [first, last] = overlappingRange(layer, index, from, Infinity);
    return first < last ? [layer.start[first] ?? Infinity] : [];
  });
  return starts.length === 0 ? null : Math.max(from, Math.min(...starts));
}

/** Maximum number of rows of a lane; further overlapping entries are drawn as one in the last row. */
export const maxRows = 12;

/** Returns how many rows the shown entries of a lane need between two times. */
export function countRows(
  layer: Layer,
  lane: number,
  from: number,
  to: number,
  now: number,
  visibleWorkflows: Uint8Array,
): number {
  const [first, last] = overlappingRange(layer, lane, from, to);
  let rows = 1;
  for (let entry = first; entry < last; entry += 1) {
    if (isWait(layer, entry) || visibleWorkflows[layer.owner[entry] ?? 0] === 0 || endAt(layer, entry, now) < from)
      continue;
    rows = Math.max(rows, (layer.row[entry] ?? 0) + 1);
  }
  return rows;
}

/** Returns when the entry ended, or `now` while it runs; never before its start. */
export function endAt(layer: Layer, index: number, now: number): number {
  const end = layer.end[index] ?? 0;
  return Math.max(layer.start[index] ?? 0, end === Infinity ? now : end);
}

/** Returns how long the lane ran between two times, in ms; concurrent entries count once. */
export function busyTime(
  layer: Layer,
  lane: number,
  from: number,
  to: number,
  now: number,
  visibleWorkflows: Uint8Array,
): number {
  const [first, last] = overlappingRange(layer, lane, from, to);
  let [busy, until] = [0, from];
  for (let index = first; index < last; index += 1) {
    if (isWait(layer, index) || visibleWorkflows[layer.owner[index] ?? 0] === 0) continue;
    const begin = Math.max(until, layer.start[index] ?? 0);
    const end = Math.min(to, endAt(layer, index, now));
    if (end <= begin) continue;
    busy += end - begin;
    until = end;
  }
  return busy;
}

/** Identifies the run of a step across layers, whereas indexes of entries belong to one layer. */
export interface StepRun {
  readonly lane: string;
  /** Index of the workflow's ID in the text table, which only grows, so the index is stable. */
  readonly workflow: number;
  /** Index of the step in its workflow, from 0. */
  readonly step: number;
}

export function runAt({ owner, step, workflows }: Layer, lane: string, entry: number): StepRun {
  return { lane, workflow: workflows.id[owner[entry] ?? 0] ?? 0, step: step[entry] ?? 0 };
}

/** Returns the index in the layer; `null` if the layer does not contain it. */
export function findEntry(layer: Layer, { lane, workflow, step }: StepRun): number | null {
  const laneIndex = layer.lanes.indexOf(lane);
  const owner = layer.workflows.id.indexOf(workflow);
  if (laneIndex === -1 || owner === -1) return null;
  const [from, to] = laneBounds(layer, laneIndex);
  for (let entry = from; entry < to; entry += 1)
    if (layer.owner[entry] === owner && layer.step[entry] === step && !isWait(layer, entry)) return entry;
  return null;
}

/** Table of distinct texts by index. The page has a copy and receives only new texts. */
export interface TextTable {
  /** 0 for the empty text. */
  readonly indexOf: (text: string) => number;
  /** Returns the texts added since the last call. */
  readonly consumeAdded: () => readonly string[];
}

export function createTextTable(): TextTable {
  const indexes = new Map([['', 0]]);
  let addedTexts: string[] = [''];
  return {
    indexOf: (text) => {
      const existing = indexes.get(text);
      if (existing !== undefined) return existing;
      const index = indexes.size;
      indexes.set(text, index);
      addedTexts.push(text);
      return index;
    },
    consumeAdded: () => {
      const consumed = addedTexts;
      addedTexts = [];
      return consumed;
    },
  };
}
