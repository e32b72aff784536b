/** Serves rows as resources: children nested, amounts counted, all columns of the wide table, in the real order. */
import { OperationError } from './errors.ts';
import { childrenForm, isConsumable, isContainer, type Row } from './row.ts';

/** What a view needs of the table. */
interface ViewSource {
  childrenOf(id: string): readonly Row[];
  newId(): string;
}

/** A served resource. */
export type Served = Record<string, unknown> & {
  readonly resource_id: string;
  readonly base_type: Row['base_type'];
  readonly quantity: number | null;
  readonly children?: Children;
};
type Children = readonly (Served | null)[] | Readonly<Record<string, Served>>;

const empty: ViewSource = { childrenOf: () => [], newId: () => '' };

/**
 * A row or grid that belongs into a grid but isn't in the table: the model makes it anew with every answer, with an ID
 * that nobody knows.
 */
function phantom(parent: Row, index: number, source: ViewSource): Served {
  const inVoxelGrid = parent.base_type === 'voxel_grid';
  const id = source.newId();
  const row: Row = {
    ...parent,
    resource_name: `${parent.resource_name}_${inVoxelGrid ? 'layer' : 'row'}_${index}`,
    resource_class: '',
    base_type: inVoxelGrid ? 'grid' : 'row',
    resource_description: null,
    resource_id: id,
    parent_id: null,
    key: null,
    attributes: {},
    capacity: null,
    rows: inVoxelGrid ? parent.rows : null,
    layers: null,
    locked_by: null,
    locked_until: null,
  };
  return serve(row, { ...empty, newId: () => source.newId() });
}

/**
 * By position. The list is as long as there are columns, in a grid too, so that a grid with more columns than rows ends
 * with nulls and one with more rows than columns doesn't.
 */
function positions(row: Row, source: ViewSource): (Served | null)[] {
  const places: (Served | null)[] = Array.from({ length: row.columns ?? 0 }, () => null);
  for (const child of source.childrenOf(row.resource_id)) {
    const index = Number(child.key);
    const parts = row.base_type === 'grid' ? row.rows : row.layers;
    if (index >= Math.max(places.length, parts ?? 0)) throw new OperationError('list assignment index out of range');
    places[index] = serve(child, source);
  }
  const needed = row.base_type === 'grid' ? row.rows : row.base_type === 'voxel_grid' ? row.layers : 0;
  for (let index = 0; index < (needed ?? 0); index++) places[index] ??= phantom(row, index, source);
  return places;
}

function children(row: Row, source: ViewSource): Children {
  const found = source.childrenOf(row.resource_id);
  switch (childrenForm(row.base_type)) {
    case 'positions':
      return positions(row, source);
    case 'list': {
      const sorted = found.toSorted((left, right) => Number(left.key) - Number(right.key));
      const shown = row.base_type === 'slot' ? sorted.filter((child) => child.key === '0') : sorted;
      return shown.map((child) => serve(child, source));
    }
    default:
      return Object.fromEntries(found.map((child) => [child.key ?? 'null', serve(child, source)]));
  }
}

const sum = (resources: readonly (Served | null)[]) =>
  resources.reduce((total, resource) => total + (resource?.quantity ?? 0), 0);

/** How much a container holds: children, or what they hold in rows, grids and pools. */
function count(row: Row, found: Children): number {
  const list: readonly (Served | null)[] = Array.isArray(found) ? (found as (Served | null)[]) : Object.values(found);
  switch (row.base_type) {
    case 'row':
    case 'grid':
    case 'pool':
      return sum(list);
    // The model counts its own fields instead of its layers, and those have no quantity.
    case 'voxel_grid':
      return 0;
    default:
      return list.length;
  }
}

/** The fields of the type, which come before those of the table. */
function own(row: Row, found: Children | undefined): object {
  const { quantity, capacity, columns, rows, layers } = row;
  if (isConsumable(row.base_type)) return { quantity: quantity ?? 0, capacity, unit: null };
  if (found === undefined) return {};
  const container = { capacity, children: found };
  switch (row.base_type) {
    case 'row':
      return { ...container, columns, is_one_indexed: true };
    case 'grid':
      return { ...container, columns, is_one_indexed: true, rows };
    case 'voxel_grid':
      return { ...container, columns, is_one_indexed: true, rows, layers };
    default:
      return container;
  }
}

/** The resource with all below it. */
export function serve(row: Row, source: ViewSource): Served {
  const found = isContainer(row.base_type) ? children(row, source) : undefined;
  const quantity = found === undefined ? row.quantity : count(row, found);
  return {
    resource_name: row.resource_name,
    resource_name_prefix: row.resource_name_prefix,
    resource_class: row.resource_class,
    base_type: row.base_type,
    resource_description: row.resource_description,
    owner: row.owner,
    custom_attributes: row.custom_attributes,
    resource_id: row.resource_id,
    resource_url: row.resource_url,
    parent_id: row.parent_id,
    key: row.key,
    attributes: row.attributes,
    created_at: row.created_at,
    updated_at: row.updated_at,
    removed: row.removed,
    ...own(row, found),
    template_name: row.template_name,
    locked_until: row.locked_until,
    quantity: isConsumable(row.base_type) ? (quantity ?? 0) : quantity,
    locked_by: row.locked_by,
    capacity: row.capacity,
    columns: row.columns,
    rows: row.rows,
    layers: row.layers,
  };
}
