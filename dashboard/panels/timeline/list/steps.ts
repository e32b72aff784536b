/** The steps that ran or wait in the span, as rows of a table. Pure. */
import type { TimeRange } from '../../../base/time.ts';
import type { StepState } from '../../../../api/states.ts';
import { atEarliestFlag, carriedFlag, endAt, isWait, type Layer, stateAt, touching } from '../layer/layer.ts';

export interface StepRow {
  /** Place in the layer it was made from. */
  readonly entry: number;
  readonly key: string;
  /** A node's name, or `ownLane`. */
  readonly lane: string;
  readonly step: string;
  /** In its workflow, from 0. */
  readonly index: number;
  readonly workflow: string;
  readonly workflowId: string;
  readonly author: string;
  /** Its ID; empty without one. */
  readonly experiment: string;
  /** ms since the epoch. */
  readonly start: number;
  /** `null`: it goes on. */
  readonly end: number | null;
  readonly state: StepState;
  readonly waiting: boolean;
  readonly atEarliest: boolean;
  /** Done by a workflow that carries for the transfer at `index`. */
  readonly carried: boolean;
  /** Why it failed; empty unless it did. */
  readonly error: string;
}

type Texts = (place: number | undefined) => string;

export function rowOf(layer: Layer, texts: Texts, entry: number, lane: string): StepRow {
  const owner = layer.owner[entry] ?? 0;
  const { id, name, author, experiment } = layer.workflows;
  const kind = layer.kind[entry] ?? 0;
  const index = layer.step[entry] ?? 0;
  const workflowId = texts(id[owner]);
  const start = layer.start[entry] ?? 0;
  const end = layer.end[entry] ?? 0;
  return {
    entry,
    key: `${workflowId} ${index} ${start} ${kind} ${lane}`,
    lane,
    step: texts(layer.name[entry]),
    index,
    workflow: texts(name[owner]),
    workflowId,
    author: texts(author[owner]),
    experiment: texts(experiment[owner]),
    start,
    end: end === Infinity ? null : end,
    state: stateAt(layer, entry),
    waiting: isWait(layer, entry),
    atEarliest: (kind & atEarliestFlag) !== 0,
    carried: (kind & carriedFlag) !== 0,
    error: texts(layer.error[entry]),
  };
}

export interface StepsInSpan {
  /** Runs alone, newest first. */
  readonly rows: readonly StepRow[];
  /** How many there are, shown or not. */
  readonly total: number;
}

/** The newest `most` runs that touch the span, of the given lanes and the shown workflows. */
export function stepsIn(
  { layer, texts, shown }: { readonly layer: Layer; readonly texts: Texts; readonly shown: Uint8Array },
  { from, to }: TimeRange,
  now: number,
  lanes: ReadonlySet<string>,
  most: number,
): StepsInSpan {
  const found: { readonly entry: number; readonly lane: string; readonly start: number }[] = [];
  let total = 0;
  for (const [place, lane] of layer.lanes.entries()) {
    if (!lanes.has(lane)) continue;
    const [first, last] = touching(layer, place, from, to);
    let taken = 0;
    // From the newest back: of each lane no more than can be shown at all.
    for (let entry = last - 1; entry >= first; entry -= 1) {
      if (isWait(layer, entry) || shown[layer.owner[entry] ?? 0] === 0 || endAt(layer, entry, now) < from) continue;
      total += 1;
      if (taken < most) found.push({ entry, lane, start: layer.start[entry] ?? 0 });
      taken += 1;
    }
  }
  const newest = found.toSorted((a, b) => b.start - a.start).slice(0, most);
  return { rows: newest.map(({ entry, lane }) => rowOf(layer, texts, entry, lane)), total };
}
