/**
 * Resources as flat rows: each once, by ID, although the manager returns children both nested in their parent and
 * separately. Pure; created in the worker that reads them.
 */
import type { Resource } from '#api/managers/resourceTypes.ts';
import { isSameUnit } from './units.ts';

export interface ResourceRow {
  readonly id: string;
  readonly name: string;
  /** One of the manager's base types, or a type of a later MADSci version. */
  readonly type: string;
  /** The lab's own classification, MADSci's `resource_class`. */
  readonly cls: string;
  readonly description: string;
  readonly parentId: string | null;
  /** Its key in the parent. */
  readonly key: string | null;
  /** IDs of its children in the manager's order; `null` for an empty place. */
  readonly children: readonly (string | null)[];
  /**
   * As the manager returns it: for consumables the amount, for a pool the sum, for rows and grids the sum of the
   * children's quantities without assets, for other containers the number of children.
   */
  readonly quantity: number | null;
  readonly capacity: number | null;
  /**
   * For a row, grid or voxel grid: the number of its places, of the occupied ones, and of those whose content has no
   * quantity.
   */
  readonly places: { readonly all: number; readonly filled: number; readonly assets: number } | null;
  /** For a row, grid, voxel grid or pool: the totals of its children's quantities by unit; empty for others. */
  readonly totals: Readonly<Record<string, number>>;
  readonly unit: string;
  readonly columns: number | null;
  readonly rows: number | null;
  readonly layers: number | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** IDs by the fields of MADSci's ownership, such as `node_id`. */
  readonly owner: Readonly<Record<string, string>>;
  readonly template: string;
  readonly lockedBy: string | null;
  /** The manager's timestamps; empty if missing. */
  readonly lockedUntil: string;
  readonly created: string;
  readonly updated: string;
}

export function toResourceRow(resource: Resource, parentId: string | null = null): ResourceRow {
  return {
    id: resource.resource_id,
    name: resource.resource_name,
    type: resource.base_type,
    cls: resource.resource_class ?? '',
    description: resource.resource_description ?? '',
    parentId: resource.parent_id ?? parentId,
    key: resource.key ?? null,
    children: childIds(resource),
    quantity: resource.quantity ?? null,
    capacity: resource.capacity ?? null,
    places: countPlaces(resource),
    totals: sumByUnit(resource),
    unit: readUnit(resource),
    columns: resource.columns ?? null,
    rows: resource.rows ?? null,
    layers: resource.layers ?? null,
    attributes: resource.attributes ?? {},
    owner: readOwner(resource.owner),
    template: resource.template_name ?? '',
    lockedBy: resource.locked_by ?? null,
    lockedUntil: resource.locked_until ?? '',
    created: resource.created_at ?? '',
    updated: resource.updated_at ?? '',
  };
}

/** Key of the attribute with a resource's unit: MADSci 0.8.1 stores it in no other place. */
export const unitKey = 'unit';

export const readUnit = ({ unit, attributes }: Pick<Resource, 'unit' | 'attributes'>): string => {
  const attribute = attributes?.[unitKey];
  return unit || (typeof attribute === 'string' ? attribute : '');
};

/**
 * Returns all resources of a response, each once, in their original order; those that are only nested follow their
 * parent.
 */
export function toResourceRows(resources: readonly Resource[]): ResourceRow[] {
  const rows = new Map<string, ResourceRow>();
  const pending = resources.map((resource) => ({ resource, parentId: null as string | null })).toReversed();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { resource, parentId } = next;
    if (rows.has(resource.resource_id)) continue;
    rows.set(resource.resource_id, toResourceRow(resource, parentId));
    for (const child of listChildren(resource).toReversed())
      if (child !== null) pending.push({ resource: child, parentId: resource.resource_id });
  }
  return [...rows.values()];
}

function listChildren({ children }: Resource): (Resource | null)[] {
  if (children === null || children === undefined) return [];
  return Array.isArray(children) ? children : Object.values(children);
}

function childIds(resource: Resource): (string | null)[] {
  return listChildren(resource).map((child) => child?.resource_id ?? null);
}

/**
 * Counts the places of a row, grid or voxel grid. A grid contains rows and a voxel grid contains grids, so the places of
 * the rows are added up.
 */
function countPlaces(resource: Resource): ResourceRow['places'] {
  const children = listChildren(resource);
  if (resource.base_type === 'row') {
    const present = children.filter((child) => child !== null);
    const assets = present.filter(({ quantity }) => quantity === null || quantity === undefined).length;
    return { all: children.length, filled: present.length, assets };
  }
  if (resource.base_type !== 'grid' && resource.base_type !== 'voxel_grid') return null;
  const parts = children.flatMap((child) => (child === null ? [] : (countPlaces(child) ?? [])));
  const sum = (count: 'all' | 'filled' | 'assets'): number => parts.reduce((total, part) => total + part[count], 0);
  return { all: sum('all'), filled: sum('filled'), assets: sum('assets') };
}

function sumByUnit(resource: Resource): ResourceRow['totals'] {
  // A unit may have the name of an object's member.
  const totals: Record<string, number> = Object.create(null) as Record<string, number>;
  if (resource.base_type !== 'pool' && !isGrid({ type: resource.base_type })) return totals;
  for (const child of listChildren(resource)) {
    if (child === null) continue;
    const parts = isGrid({ type: child.base_type })
      ? Object.entries(sumByUnit(child))
      : [[readUnit(child), child.quantity] as const];
    for (const [unit, value] of parts) {
      if (typeof value !== 'number') continue;
      const known = Object.keys(totals).find((other) => isSameUnit(other, unit)) ?? unit;
      totals[known] = (totals[known] ?? 0) + value;
    }
  }
  return totals;
}

function readOwner(owner: Resource['owner']): ResourceRow['owner'] {
  return Object.fromEntries(
    Object.entries(owner ?? {}).flatMap(([kind, id]) => (typeof id === 'string' && id !== '' ? [[kind, id]] : [])),
  );
}

const orderedTypes: ReadonlySet<string> = new Set(['stack', 'queue', 'slot']);
const keyedTypes: ReadonlySet<string> = new Set(['container', 'collection', 'pool']);
const gridTypes: ReadonlySet<string> = new Set(['row', 'grid', 'voxel_grid']);

/** The categories of container types: ordered, keyed, and grid. */
export const isContainer = ({ type }: Pick<ResourceRow, 'type'>): boolean =>
  orderedTypes.has(type) || keyedTypes.has(type) || gridTypes.has(type);
export const isOrdered = ({ type }: Pick<ResourceRow, 'type'>): boolean => orderedTypes.has(type);
export const isKeyed = ({ type }: Pick<ResourceRow, 'type'>): boolean => keyedTypes.has(type);
export const isGrid = ({ type }: Pick<ResourceRow, 'type'>): boolean => gridTypes.has(type);
