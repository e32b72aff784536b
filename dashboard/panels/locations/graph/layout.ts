/**
 * Layout of the transfer graph: dagre places blocks (locations served by the same nodes) and hubs (one per transferring
 * node). Existing positions are kept, and a new item gets the nearest free one.
 */
import { Graph, layout } from '@dagrejs/dagre';
import { useLocalStorage } from '@vueuse/core';
import { shallowRef, watch } from 'vue';
import { isObject } from '#api/client/wire.ts';
import { errorText } from '#api/errorText.ts';
import { stringifyExactJson } from '#api/exactJson.ts';
import { readRecord } from '#dashboard/base/displayChoices.ts';
import { groupBy } from '#dashboard/base/grouping.ts';
import type { GraphModel, Point, Positions } from './graphModel.ts';

/** The size of the grid cell of a location, and of a hub, in CSS pixels. */
export const cell = { width: 228, height: 64 } as const;
export const hubSize = { width: 168, height: 48 } as const;
/** Below this zoom, the 13 px text of a card would be drawn smaller than 11 px, so it is enlarged to compensate. */
export const fullTextZoom = 11 / 13;
/** Down to this zoom a card has room for two lines of that text. */
export const twoLineZoom = 0.6;
/** Below this zoom, not even one line fits. */
export const minZoom = 0.3;
/**
 * Up to this number of locations, a block is one column, which keeps lines short; larger blocks have about the aspect
 * ratio of a screen.
 */
const maxSingleColumn = 6;
const columnsFor = (count: number): number =>
  count <= maxSingleColumn ? 1 : Math.ceil(Math.sqrt((count * 1.6 * cell.height) / cell.width));

export interface LayoutRequest {
  /** Keys of all locations, in the order in which they were added, with those of their hubs. */
  readonly locations: readonly (readonly [key: string, hubs: readonly string[]])[];
  readonly hubs: readonly string[];
  readonly positions: Positions;
}

/** Returns the position of every item's upper left corner. */
export function computeLayout({ locations, hubs, positions: storedPositions }: LayoutRequest): Positions {
  const keys = [...locations.map(([key]) => key), ...hubs];
  const keysWithPosition = keys.filter((key) => storedPositions[key] !== undefined);
  // If less than half of the items have a stored position, the whole layout is recomputed.
  if (keysWithPosition.length * 2 < keys.length) return computeFreshLayout(locations, hubs);
  const result = new Map(
    keysWithPosition.flatMap((key) =>
      storedPositions[key] === undefined ? [] : [[key, storedPositions[key]] as const],
    ),
  );
  for (const hub of hubs) {
    const servedLocations = locations.filter(([, hubKeys]) => hubKeys.includes(hub)).map(([key]) => key);
    if (!result.has(hub)) result.set(hub, findFreePosition(findCenter(servedLocations, result), result));
  }
  for (const [key, hubKeys] of locations) {
    if (result.has(key)) continue;
    const similar = locations
      .filter(([, others]) => blockKey(others) === blockKey(hubKeys))
      .map(([neighbor]) => neighbor);
    result.set(key, findFreePosition(findCenter(similar, result) ?? findCenter(hubKeys, result), result));
  }
  return Object.fromEntries(result);
}

const blockKey = (hubs: readonly string[]): string => stringifyExactJson(hubs);

function computeFreshLayout(locations: LayoutRequest['locations'], hubs: readonly string[]): Positions {
  const blocks = groupBy(locations, ([, hubKeys]) => blockKey(hubKeys));
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 32, ranksep: 64 });
  graph.setDefaultEdgeLabel(() => ({}));
  // Sorted, because dagre's result depends on the order.
  for (const hub of hubs.toSorted()) graph.setNode(hub, { ...hubSize });
  const ordered = [...blocks].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, block] of ordered) graph.setNode(key, blockSize(block.length));
  for (const [key, block] of ordered)
    for (const [index, hub] of (block[0]?.[1] ?? []).entries()) {
      // Shared blocks are placed between their hubs.
      const [from, to] = index % 2 === 0 ? [hub, key] : [key, hub];
      graph.setEdge(from, to);
    }
  layout(graph);
  const topLeft = (key: string): Point => {
    const { x = 0, y = 0, width = 0, height = 0 } = graph.node(key);
    return { x: Math.round(x - width / 2), y: Math.round(y - height / 2) };
  };
  const locationPositions = ordered.flatMap(([key, block]) => {
    const { x, y } = topLeft(key);
    const columns = columnsFor(block.length);
    return block.map(([location], index): [string, Point] => [
      location,
      { x: x + (index % columns) * cell.width, y: y + Math.floor(index / columns) * cell.height },
    ]);
  });
  return Object.fromEntries([...hubs.map((hub): [string, Point] => [hub, topLeft(hub)]), ...locationPositions]);
}

function blockSize(count: number): { width: number; height: number } {
  const columns = columnsFor(count);
  return { width: columns * cell.width, height: Math.ceil(count / columns) * cell.height };
}

function findCenter(keys: readonly string[], positions: ReadonlyMap<string, Point>): Point | null {
  const points = keys.flatMap((key) => positions.get(key) ?? []);
  if (points.length === 0) return null;
  const sum = points.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/** Returns the free position nearest to a point; without a point, one below everything. */
function findFreePosition(near: Point | null, positions: ReadonlyMap<string, Point>): Point {
  const occupied = [...positions.values()];
  const isFree = ({ x, y }: Point): boolean =>
    occupied.every((other) => Math.abs(other.x - x) >= cell.width || Math.abs(other.y - y) >= cell.height);
  const start = near ?? {
    x: Math.min(0, ...occupied.map(({ x }) => x)),
    y: Math.max(0, ...occupied.map(({ y }) => y + cell.height)),
  };
  for (let ring = 0; ; ring += 1) {
    const neighbors: Point[] = [];
    for (let row = -ring; row <= ring; row += 1)
      for (let column = -ring; column <= ring; column += 1)
        if (Math.max(Math.abs(row), Math.abs(column)) === ring)
          neighbors.push({ x: Math.round(start.x + column * cell.width), y: Math.round(start.y + row * cell.height) });
    const free = neighbors.find(isFree);
    if (free !== undefined) return free;
  }
}

const isPoint = (value: unknown): value is Point =>
  isObject(value) && Number.isFinite(value['x']) && Number.isFinite(value['y']);

/**
 * The positions in the transfer graph, stored in this browser, so that they are stable across polls and visits.
 * @param model `null` until it is loaded: a layout without its hubs would change every position
 */
export function useLayout(model: () => GraphModel | null) {
  const positions = useLocalStorage<Positions>(
    'lab-manager.transfer-graph',
    {},
    { serializer: { read: (text) => readRecord(text, isPoint), write: JSON.stringify }, shallow: true },
  );
  /** Reason why no layout is available; `null` otherwise. */
  const failure = shallowRef<string | null>(null);
  function arrange(storedPositions: Positions): void {
    const graph = model();
    if (graph === null) return;
    try {
      const hubs = graph.hubs.map(({ key }) => key);
      positions.value = computeLayout({ hubs, locations: [...graph.hubsByLocation], positions: storedPositions });
      failure.value = null;
    } catch (error) {
      failure.value = errorText(error);
    }
  }
  // Compared as text, because most polls do not change it.
  watch(
    () => {
      const graph = model();
      return graph === null ? null : JSON.stringify([graph.hubs.map(({ key }) => key), ...graph.hubsByLocation]);
    },
    () => arrange(positions.value),
    { immediate: true },
  );
  /** `rearrange` discards the stored positions and computes a new layout. */
  return { positions, failure, rearrange: () => arrange({}) };
}
