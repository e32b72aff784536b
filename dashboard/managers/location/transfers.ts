/** The transfers between locations: possible ones in one step, why two locations have no path, and what would make one. */
import type { DetailedTransferGraph, Location, TransferGraph } from '#api/managers/location.ts';
import { stringifyExactJson } from '#api/exactJson.ts';
import { groupBy } from '../../base/grouping.ts';
import { representedNodes } from './locationContents.ts';

export interface TransferEdge {
  /** IDs of locations. */
  readonly source: string;
  readonly target: string;
  /** All nodes that can make the transfer. */
  readonly nodes: readonly string[];
  /** The lowest cost; `null` if the manager doesn't report it (0.7). */
  readonly cost: number | null;
}

export function toTransferEdges({ edges }: DetailedTransferGraph): readonly TransferEdge[] {
  return edges.map((edge) => ({
    source: edge.source_location_id,
    target: edge.target_location_id,
    nodes: edge.node_names,
    cost: edge.min_cost,
  }));
}

/**
 * Derives the edges of a 0.7 lab, which doesn't report the nodes of a transfer: the nodes with representations for both
 * locations.
 * @param graph the connections that 0.7 reports; `null` if unknown, and every shared node counts
 */
export function deriveTransferEdges(
  locations: readonly Location[],
  graph: TransferGraph | null,
): readonly TransferEdge[] {
  const available = locations
    .filter((location) => location.allow_transfers !== false)
    .map((location) => ({ id: location.location_id, nodes: representedNodes(location) }));
  return available.flatMap((source) => {
    const sourceNodes = new Set(source.nodes);
    const reachableIds = graph === null ? null : new Set(graph[source.id]);
    return available.flatMap((target): TransferEdge[] => {
      if (target.id === source.id || reachableIds?.has(target.id) === false) return [];
      const nodes = target.nodes.filter((node) => sourceNodes.has(node));
      return nodes.length === 0 ? [] : [{ source: source.id, target: target.id, nodes, cost: null }];
    });
  });
}

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
  const [from, to] = backwards ? (['target', 'source'] as const) : (['source', 'target'] as const);
  const edgesFrom = groupBy(edges, (edge) => edge[from]);
  const visited = new Set([start]);
  // The loop also visits the items that are added to the set while it runs.
  for (const id of visited) for (const edge of edgesFrom.get(id) ?? []) visited.add(edge[to]);
  return visited;
}

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

/** Returns the first reason that applies, for two locations without a path. */
export function explainNoPath(from: Location, to: Location): string {
  const closed = [from, to].find((location) => location.allow_transfers === false);
  if (closed !== undefined) return `${closed.location_name} does not allow transfers.`;
  const [sourceNodes, targetNodes] = [representedNodes(from), representedNodes(to)];
  const unreachable = sourceNodes.length === 0 ? from : targetNodes.length === 0 ? to : null;
  if (unreachable !== null)
    return `No node has a representation of ${unreachable.location_name}: add one for a node that performs transfers.`;
  const common = sourceNodes.filter((node) => targetNodes.includes(node));
  if (common.length === 0)
    return `No node has a representation of both. The first has one for ${sourceNodes.join(', ')}, the second for ${targetNodes.join(', ')}: a representation for one of these at the other location would make the transfer possible.`;
  const [verb, pronoun] = common.length === 1 ? ['has', 'it'] : ['have', 'them'];
  return `${common.join(', ')} ${verb} representations of both, but the location manager has no transfer for ${pronoun}: see its transfer capabilities.`;
}
