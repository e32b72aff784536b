/** Serves rows as resources: children nested and amounts counted. */
import { childrenForm, isConsumable, isContainer, type Row } from './row.ts';
import type { ResourceTable, Version } from './table.ts';

/** A served resource. */
export type ServedResource = Row & { readonly children?: Children; readonly unit?: null };
type Children = readonly (ServedResource | null)[] | Readonly<Record<string, ServedResource>>;

type ViewSource = Pick<ResourceTable, 'listChildren'>;

/**
 * Returns the children by position, null for empty positions: the places of a row, the rows of a grid, the layers of a
 * voxel grid.
 */
function positions(row: Row, source: ViewSource): (ServedResource | null)[] {
  const length = { grid: row.rows, voxel_grid: row.layers }[row.base_type as string] ?? row.columns ?? 0;
  const places: (ServedResource | null)[] = Array.from({ length }, () => null);
  for (const child of source.listChildren(row.resource_id)) places[Number(child.key)] = serve(child, source);
  return places;
}

function children(row: Row, source: ViewSource): Children {
  if (childrenForm(row.base_type) === 'positions') return positions(row, source);
  const served = source.listChildren(row.resource_id).map((child) => serve(child, source));
  if (childrenForm(row.base_type) === 'list') return served.toSorted((a, b) => Number(a.key) - Number(b.key));
  return Object.fromEntries(served.map((child) => [child.key ?? 'null', child]));
}

/** Returns the quantity of a container: the number of children, or of their contents in rows, grids and pools. */
function count(row: Row, servedChildren: Children): number {
  const list: readonly (ServedResource | null)[] = Object.values(servedChildren);
  switch (row.base_type) {
    case 'row':
    case 'grid':
    case 'pool':
      return list.reduce((total, child) => total + (child?.quantity ?? 0), 0);
    // The real manager counts fields of the model instead of the layers.
    case 'voxel_grid':
      return 0;
    default:
      return list.length;
  }
}

/** Returns the resource with all its descendants. */
export function serve(row: Row, source: ViewSource): ServedResource {
  if (isConsumable(row.base_type)) return { ...row, unit: null, quantity: row.quantity ?? 0 };
  if (!isContainer(row.base_type)) return row;
  const served = children(row, source);
  const shape = childrenForm(row.base_type) === 'positions' ? { is_one_indexed: true } : {};
  return { ...row, ...shape, quantity: count(row, served), children: served };
}

/** Returns a version as served: a flat row. */
export function versionView({ row, ...version }: Version): object {
  return { ...row, ...version };
}
