/** An index of a lab's resources: by ID, by container, and by path. Pure. */
import type { ResourceRow } from './resourceRow.ts';

export interface ResourceIndex {
  /** All resources, each once. */
  readonly all: readonly ResourceRow[];
  /** The resources without a container. */
  readonly top: readonly ResourceRow[];
  readonly byId: ReadonlyMap<string, ResourceRow>;
  /** In the manager's order, without empty places. */
  readonly childrenOf: (row: ResourceRow) => readonly ResourceRow[];
  /** The containers of a resource, outermost first. */
  readonly pathOf: (row: ResourceRow) => readonly ResourceRow[];
  /** All descendants. */
  readonly below: (row: ResourceRow) => readonly ResourceRow[];
}

const none: readonly ResourceRow[] = [];

/** A resource with an unknown parent is at the top level; one that contains itself is visited once. */
export function resourceIndex(all: readonly ResourceRow[]): ResourceIndex {
  const byId = new Map(all.map((row) => [row.id, row]));
  const children = new Map<string, ResourceRow[]>();
  const top: ResourceRow[] = [];
  for (const row of all) {
    const listed = row.children.flatMap((id) => (id === null ? [] : (byId.get(id) ?? [])));
    if (listed.length > 0) children.set(row.id, listed);
  }
  const placed = new Set([...children.values()].flat().map(({ id }) => id));
  for (const row of all) {
    if (placed.has(row.id)) continue;
    const parent = row.parentId === null ? undefined : byId.get(row.parentId);
    if (parent === undefined || parent === row) top.push(row);
    else children.set(parent.id, [...(children.get(parent.id) ?? []), row]);
  }
  if (top.length === 0 && all.length > 0) top.push(...all);

  function pathOf(row: ResourceRow): ResourceRow[] {
    const path: ResourceRow[] = [];
    const seen = new Set([row.id]);
    for (let at = parentOf(row); at !== undefined && !seen.has(at.id); at = parentOf(at)) {
      seen.add(at.id);
      path.unshift(at);
    }
    return path;
  }
  const parentOf = (row: ResourceRow): ResourceRow | undefined =>
    row.parentId === null ? undefined : byId.get(row.parentId);
  const childrenOf = (row: ResourceRow): readonly ResourceRow[] => children.get(row.id) ?? none;

  function below(row: ResourceRow): ResourceRow[] {
    const found = new Map<string, ResourceRow>();
    const left = [...childrenOf(row)];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (found.has(next.id) || next.id === row.id) continue;
      found.set(next.id, next);
      left.push(...childrenOf(next));
    }
    return [...found.values()];
  }
  return { all, top, byId, childrenOf, pathOf, below };
}

export const noResources = resourceIndex([]);
