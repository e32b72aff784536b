/** Adding, updating and restoring whole resources with their children. */
import { OperationError } from './errors.ts';
import type { Model } from './model.ts';
import { isContainer, type Row } from './row.ts';
import type { ResourceTable, Version } from './table.ts';

const blank = {
  quantity: null,
  capacity: null,
  columns: null,
  rows: null,
  layers: null,
  template_name: null,
  locked_until: null,
  locked_by: null,
} as const;

/** What the model counts of itself and the table stores: the history shows it, answers count anew. */
function storedQuantity({ columns, children }: Model): Pick<Row, 'quantity'> | object {
  return isContainer(columns.base_type) ? { quantity: children?.length ?? 0 } : {};
}

/** A row for a new resource. */
export function newRow(model: Model, now: string): Row {
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
    ...blank,
    ...model.columns,
    ...storedQuantity(model),
    created_at: now,
    updated_at: now,
  };
}

/** Puts the children where the model has them; known ones are moved and replaced as a whole. */
function placeChildren(table: ResourceTable, parent: string, model: Model): void {
  for (const [key, child] of model.children ?? []) {
    addOrUpdate(table, { ...child, columns: { ...child.columns, parent_id: parent, key } });
  }
}

/** Adds the resource; one with a known ID is left as it is. */
export function add(table: ResourceTable, model: Model): Row {
  const { resource_id: id } = model.columns;
  const known = table.get(id);
  if (known !== undefined) return known;
  table.put(newRow(model, table.now()));
  placeChildren(table, id, model);
  return table.one(id);
}

/**
 * Replaces the resource: whatever was left out falls back to the type's default. Children that aren't in it any more
 * lose their parent, but keep their key.
 */
export function update(table: ResourceTable, model: Model): Row {
  const { resource_id: id } = model.columns;
  const before = table.one(id);
  table.put({ ...before, ...model.columns, ...storedQuantity(model) });
  if (model.children === undefined) return table.one(id);
  for (const child of table.childrenOf(id)) table.put({ ...child, parent_id: null });
  placeChildren(table, id, model);
  return table.one(id);
}

export function addOrUpdate(table: ResourceTable, model: Model): Row {
  return table.get(model.columns.resource_id) === undefined ? add(table, model) : update(table, model);
}

/**
 * Brings the last removed version back, with the children that went with it; undefined where nothing was removed.
 * Answers the version as it was: without children.
 */
export function restore(table: ResourceTable, id: string): Version | undefined {
  const version = [...table.history(id)].find((entry) => entry.removed);
  if (version === undefined) return undefined;
  if (table.get(id) !== undefined) throw new OperationError('UNIQUE constraint failed: resource.resource_id');
  table.takeBack(version);
  table.put({ ...version.row, removed: false });
  for (const child of version.child_ids ?? []) restore(table, child);
  return version;
}
