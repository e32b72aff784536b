/**
 * Finds the single-step transfers between locations, with node and cost, and the cheapest path over several. A node can
 * move between two locations that both have a representation for it.
 */
import type { Location } from '../../api/managers/location.ts';
import type { WorkflowDefinition } from '../../api/managers/workflowDefinition.ts';

/** The step with which a node makes a transfer. */
interface TransferTemplate {
  readonly node: string;
  readonly action: string;
  readonly source: string;
  readonly target: string;
  readonly cost: number;
}

/** A step from one location to another. */
export interface Edge {
  readonly source: Location;
  readonly target: Location;
  /** The cheapest transfer. */
  readonly best: TransferTemplate;
  /** All nodes that can make the transfer. */
  readonly nodes: readonly string[];
}

const arm = (cost: number): TransferTemplate => ({
  node: 'robotarm_1',
  action: 'transfer',
  source: 'source',
  target: 'target',
  cost,
});

const deck = (node: string): TransferTemplate => ({
  node,
  action: 'deck_transfer',
  source: 'source_location',
  target: 'target_location',
  cost: 2,
});

const defaultTransfers = [arm(1), deck('liquidhandler_1'), deck('liquidhandler_2')];

/** The arm enters the plate reader slowly, at a higher cost, and leaves the storage rack at a lower one. */
function templatesFor(source: Location, target: Location): readonly TransferTemplate[] {
  if (source.location_name === 'storage_rack') return [arm(0.8)];
  return target.location_name === 'platereader_1.plate_carriage' ? [arm(1.2)] : defaultTransfers;
}

function edgesBetween(source: Location, target: Location): Edge[] {
  const supports = (location: Location, node: string) => Object.hasOwn(location.representations ?? {}, node);
  const possible = templatesFor(source, target).filter(({ node }) => supports(source, node) && supports(target, node));
  const [best] = possible.toSorted((left, right) => left.cost - right.cost);
  return best === undefined ? [] : [{ source, target, best, nodes: possible.map(({ node }) => node) }];
}

/** Returns every possible single-step transfer, in the order of the locations. */
export function transferEdges(locations: readonly Location[]): Edge[] {
  const transferable = locations.filter((location) => location.allow_transfers !== false);
  return transferable.flatMap((source) =>
    transferable.filter((target) => target !== source).flatMap((target) => edgesBetween(source, target)),
  );
}

/** Returns the cheapest path (Dijkstra), empty from a location to itself; undefined if none exists. */
export function cheapestPath(edges: readonly Edge[], source: Location, target: Location): Edge[] | undefined {
  const paths = new Map<Location, readonly Edge[]>([[source, []]]);
  const cost = (path: readonly Edge[] = []) => path.reduce((sum, { best }) => sum + best.cost, 0);
  const unvisited = new Set([source]);
  while (unvisited.size > 0) {
    const [nearest = source] = [...unvisited].toSorted((left, right) => cost(paths.get(left)) - cost(paths.get(right)));
    unvisited.delete(nearest);
    for (const next of edges.filter((candidate) => candidate.source === nearest)) {
      const path = [...(paths.get(nearest) ?? []), next];
      const currentPath = paths.get(next.target);
      if (currentPath !== undefined && cost(currentPath) <= cost(path)) continue;
      paths.set(next.target, path);
      unvisited.add(next.target);
    }
  }
  const path = paths.get(target);
  return path === undefined ? undefined : [...path];
}

/** Returns the workflow that transfers along the path, neither stored nor started. */
export function transferPlan(path: readonly Edge[], from: Location, to: Location, id: string): WorkflowDefinition {
  const description = `${from.location_name} (${from.location_id}) to ${to.location_name} (${to.location_id})`;
  const isSame = path.length === 0;
  return {
    name: isSame ? 'Transfer: Same location' : `Transfer: '${from.location_name}' -> '${to.location_name}'`,
    workflow_definition_id: id,
    definition_metadata: {
      author: null,
      description: isSame ? 'Transfer within the same location' : `Transfer from ${description}`,
      version: '',
      ownership_info: null,
    },
    parameters: { json_inputs: [], file_inputs: [], feed_forward: [] },
    steps: path.map(({ source, target, best }, index) => ({
      name: `transfer_step_${index + 1}`,
      key: `transfer_step_${index + 1}`,
      description: `Transfer step ${index + 1} using ${best.node}`,
      action: best.action,
      node: best.node,
      args: {},
      files: {},
      locations: { [best.source]: source.location_name, [best.target]: target.location_name },
      conditions: [],
      data_labels: {},
      use_parameters: null,
    })),
  };
}
