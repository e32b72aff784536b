/** Which location reaches which in one step, by which nodes, and at what cost. Pure. */
import type { DetailedTransferGraph, Location, TransferGraph } from '../../../api/managers/location.ts';
import { nodesOf } from './whereabouts.ts';

export interface TransferEdge {
  /** IDs of locations. */
  readonly source: string;
  readonly target: string;
  /** All nodes that can carry from one to the other. */
  readonly nodes: readonly string[];
  /** The lowest; `null` where the manager doesn't say (0.7). */
  readonly cost: number | null;
}

export function detailedEdges({ edges }: DetailedTransferGraph): readonly TransferEdge[] {
  return edges.map((edge) => ({
    source: edge.source_location_id,
    target: edge.target_location_id,
    nodes: edge.node_names,
    cost: edge.min_cost,
  }));
}

/**
 * For a 0.7 lab, which doesn't say which node makes a transfer: the nodes that know both locations.
 * @param graph what 0.7 says of who reaches whom; `null` where it isn't known, and every shared node counts
 */
export function derivedEdges(locations: readonly Location[], graph: TransferGraph | null): readonly TransferEdge[] {
  const open = locations
    .filter((location) => location.allow_transfers !== false)
    .map((location) => ({ id: location.location_id, nodes: nodesOf(location) }));
  return open.flatMap((source) => {
    const known = new Set(source.nodes);
    const reached = graph === null ? null : new Set(graph[source.id]);
    return open.flatMap((target): TransferEdge[] => {
      if (target.id === source.id || reached?.has(target.id) === false) return [];
      const nodes = target.nodes.filter((node) => known.has(node));
      return nodes.length === 0 ? [] : [{ source: source.id, target: target.id, nodes, cost: null }];
    });
  });
}

/** The edges by where they begin. */
export function edgesFrom(edges: readonly TransferEdge[]): ReadonlyMap<string, readonly TransferEdge[]> {
  const from = new Map<string, TransferEdge[]>();
  for (const edge of edges) {
    const known = from.get(edge.source);
    if (known === undefined) from.set(edge.source, [edge]);
    else known.push(edge);
  }
  return from;
}
