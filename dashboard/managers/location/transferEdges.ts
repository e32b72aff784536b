/** The transfers possible in one step between locations, with nodes and costs. */
import type { DetailedTransferGraph, Location, TransferGraph } from '#api/managers/location.ts';
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

/** Returns the edges by source. */
export function groupEdgesBySource(edges: readonly TransferEdge[]): ReadonlyMap<string, readonly TransferEdge[]> {
  const bySource = new Map<string, TransferEdge[]>();
  for (const edge of edges) {
    const group = bySource.get(edge.source);
    if (group === undefined) bySource.set(edge.source, [edge]);
    else group.push(edge);
  }
  return bySource;
}
