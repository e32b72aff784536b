/** The resources of a lab by what people ask: by ID, what is in what, and where something is. Pure. */
import type { ResourceRow } from './resourceRow.ts';

export interface ResourceIndex {
  /** Every resource, each once. */
  readonly all: readonly ResourceRow[];
  /** Those that are in no other. */
  readonly top: readonly ResourceRow[];
  readonly byId: ReadonlyMap<string, ResourceRow>;
  /** In the order in which the manager serves them, without empty places. */
  readonly childrenOf: (row: ResourceRow) => readonly ResourceRow[];
  /** What it is in, outermost first. */
  readonly pathOf: (row: ResourceRow) => readonly ResourceRow[];
  /** All below it, whatever the depth. */
  readonly below: (row: ResourceRow) => readonly ResourceRow[];
}

const none: readonly ResourceRow[] = [];

/** A resource whose parent isn't known stands at the top; one that is in itself is followed once. */
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
