/**
 * Which location reaches which in one step, by which node and at what cost, and the cheapest way over several. A node
 * can carry between two places when both have a representation for it.
 */
import type { Location } from '../../api/managers/location.ts';

/** How a node carries. */
export interface TransferTemplate {
  readonly node: string;
  readonly action: string;
  readonly source: string;
  readonly target: string;
  readonly cost: number;
}

/** The templates for all, and those that count instead for a pair, a source or a target, by location name. */
export interface TransferCapabilities {
  readonly templates: readonly TransferTemplate[];
  readonly pairs?: Readonly<Record<string, Readonly<Record<string, readonly TransferTemplate[]>>>>;
  readonly sources?: Readonly<Record<string, readonly TransferTemplate[]>>;
  readonly targets?: Readonly<Record<string, readonly TransferTemplate[]>>;
}

/** A step from one location to another. */
export interface Edge {
  readonly source: string;
  readonly target: string;
  /** The cheapest way to make it. */
  readonly best: TransferTemplate;
  /** All nodes that can. */
  readonly nodes: readonly string[];
}

/** The first that is said: for the pair, the source, the target, all. */
function applicable(source: Location, target: Location, known: TransferCapabilities): readonly TransferTemplate[] {
  const [from, to] = [source.location_name, target.location_name];
  return known.pairs?.[from]?.[to] ?? known.sources?.[from] ?? known.targets?.[to] ?? known.templates;
}

function edge(source: Location, target: Location, known: TransferCapabilities): Edge[] {
  const sees = (location: Location, node: string) => Object.hasOwn(location.representations ?? {}, node);
  const able = applicable(source, target, known).filter(({ node }) => sees(source, node) && sees(target, node));
  // Of equal costs the first stays.
  const [best] = able.toSorted((left, right) => left.cost - right.cost);
  if (best === undefined) return [];
  const nodes = [...new Set(able.map(({ node }) => node))];
  return [{ source: source.location_id, target: target.location_id, best, nodes }];
}

/** Every step that can be made, in the order of the locations. */
export function detailedGraph(locations: readonly Location[], known: TransferCapabilities): Edge[] {
  const open = locations.filter((location) => location.allow_transfers !== false);
  return open.flatMap((source) =>
    open.filter((target) => target !== source).flatMap((target) => edge(source, target, known)),
  );
}

export class TransferGraph {
  readonly edges: readonly Edge[];

  constructor(edges: readonly Edge[]) {
    this.edges = edges;
  }

  /** The targets by source; those without any are absent. */
  adjacency(): Record<string, string[]> {
    const found: Record<string, string[]> = {};
    for (const { source, target } of this.edges) (found[source] ??= []).push(target);
    return found;
  }

  /** The cheapest way (Dijkstra); none from a place to itself, undefined where there is no way. */
  path(source: string, target: string): Edge[] | undefined {
    const distance = new Map([[source, 0]]);
    const arrival = new Map<string, Edge>();
    const open = new Set([source]);
    while (open.size > 0) {
      const [nearest] = [...open].toSorted((left, right) => (distance.get(left) ?? 0) - (distance.get(right) ?? 0));
      if (nearest === undefined || nearest === target) break;
      open.delete(nearest);
      for (const next of this.edges.filter((candidate) => candidate.source === nearest)) {
        const cost = (distance.get(nearest) ?? 0) + next.best.cost;
        if (cost >= (distance.get(next.target) ?? Number.POSITIVE_INFINITY)) continue;
        distance.set(next.target, cost);
        arrival.set(next.target, next);
        open.add(next.target);
      }
    }
    if (!distance.has(target)) return undefined;
    const way: Edge[] = [];
    for (let at = target; at !== source;) {
      const step = arrival.get(at);
      if (step === undefined) return undefined;
      way.unshift(step);
      at = step.source;
    }
    return way;
  }
}
