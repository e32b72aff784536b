/** Reads the resources of a request, with their children, and stores them. */
import { resourceBody, type ResourceBody } from '../../api/managers/resourceBody.ts';
import { isObject, type JsonObject, type OwnershipInfo } from '../../api/client/wire.ts';
import type { Random } from '../base/random.ts';
import { readBody, readOwnership } from '../base/parseRequest.ts';
import { isConsumable, isContainer, type Row } from './row.ts';
import type { ResourceTable } from './table.ts';

/** A resource of a request. */
export interface Model {
  /** The columns set by the type or the sender; an update keeps the others. */
  readonly columns: Partial<Row> & Pick<Row, 'resource_id' | 'resource_name' | 'base_type'>;
  /** The children by key; undefined for types without children. */
  readonly children: readonly (readonly [key: string, child: Model])[] | undefined;
}

export interface ModelParts {
  readonly random: Random;
  readonly ownership: OwnershipInfo;
}

const adjectives = ['happy', 'clever', 'bright', 'swift', 'calm', 'bold', 'eager', 'quiet'] as const;
const nouns = ['falcon', 'river', 'maple', 'comet', 'harbor', 'meadow', 'otter', 'lantern'] as const;

/** Columns that only some types have; a type without them stores them too if they are sent. */
const optionalColumns = [
  'quantity',
  'capacity',
  'columns',
  'rows',
  'layers',
  'template_name',
  'locked_until',
  'locked_by',
] as const;

function typeColumns(sent: ResourceBody): Partial<Row> {
  const type = sent.base_type;
  const received = optionalColumns.filter((name) => sent[name] !== undefined).map((name) => [name, sent[name]]);
  const defaults = isConsumable(type) ? { quantity: 0, capacity: null } : { capacity: type === 'slot' ? 1 : null };
  return { ...(isConsumable(type) || isContainer(type) ? defaults : {}), ...Object.fromEntries(received) };
}

/** Returns the rows of a grid, or the grids of a voxel grid, that are created if they aren't sent. */
function defaultChildren(sent: ResourceBody, name: string): JsonObject[] {
  switch (sent.base_type) {
    case 'grid':
      return Array.from({ length: sent.rows }, (_none, index) => ({
        base_type: 'row',
        resource_name: `${name}_row_${index}`,
        columns: sent.columns,
      }));
    case 'voxel_grid':
      return Array.from({ length: sent.layers }, (_none, index) => ({
        base_type: 'grid',
        resource_name: `${name}_layer_${index}`,
        columns: sent.columns,
        rows: sent.rows,
      }));
    default:
      return [];
  }
}

function readChildren(sent: ResourceBody, name: string, source: ModelParts): Model['children'] {
  if (!isContainer(sent.base_type)) return undefined;
  // The keys of a list are its indices.
  const received = Object.entries({ ...defaultChildren(sent, name), ...withoutEmptyPositions(sent['children']) });
  return received.map(([key, child]) => [key, readModel(child, source)] as const);
}

/** Returns the children by key, without empty positions. */
function withoutEmptyPositions(children: unknown): JsonObject {
  if (!isObject(children) && !Array.isArray(children)) return {};
  return Object.fromEntries(Object.entries(children).filter(([, child]) => child !== null));
}

/** Returns the resource that a body describes; 422 for an invalid body. */
export function readModel(body: unknown, source: ModelParts): Model {
  const received = readBody(resourceBody, body);
  const { random, ownership } = source;
  const id = received.resource_id ?? random.ulid();
  const name = received.resource_name ?? `${random.pick(adjectives)}_${random.pick(nouns)}`;
  return {
    columns: {
      resource_name: name,
      resource_name_prefix: received.resource_name_prefix ?? null,
      resource_class: received.resource_class ?? '',
      base_type: received.base_type,
      resource_description: received.resource_description ?? null,
      owner: received.owner === undefined ? ownership : readOwnership(received.owner),
      custom_attributes: received.custom_attributes ?? null,
      resource_id: id,
      resource_url: received.resource_url ?? null,
      parent_id: received.parent_id ?? null,
      key: received.key ?? null,
      attributes: received.attributes ?? {},
      removed: received.removed ?? false,
      ...typeColumns(received),
    },
    children: readChildren(received, name, source),
  };
}

/** Returns a row for a new resource. */
export function newRow({ columns, children }: Model, now: string): Row {
  return {
    resource_name_prefix: null,
    resource_class: '',
    resource_description: null,
    owner: {},
    custom_attributes: null,
    resource_url: null,
    parent_id: null,
    key: null,
    attributes: {},
    removed: false,
    capacity: null,
    columns: null,
    rows: null,
    layers: null,
    template_name: null,
    locked_until: null,
    locked_by: null,
    quantity: children?.length ?? null,
    ...columns,
    created_at: now,
    updated_at: now,
  };
}

/** Stores the model's children; existing ones are moved and replaced as a whole. */
function placeChildren(table: ResourceTable, parent: string, children: Model['children'] = []): void {
  for (const [key, child] of children) {
    const childModel = { ...child, columns: { ...child.columns, parent_id: parent, key } };
    if (table.get(child.columns.resource_id) === undefined) add(table, childModel);
    else update(table, childModel);
  }
}

/** Adds the resource; an existing ID is left unchanged. */
export function add(table: ResourceTable, model: Model): Row {
  const { resource_id: id } = model.columns;
  const existing = table.get(id);
  if (existing !== undefined) return existing;
  table.put(newRow(model, table.now()));
  placeChildren(table, id, model.children);
  return table.getOrThrow(id);
}

/** Replaces the resource. Children that the new model lacks lose their parent. */
export function update(table: ResourceTable, { columns, children }: Model): Row {
  const id = columns.resource_id;
  table.put({ ...table.getOrThrow(id), ...columns, ...(children === undefined ? {} : { quantity: children.length }) });
  if (children === undefined) return table.getOrThrow(id);
  for (const child of table.listChildren(id)) table.put({ ...child, parent_id: null });
  placeChildren(table, id, children);
  return table.getOrThrow(id);
}
