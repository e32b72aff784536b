/** Positions of the lanes, and which do not fit in kiosk mode. */
import { workcellLane } from '#dashboard/managers/workcell/stepSpans.ts';
import type { Layer } from '../layer/layer.ts';

/** Key of the lane with the managers' outages; not a valid node name. */
export const outageLane = ':managers';

export interface Lane {
  /** A node's name, `workcellLane` or `outageLane`. */
  readonly key: string;
  /** Index in the layer; `null` if nothing ran. */
  readonly layerIndex: number | null;
  /** In CSS pixels, from the top of the first lane. */
  readonly top: number;
  readonly height: number;
  readonly rows: number;
}

export interface LaneSizes {
  /** The height of a row of bars, in CSS pixels. */
  readonly row: number;
  /** The total space above and below the rows, in CSS pixels. */
  readonly padding: number;
}

/**
 * Returns the workcell's nodes in its order, then nodes that exist only in the past, then the lane of the workcell
 * manager's own steps. That one is always shown, so that the lanes below do not move when its first step is read.
 */
export function listLaneKeys(
  nodes: readonly string[],
  layer: Pick<Layer, 'lanes'> | null,
  onlyNode: string | null,
): readonly string[] {
  const lanesWithSteps = layer?.lanes ?? [];
  const pastNodes = lanesWithSteps.filter((lane) => lane !== workcellLane && !nodes.includes(lane)).toSorted();
  const all = [...nodes, ...pastNodes, workcellLane];
  return onlyNode === null ? all : all.filter((key) => key === onlyNode);
}

/**
 * @param outageRows the maximum number of simultaneous outages of managers in the span; 0 omits their lane
 * @param rowCount the number of rows of a lane
 */
export function stackLanes(
  keys: readonly string[],
  layer: Pick<Layer, 'lanes'> | null,
  { row, padding }: LaneSizes,
  outageRows: number,
  rowCount: (key: string) => number = () => 1,
): readonly Lane[] {
  const layerIndexes = new Map(layer?.lanes.map((key, index) => [key, index]));
  let top = 0;
  const addLane = (key: string, rows: number): Lane => {
    const height = rows * row + padding;
    top += height;
    return { key, layerIndex: layerIndexes.get(key) ?? null, top: top - height, height, rows };
  };
  const nodes = keys.map((key) => addLane(key, rowCount(key)));
  return outageRows === 0 ? nodes : [...nodes, addLane(outageLane, outageRows)];
}

export function lanesHeight(lanes: readonly Lane[]): number {
  const last = lanes.at(-1);
  return last === undefined ? 0 : last.top + last.height;
}

/**
 * Returns the busiest lanes that fit into the height in pixels, in their original order, and the remaining ones. At least
 * one lane is returned.
 */
export function fitLanes(
  keys: readonly string[],
  busyFraction: (key: string) => number,
  laneHeight: (key: string) => number,
  availableHeight: number,
): { readonly fittingKeys: readonly string[]; readonly remainingKeys: readonly string[] } {
  const fitting = new Set<string>();
  let used = 0;
  for (const key of keys.toSorted((a, b) => busyFraction(b) - busyFraction(a))) {
    used += laneHeight(key);
    if (fitting.size > 0 && used > availableHeight) break;
    fitting.add(key);
  }
  return {
    fittingKeys: keys.filter((key) => fitting.has(key)),
    remainingKeys: keys.filter((key) => !fitting.has(key)),
  };
}

export function laneAt(lanes: readonly Lane[], y: number): Lane | null {
  return lanes.find(({ top, height }) => y >= top && y < top + height) ?? null;
}
