/** Finds the element under the pointer and the next one for the keyboard, from the drawn bars. */
import type { Layer } from '../layer/layer.ts';
import type { Mark } from '../moments/marks.ts';
import type { Outage } from '../moments/outages.ts';
import { laneAt, outageLane, type Lane, type LaneSizes } from './lanes.ts';
import { canSeparate, groupMarks, type MarkGroup } from './markGroups.ts';
import { listBars, columnWidth, toPixel, type LaneBar, type View } from './laneBars.ts';

export type PickResult =
  | { readonly kind: 'step'; readonly lane: Lane; readonly bar: LaneBar }
  | { readonly kind: 'mark'; readonly mark: Mark }
  /** Several marks that overlap at this zoom; `canZoom` is true if they separate at a closer zoom. */
  | { readonly kind: 'marks'; readonly group: MarkGroup; readonly canZoom: boolean }
  | { readonly kind: 'outage'; readonly outage: Outage };

export interface PickScene {
  readonly layer: Layer | null;
  readonly lanes: readonly Lane[];
  readonly sizes: LaneSizes;
  readonly visibleWorkflows: Uint8Array;
  readonly view: View;
  readonly marks: readonly Mark[];
  readonly outages: readonly (Outage & { readonly row: number })[];
  /** The size of a mark's shape, in CSS pixels. */
  readonly font: number;
}

/** The tolerance of a press, in CSS pixels. */
const tolerancePx = 4;

/** @param y from the top of the first lane */
export function pickElement(scene: PickScene, x: number, y: number): PickResult | null {
  const lane = laneAt(scene.lanes, y);
  if (lane === null) return null;
  const group = groupAt(scene, lane, x, y);
  const [mark, ...others] = group?.marks ?? [];
  if (group !== null && others.length > 0)
    return { kind: 'marks', group, canZoom: canSeparate(group, scene.view, scene.font) };
  if (mark !== undefined) return { kind: 'mark', mark };
  const row = Math.floor((y - lane.top - scene.sizes.padding / 2) / scene.sizes.row);
  if (lane.key === outageLane) {
    return outageAt(scene, x, (outage) => outage.node === null && outage.row === row);
  }
  const bar = barAt(barsIn(scene, lane), x, row);
  return bar === null ? outageAt(scene, x, ({ node }) => node === lane.key) : { kind: 'step', lane, bar };
}

function outageAt(
  { outages, view }: PickScene,
  x: number,
  matches: (outage: PickScene['outages'][number]) => boolean,
): PickResult | null {
  const outage = outages.find(
    (candidate) =>
      matches(candidate) &&
      x >= toPixel(candidate.start, view) - tolerancePx &&
      x <= toPixel(candidate.end ?? view.now, view) + tolerancePx,
  );
  return outage === undefined ? null : { kind: 'outage', outage };
}

function barsIn({ layer, view, visibleWorkflows }: PickScene, lane: Lane): readonly LaneBar[] {
  return layer === null || lane.layerIndex === null ? [] : listBars(layer, lane.layerIndex, view, visibleWorkflows);
}

/** Returns the bar under the pointer, else the closest one; runs have precedence over waits. */
function barAt(bars: readonly LaneBar[], x: number, row: number): LaneBar | null {
  let [best, distance] = [null as LaneBar | null, Infinity];
  for (const bar of bars) {
    if (!bar.waiting && bar.row !== row) continue;
    const distanceToBar = Math.max(0, bar.x - x, x - bar.x - bar.width);
    const weightedDistance = distanceToBar + (bar.waiting ? tolerancePx + 1 : 0);
    if (distanceToBar <= tolerancePx && weightedDistance <= distance) [best, distance] = [bar, weightedDistance];
  }
  return best;
}

function groupAt({ marks, view, lanes, font }: PickScene, lane: Lane, x: number, y: number): MarkGroup | null {
  if (y > lane.top + font + tolerancePx) return null;
  const isFirst = lane === lanes[0];
  const nearbyGroups = groupMarks(marks, view, font).filter(
    ({ node, left, width }) =>
      (node === lane.key || (node === null && isFirst)) &&
      x >= left - tolerancePx / 2 &&
      x <= left + width + tolerancePx / 2,
  );
  return nearbyGroups.toSorted((a, b) => b.appearance.severity - a.appearance.severity)[0] ?? null;
}

export type FocusDirection = 'next' | 'previous' | 'up' | 'down';

/** Returns the next bar for a key, starting at the focused bar; without one, the first visible bar. */
export function findBarToFocus(
  scene: PickScene,
  from: { readonly lane: string; readonly x: number } | null,
  direction: FocusDirection,
) {
  const lanesWithBars = scene.lanes
    .map((lane) => ({ lane, bars: barsIn(scene, lane).filter(({ waiting }) => !waiting) }))
    .filter(({ bars }) => bars.length > 0);
  const laneIndex = lanesWithBars.findIndex(({ lane }) => lane.key === from?.lane);
  const currentLane = lanesWithBars[laneIndex];
  if (from === null || currentLane === undefined) {
    const first = lanesWithBars[0];
    return first?.bars[0] === undefined ? null : { lane: first.lane, bar: first.bars[0] };
  }
  const column = Math.floor(from.x / columnWidth) * columnWidth;
  if (direction === 'next' || direction === 'previous') {
    const bar =
      direction === 'next'
        ? currentLane.bars.find(({ x }) => x >= column + columnWidth)
        : currentLane.bars.findLast(({ x }) => x < column);
    return bar === undefined ? null : { lane: currentLane.lane, bar };
  }
  const otherLane = lanesWithBars[laneIndex + (direction === 'down' ? 1 : -1)];
  const [closest] = otherLane?.bars.toSorted((a, b) => Math.abs(a.x - from.x) - Math.abs(b.x - from.x)) ?? [];
  return otherLane === undefined || closest === undefined ? null : { lane: otherLane.lane, bar: closest };
}
