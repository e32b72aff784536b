/** Adds confirmed changes to the resources of the last full read. */
import { isContainer, isKeyed, isOrdered, type ResourceRow } from './resourceRow.ts';

/** The resources of confirmed responses by ID, in the order of the responses; `null`: removed. */
export type ConfirmedRows = ReadonlyMap<string, ResourceRow | null>;

/** @param rows all resources, as last read */
export function withConfirmedRows(rows: readonly ResourceRow[], confirmed: ConfirmedRows): readonly ResourceRow[] {
  if (confirmed.size === 0) return rows;
  const byId = new Map(rows.map((row) => [row.id, row]));
  // In their order: a container that was read before its next child was added must not move that child out again.
  for (const [id, row] of confirmed) {
    if (row === null) removeWithContents(byId, id);
    else {
      byId.set(id, row);
      correctPlaces(byId, row);
    }
  }
  return [...byId.values()].map((row) => correctChildren(byId, row));
}

function removeWithContents(byId: Map<string, ResourceRow>, id: string): void {
  const row = byId.get(id);
  byId.delete(id);
  for (const child of row?.children ?? []) if (child !== null) removeWithContents(byId, child);
}

/** The contents of a confirmed container are those of its response, and it is in the container that it names. */
function correctPlaces(byId: Map<string, ResourceRow>, row: ResourceRow): void {
  if (isContainer(row)) {
    const contents = new Set(row.children);
    for (const other of byId.values())
      if (other.parentId === row.id && !contents.has(other.id))
        byId.set(other.id, { ...other, parentId: null, key: null });
  }
  const parent = row.parentId === null ? undefined : byId.get(row.parentId);
  if (parent !== undefined && !parent.children.includes(row.id))
    byId.set(parent.id, { ...parent, children: insertChild(parent, row) });
}

function insertChild({ type, children }: ResourceRow, { id, key }: ResourceRow): readonly (string | null)[] {
  const place = type === 'row' && key !== null ? Number(key) : -1;
  return children[place] === null ? children.with(place, id) : [...children, id];
}

/** Children that were removed, or that are in another container now, leave an empty place in a row. */
function correctChildren(byId: ReadonlyMap<string, ResourceRow>, row: ResourceRow): ResourceRow {
  const isHere = (id: string | null): boolean => id === null || byId.get(id)?.parentId === row.id;
  if (row.children.every(isHere)) return withCount(row);
  const children =
    row.type === 'row' ? row.children.map((id) => (isHere(id) ? id : null)) : row.children.filter(isHere);
  return withCount({ ...row, children });
}

/** The quantity of these containers is the number of their children. */
function withCount(row: ResourceRow): ResourceRow {
  const isCounted = (isOrdered(row) || isKeyed(row)) && row.type !== 'pool' && row.quantity !== null;
  return isCounted && row.quantity !== row.children.length ? { ...row, quantity: row.children.length } : row;
}
