/**
 * Model of the transfer graph: locations, and one hub per transferring node, connected to all locations it serves. An
 * arm that serves 200 locations has 39,800 edges between them, but 200 lines to its hub.
 */
import type { Location } from '#api/managers/location.ts';
import { naturalOrder } from '#dashboard/base/texts.ts';
import type { TransferEdge } from '#dashboard/managers/location/transfers.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}
/** The upper left corners of locations and hubs, by key. */
export type Positions = Readonly<Record<string, Point>>;

interface Hub {
  readonly key: string;
  readonly node: string;
  /** Lowest and highest cost of its transfers; `null` if the manager reports none. */
  readonly costs: { readonly min: number; readonly max: number } | null;
}

interface HubEdge {
  readonly key: string;
  readonly location: string;
  readonly hub: string;
}

export interface GraphModel {
  readonly hubs: readonly Hub[];
  readonly edges: readonly HubEdge[];
  /** The keys of the hubs of each location, sorted by name. */
  readonly hubsByLocation: ReadonlyMap<string, readonly string[]>;
}

const hubKey = (node: string): string => `node ${node}`;

export function buildGraphModel(locations: readonly Location[], edges: readonly TransferEdge[]): GraphModel {
  const locationsByNode = new Map<string, Set<string>>();
  for (const { source, target, nodes } of edges)
    for (const node of nodes) {
      const locationIds = locationsByNode.get(node) ?? new Set();
      locationsByNode.set(node, locationIds.add(source).add(target));
    }
  const costRangeByNode = getCostRanges(edges);
  const hubs = [...locationsByNode.keys()].toSorted(naturalOrder.compare).map((node): Hub => ({
    key: hubKey(node),
    node,
    costs: costRangeByNode.get(node) ?? null,
  }));
  const hubsByLocation = new Map(
    locations.map(({ location_id: id }) => [
      id,
      hubs.filter(({ node }) => locationsByNode.get(node)?.has(id) === true).map(({ key }) => key),
    ]),
  );
  const hubEdges = [...hubsByLocation].flatMap(([location, keys]) =>
    keys.map((hub): HubEdge => ({ key: `${location} ${hub}`, location, hub })),
  );
  return { hubs, edges: hubEdges, hubsByLocation };
}

/** Returns the cost range of each node. The manager reports the lowest cost of an edge without the node. */
function getCostRanges(edges: readonly TransferEdge[]): ReadonlyMap<string, { min: number; max: number }> {
  const ranges = new Map<string, { min: number; max: number }>();
  for (const { nodes, cost } of edges) {
    if (cost === null) continue;
    for (const node of nodes) {
      const range = ranges.get(node);
      ranges.set(node, { min: Math.min(range?.min ?? cost, cost), max: Math.max(range?.max ?? cost, cost) });
    }
  }
  return ranges;
}

const directionsByKey: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
/** Weight of the distance across the direction, so that items straight ahead come first. */
const acrossWeight = 2;

export const isArrowKey = (key: string): boolean => directionsByKey[key] !== undefined;

/** Returns the key of the nearest item in the direction of an arrow key; `null` if there is none. */
export function findNearest(from: string, key: string, positions: Positions): string | null {
  const [start, direction] = [positions[from], directionsByKey[key]];
  if (start === undefined || direction === undefined) return null;
  let best: { readonly key: string; readonly distance: number } | null = null;
  for (const [otherKey, { x, y }] of Object.entries(positions)) {
    const ahead = (x - start.x) * direction.x + (y - start.y) * direction.y;
    const across = Math.abs((x - start.x) * direction.y) + Math.abs((y - start.y) * direction.x);
    if (otherKey === from || ahead <= 0 || across > ahead * 3) continue;
    const distance = ahead + acrossWeight * across;
    if (best === null || distance < best.distance) best = { key: otherKey, distance };
  }
  return best?.key ?? null;
}
