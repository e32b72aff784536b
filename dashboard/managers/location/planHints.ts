/** Finds the missing representations, each of which alone would make a transfer between two locations possible. Pure. */
import type { Location } from '../../../api/managers/location.ts';
import type { TransferEdge } from './transferEdges.ts';
import { nodesOf } from './whereabouts.ts';

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
export function reachable(start: string, edges: readonly TransferEdge[], backwards = false): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { source, target } of edges) {
    const [from, to] = backwards ? [target, source] : [source, target];
    const known = next.get(from);
    if (known === undefined) next.set(from, [to]);
    else known.push(to);
  }
  const found = new Set([start]);
  // The loop also visits the items that are added to the set while it runs.
  for (const one of found) for (const to of next.get(one) ?? []) found.add(to);
  return found;
}

/** The maximum number of hints. */
const limit = 3;

/**
 * Returns the missing representations, each of which alone would make the transfer possible; those at its source or
 * target come first. Only nodes that already execute transfers are considered, because it is unknown whether others can.
 */
export function missingPositions(
  from: Location,
  to: Location,
  { locations, edges }: { readonly locations: readonly Location[]; readonly edges: readonly TransferEdge[] },
): readonly MissingPosition[] {
  const carriers = new Set(edges.flatMap(({ nodes }) => nodes));
  const before = reachable(from.location_id, edges);
  const after = reachable(to.location_id, edges, true);
  if (before.has(to.location_id)) return [];
  const open = locations.filter((location) => location.allow_transfers !== false);
  const reachableFromSource = open.filter(({ location_id: id }) => before.has(id));
  const reachingTarget = open.filter(({ location_id: id }) => after.has(id));
  const usesNode = (location: Location): readonly string[] => nodesOf(location).filter((node) => carriers.has(node));
  const isEnd = ({ location_id: id }: Location): boolean => id === from.location_id || id === to.location_id;
  const found = new Map<string, MissingPosition & { readonly distance: number }>();
  const add = (known: Location, lacking: Location): void => {
    for (const node of usesNode(known)) {
      if (nodesOf(lacking).includes(node)) continue;
      const key = JSON.stringify([node, lacking.location_id]);
      const distance = (isEnd(lacking) ? 0 : 2) + (isEnd(known) ? 0 : 1);
      const better = found.get(key);
      if (better === undefined || distance < better.distance)
        found.set(key, { node, location: lacking.location_name, otherLocation: known.location_name, distance });
    }
  };
  for (const one of reachableFromSource)
    for (const other of reachingTarget) {
      add(one, other);
      add(other, one);
    }
  return [...found.values()]
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ node, location, otherLocation }) => ({ node, location, otherLocation }));
}
