/** Finds missing representations: adding a single one makes a transfer between two locations possible. */
import type { Location } from '#api/managers/location.ts';
import type { TransferEdge } from './transferEdges.ts';
import { representedNodes } from './locationContents.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

/** A node that executes transfers in this lab, and a location for which it has no representation. */
export interface MissingPosition {
  readonly node: string;
  readonly location: string;
  /** The other location of the transfer, for which the node has a representation. */
  readonly otherLocation: string;
}

/**
 * Returns the IDs of all locations reachable from `start`, including `start`; with `backwards`, of all locations from
 * which `start` is reachable.
 */
export function findReachable(start: string, edges: readonly TransferEdge[], backwards = false): ReadonlySet<string> {
  const neighbors = new Map<string, string[]>();
  for (const { source, target } of edges) {
    const [from, to] = backwards ? [target, source] : [source, target];
    const targets = neighbors.get(from);
    if (targets === undefined) neighbors.set(from, [to]);
    else targets.push(to);
  }
  const visited = new Set([start]);
  // The loop also visits the items that are added to the set while it runs.
  for (const node of visited) for (const to of neighbors.get(node) ?? []) visited.add(to);
  return visited;
}

/** The maximum number of hints. */
const maxHints = 3;

/**
 * Returns the missing representations, those at the source or target of the transfer first. Only nodes that already
 * execute transfers are considered, because it is unknown whether others can.
 */
export function findMissingPositions(
  from: Location,
  to: Location,
  { locations, edges }: { readonly locations: readonly Location[]; readonly edges: readonly TransferEdge[] },
): readonly MissingPosition[] {
  const transferNodes = new Set(edges.flatMap(({ nodes }) => nodes));
  const fromSource = findReachable(from.location_id, edges);
  const toTarget = findReachable(to.location_id, edges, true);
  if (fromSource.has(to.location_id)) return [];
  const available = locations.filter((location) => location.allow_transfers !== false);
  const reachableFromSource = available.filter(({ location_id: id }) => fromSource.has(id));
  const reachingTarget = available.filter(({ location_id: id }) => toTarget.has(id));
  const transferNodesAt = (location: Location): readonly string[] =>
    representedNodes(location).filter((node) => transferNodes.has(node));
  const isEndpoint = ({ location_id: id }: Location): boolean => id === from.location_id || id === to.location_id;
  const hints = new Map<string, MissingPosition & { readonly distance: number }>();
  const add = (represented: Location, unrepresented: Location): void => {
    for (const node of transferNodesAt(represented)) {
      if (representedNodes(unrepresented).includes(node)) continue;
      const key = stringifyExactJson([node, unrepresented.location_id]);
      const distance = (isEndpoint(unrepresented) ? 0 : 2) + (isEndpoint(represented) ? 0 : 1);
      const existing = hints.get(key);
      if (existing === undefined || distance < existing.distance)
        hints.set(key, {
          node,
          location: unrepresented.location_name,
          otherLocation: represented.location_name,
          distance,
        });
    }
  };
  for (const location of reachableFromSource)
    for (const otherLocation of reachingTarget) {
      add(location, otherLocation);
      add(otherLocation, location);
    }
  return [...hints.values()]
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxHints)
    .map(({ node, location, otherLocation }) => ({ node, location, otherLocation }));
}
