/** Which run of a step an entry is: the same in every layer, while the places of entries are each layer's own. Pure. */
import { boundsOf, isWait, type Layer } from './layer.ts';

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
