/** An index of a lab's resources: by ID, by container, and by path. */
import type { ResourceRow } from './resourceRow.ts';

export interface ResourceIndex {
  /** All resources, each once. */
  readonly all: readonly ResourceRow[];
  readonly topLevel: readonly ResourceRow[];
  readonly byId: ReadonlyMap<string, ResourceRow>;
  /** In the manager's order, without empty places. */
  readonly getChildren: (row: ResourceRow) => readonly ResourceRow[];
  /** The containers of a resource, outermost first. */
  readonly findPath: (row: ResourceRow) => readonly ResourceRow[];
  readonly listDescendants: (row: ResourceRow) => readonly ResourceRow[];
}

const none: readonly ResourceRow[] = [];

/**
 * A resource with an unknown parent is at the top level, and so is the first resource of those that contain each other:
 * otherwise the tree would not show them. A resource that contains itself is visited once.
 */
export function createResourceIndex(all: readonly ResourceRow[]): ResourceIndex {
  const byId = new Map(all.map((row) => [row.id, row]));
  const children = new Map<string, ResourceRow[]>();
  const topLevel: ResourceRow[] = [];
  for (const row of all) {
    const listedChildren = row.children.flatMap((id) => (id === null ? [] : (byId.get(id) ?? [])));
    if (listedChildren.length > 0) children.set(row.id, listedChildren);
  }
  const childIds = new Set([...children.values()].flat().map(({ id }) => id));
  for (const row of all) {
    if (childIds.has(row.id)) continue;
    const parent = row.parentId === null ? undefined : byId.get(row.parentId);
    if (parent === undefined || parent === row) topLevel.push(row);
    else children.set(parent.id, [...(children.get(parent.id) ?? []), row]);
  }
  const getChildren = (row: ResourceRow): readonly ResourceRow[] => children.get(row.id) ?? none;
  /** Adds the rows and their descendants to `reached`. */
  function reach(rows: readonly ResourceRow[], reached: Set<ResourceRow>): void {
    const pending = [...rows];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(...getChildren(next));
    }
  }
  const reachedRows = new Set<ResourceRow>();
  reach(topLevel, reachedRows);
  for (const row of all) {
    if (reachedRows.has(row)) continue;
    topLevel.push(row);
    reach([row], reachedRows);
  }

  function findPath(row: ResourceRow): ResourceRow[] {
    const path: ResourceRow[] = [];
    const seen = new Set([row.id]);
    for (
      let ancestor = findParent(row);
      ancestor !== undefined && !seen.has(ancestor.id);
      ancestor = findParent(ancestor)
    ) {
      seen.add(ancestor.id);
      path.unshift(ancestor);
    }
    return path;
  }
  const findParent = (row: ResourceRow): ResourceRow | undefined =>
    row.parentId === null ? undefined : byId.get(row.parentId);

  function listDescendants(row: ResourceRow): ResourceRow[] {
    const descendants = new Set<ResourceRow>();
    reach(getChildren(row), descendants);
    descendants.delete(row);
    return [...descendants];
  }
  return { all, topLevel, byId, getChildren, findPath, listDescendants };
}

export const pathSeparator = ' / ';

/** Returns the names of the containers of a resource: `cabinet / rack`; empty at the top level. */
export function formatContainers(row: ResourceRow, index: ResourceIndex): string {
  return index
    .findPath(row)
    .map(({ name }) => name)
    .join(pathSeparator);
}

export const noResources = createResourceIndex([]);
