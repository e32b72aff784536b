/**
 * The bars of a lane: one for each entry that is wide enough, and one for each pixel column of narrower entries, with
 * the most severe of them.
 */
import { stepAppearances, stepStates } from '#api/states.ts';
import { relativePosition } from '#dashboard/components/time/axis.ts';
import { endAt, isWait, maxRows, stateBits, overlappingRange, type Layer } from '../layer/layer.ts';

export interface View {
  readonly from: number;
  readonly to: number;
  /** In CSS pixels. */
  readonly width: number;
  readonly now: number;
}

export interface LaneBar {
  /** CSS pixels from the lane's beginning; never narrower than `columnWidth`. */
  readonly x: number;
  readonly width: number;
  readonly row: number;
  /** Index in `stepStates`. */
  readonly state: number;
  readonly waiting: boolean;
  /** Index in the layer of the most severe entry. */
  readonly entry: number;
  /** The number of entries it represents. */
  readonly count: number;
}

/** Width of a column of narrow entries, in CSS pixels. */
export const columnWidth = 4;

export function toPixel(time: number, view: View): number {
  return relativePosition(time, view) * view.width;
}

const severities = stepStates.map((state) => stepAppearances[state].severity);

/** Returns the bars, waits first so that they are drawn behind. */
export function listBars(layer: Layer, lane: number, view: View, visibleWorkflows: Uint8Array): readonly LaneBar[] {
  const [first, last] = overlappingRange(layer, lane, view.from, view.to);
  const waits: LaneBar[] = [];
  const runs: LaneBar[] = [];
  /** The current column of each row; waits have a separate one. */
  const openColumns = new Map<number, { -readonly [Key in keyof LaneBar]: LaneBar[Key] }>();
  /** The latest wide bar of the last row. */
  let overflow: { -readonly [Key in keyof LaneBar]: LaneBar[Key] } | null = null;
  for (let entry = first; entry < last; entry += 1) {
    if (visibleWorkflows[layer.owner[entry] ?? 0] === 0) continue;
    const end = endAt(layer, entry, view.now);
    if (end < view.from) continue;
    const left = Math.max(0, toPixel(layer.start[entry] ?? 0, view));
    const right = Math.min(view.width, toPixel(end, view));
    const waiting = isWait(layer, entry);
    const row = waiting ? -1 : (layer.row[entry] ?? 0);
    const state = (layer.kind[entry] ?? 0) & stateBits;
    const bars = waiting ? waits : runs;
    if (right - left >= columnWidth) {
      const bar = { x: left, width: right - left, row, state, waiting, entry, count: 1 };
      const previous = row === maxRows - 1 ? overflow : null;
      if (previous !== null && left < previous.x + previous.width - columnWidth) {
        // There is no further row, so these entries become one bar with their number.
        previous.width = Math.max(previous.width, right - previous.x);
        previous.count += 1;
        if ((severities[state] ?? 0) > (severities[previous.state] ?? 0))
          [previous.state, previous.entry] = [state, entry];
        continue;
      }
      if (row === maxRows - 1) overflow = bar;
      bars.push(bar);
      continue;
    }
    const x = Math.max(0, Math.floor(Math.min(left, view.width - columnWidth) / columnWidth) * columnWidth);
    const column = openColumns.get(row);
    if (column !== undefined && column.x === x) {
      column.count += 1;
      if ((severities[state] ?? 0) > (severities[column.state] ?? 0)) [column.state, column.entry] = [state, entry];
    } else {
      const bar = { x, width: columnWidth, row, state, waiting, entry, count: 1 };
      openColumns.set(row, bar);
      bars.push(bar);
    }
  }
  return [...waits, ...runs];
}
