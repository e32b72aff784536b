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

const usual = [arm(1), deck('liquidhandler_1'), deck('liquidhandler_2')];

/** The arm enters the plate reader slowly; it leaves the storage rack on a taught path. */
function templatesFor(source: Location, target: Location): readonly TransferTemplate[] {
  if (source.location_name === 'storage_rack') return [arm(0.8)];
  return target.location_name === 'platereader_1.plate_carriage' ? [arm(1.2)] : usual;
}

function edge(source: Location, target: Location): Edge[] {
  const supports = (location: Location, node: string) => Object.hasOwn(location.representations ?? {}, node);
  const able = templatesFor(source, target).filter(({ node }) => supports(source, node) && supports(target, node));
  const [best] = able.toSorted((left, right) => left.cost - right.cost);
  return best === undefined ? [] : [{ source, target, best, nodes: able.map(({ node }) => node) }];
}

/** Returns every possible single-step transfer, in the order of the locations. */
export function transferEdges(locations: readonly Location[]): Edge[] {
  const open = locations.filter((location) => location.allow_transfers !== false);
  return open.flatMap((source) => open.filter((target) => target !== source).flatMap((target) => edge(source, target)));
}

/** Returns the cheapest path (Dijkstra), empty from a location to itself; undefined if none exists. */
export function cheapestPath(description: readonly Edge[], source: Location, target: Location): Edge[] | undefined {
  const paths = new Map<Location, readonly Edge[]>([[source, []]]);
  const cost = (path: readonly Edge[] = []) => path.reduce((sum, { best }) => sum + best.cost, 0);
  const open = new Set([source]);
  while (open.size > 0) {
    const [nearest = source] = [...open].toSorted((left, right) => cost(paths.get(left)) - cost(paths.get(right)));
    open.delete(nearest);
    for (const next of description.filter((candidate) => candidate.source === nearest)) {
      const path = [...(paths.get(nearest) ?? []), next];
      const known = paths.get(next.target);
      if (known !== undefined && cost(known) <= cost(path)) continue;
      paths.set(next.target, path);
      open.add(next.target);
    }
  }
  const found = paths.get(target);
  return found === undefined ? undefined : [...found];
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
