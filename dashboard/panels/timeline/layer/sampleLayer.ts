/** Layers for tests: of entries that are written down, without workflows to read them from. */
import { stepStates, workflowStates, type StepState } from '../../../../api/states.ts';
import { waitingFlag, type Layer } from './layer.ts';

export interface SampleEntry {
  readonly lane?: string;
  readonly start: number;
  /** Infinite: it goes on. */
  readonly end: number;
  readonly state?: StepState;
  readonly waiting?: boolean;
  readonly owner?: number;
  readonly row?: number;
  /** Of the step in its workflow; by default its place in the layer. */
  readonly step?: number;
}

/** @param owners how many workflows there are; each has completed */
export function sampleLayer(entries: readonly SampleEntry[], owners = 4): Layer {
  const lanes = [...new Set(entries.map(({ lane = 'arm' }) => lane))];
  const sorted = lanes.flatMap((name) =>
    entries.filter(({ lane = 'arm' }) => lane === name).toSorted((a, b) => a.start - b.start),
  );
  const offsets = [0];
  for (const name of lanes)
    offsets.push((offsets.at(-1) ?? 0) + sorted.filter(({ lane = 'arm' }) => lane === name).length);
  const reach = sorted.map(({ lane = 'arm' }, index) =>
    Math.max(...sorted.slice(offsets[lanes.indexOf(lane)], index + 1).map(({ end }) => end)),
  );
  const places = Uint32Array.from({ length: owners }, (_none, index) => index + 1);
  return {
    lanes,
    offsets: Uint32Array.from(offsets),
    rowCounts: Uint8Array.from(lanes, () => 1),
    start: Float64Array.from(sorted, ({ start }) => start),
    end: Float64Array.from(sorted, ({ end }) => end),
    reach: Float64Array.from(reach),
    kind: Uint8Array.from(
      sorted,
      ({ state = 'succeeded', waiting }) => stepStates.indexOf(state) | (waiting === true ? waitingFlag : 0),
    ),
    row: Uint8Array.from(sorted, ({ row = 0 }) => row),
    owner: Uint32Array.from(sorted, ({ owner = 0 }) => owner),
    step: Uint32Array.from(sorted, ({ step }, index) => step ?? index),
    name: Uint32Array.from(sorted, () => 1),
    error: Uint32Array.from(sorted, ({ state }) => (state === 'failed' ? 2 : 0)),
    workflows: {
      id: places,
      name: places,
      author: places,
      experiment: new Uint32Array(owners),
      state: new Uint8Array(owners).fill(workflowStates.indexOf('completed')),
      ended: new Float64Array(owners).fill(50),
    },
  };
}

/** Every workflow is shown. */
export const everyone = new Uint8Array(64).fill(1);
