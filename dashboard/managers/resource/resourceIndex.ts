/** An index of a lab's resources: by ID, by container, and by path. */
import type { ResourceRow } from './resourceRow.ts';

export interface ResourceIndex {
  /** All resources, each once. */
  readonly all: readonly ResourceRow[];
  /** The resources without a container. */
  readonly topLevel: readonly ResourceRow[];
  readonly byId: ReadonlyMap<string, ResourceRow>;
  /** In the manager's order, without empty places. */
  readonly getChildren: (row: ResourceRow) => readonly ResourceRow[];
  /** The containers of a resource, outermost first. */
  readonly findPath: (row: ResourceRow) => readonly ResourceRow[];
  /** All descendants. */
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
  const reached = new Set<ResourceRow>();
  function reach(row: ResourceRow): void {
    const pending = [row];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(...(children.get(next.id) ?? none));
    }
  }
  topLevel.forEach(reach);
  for (const row of all) {
    if (reached.has(row)) continue;
    topLevel.push(row);
    reach(row);
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
  const getChildren = (row: ResourceRow): readonly ResourceRow[] => children.get(row.id) ?? none;

  function listDescendants(row: ResourceRow): ResourceRow[] {
    const descendants = new Map<string, ResourceRow>();
    const pending = [...getChildren(row)];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (descendants.has(next.id) || next.id === row.id) continue;
      descendants.set(next.id, next);
      pending.push(...getChildren(next));
    }
    return [...descendants.values()];
  }
  return { all, topLevel, byId, getChildren, findPath, listDescendants };
}

export const noResources = createResourceIndex([]);
