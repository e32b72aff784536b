/** Why no transfer between two locations is possible, and which single representation would make one possible. Pure. */
import type { Location } from '../../../api/managers/location.ts';
import type { TransferEdge } from './transferEdges.ts';
import { nodesOf } from './whereabouts.ts';

/** A node that makes transfers in this lab, and a location for which it has no representation. */
export interface MissingPosition {
  readonly node: string;
  readonly location: string;
  /** The location on the other side, for which it has one. */
  readonly other: string;
}

/** Returns all locations reachable from `start`, itself included; with `backwards` all from which it is reachable. */
export function reachable(start: string, edges: readonly TransferEdge[], backwards = false): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { source, target } of edges) {
    const [from, to] = backwards ? [target, source] : [source, target];
    const known = next.get(from);
    if (known === undefined) next.set(from, [to]);
    else known.push(to);
  }
  const found = new Set([start]);
  // Iteration over a set includes items added meanwhile.
  for (const one of found) for (const to of next.get(one) ?? []) found.add(to);
  return found;
}

/** The maximum number of hints. */
const limit = 3;

/**
 * Returns the positions each of which alone would create a path, those at the two ends first. Only nodes that already
 * make transfers are considered; whether others could is unknown.
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
  const near = open.filter(({ location_id: id }) => before.has(id));
  const far = open.filter(({ location_id: id }) => after.has(id));
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
        found.set(key, { node, location: lacking.location_name, other: known.location_name, distance });
    }
  };
  for (const one of near)
    for (const other of far) {
      add(one, other);
      add(other, one);
    }
  return [...found.values()]
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ node, location, other }) => ({ node, location, other }));
}
