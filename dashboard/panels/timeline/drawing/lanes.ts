/** Positions of the lanes, and which do not fit in kiosk mode. Pure. */
import { ownLane } from '../../../managers/workcell/stepSpans.ts';
import type { Layer } from '../layer/layer.ts';

/** Key of the lane with the managers' outages; not a valid node name. */
export const outageLane = ':managers';

export interface Lane {
  /** A node's name, `ownLane` or `outageLane`. */
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
  readonly room: number;
}

/**
 * Returns the workcell's nodes in its order, then nodes that exist only in the past, then the lane of the workcell
 * manager's own steps.
 */
export function laneKeys(
  nodes: readonly string[],
  layer: Pick<Layer, 'lanes'> | null,
  only: string | null,
): readonly string[] {
  const ran = layer?.lanes ?? [];
  const past = ran.filter((lane) => lane !== ownLane && !nodes.includes(lane)).toSorted();
  const all = [...nodes, ...past, ...(ran.includes(ownLane) ? [ownLane] : [])];
  return only === null ? all : all.filter((key) => key === only);
}

/**
 * @param outageRows managers that had an outage in the span at the same time; 0 for no lane of them
 * @param rowsOf the number of rows of a lane
 */
export function stackLanes(
  keys: readonly string[],
  layer: Pick<Layer, 'lanes'> | null,
  { row, room }: LaneSizes,
  outageRows: number,
  rowsOf: (key: string) => number = () => 1,
): readonly Lane[] {
  const places = new Map(layer?.lanes.map((key, place) => [key, place]));
  let top = 0;
  const lane = (key: string, rows: number): Lane => {
    const height = rows * row + room;
    top += height;
    return { key, layerIndex: places.get(key) ?? null, top: top - height, height, rows };
  };
  const nodes = keys.map((key) => lane(key, rowsOf(key)));
  return outageRows === 0 ? nodes : [...nodes, lane(outageLane, outageRows)];
}

export function heightOf(lanes: readonly Lane[]): number {
  const last = lanes.at(-1);
  return last === undefined ? 0 : last.top + last.height;
}

/**
 * Returns the busiest lanes that fit into the height in pixels, in their original order, and the remaining ones. At least
 * one lane is returned.
 */
export function fitLanes(
  keys: readonly string[],
  busyOf: (key: string) => number,
  heightOfKey: (key: string) => number,
  room: number,
): { readonly shown: readonly string[]; readonly remaining: readonly string[] } {
  const shownKeys = new Set<string>();
  let used = 0;
  for (const key of keys.toSorted((a, b) => busyOf(b) - busyOf(a))) {
    used += heightOfKey(key);
    if (shownKeys.size > 0 && used > room) break;
    shownKeys.add(key);
  }
  return { shown: keys.filter((key) => shownKeys.has(key)), remaining: keys.filter((key) => !shownKeys.has(key)) };
}

export function laneAt(lanes: readonly Lane[], y: number): Lane | null {
  return lanes.find(({ top, height }) => y >= top && y < top + height) ?? null;
}
