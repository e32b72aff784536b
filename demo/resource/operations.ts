/** Operations on one resource: contents and amounts. A rejected operation gives status 500 with a reason. */
import { ErrorResponse } from '../base/handlers.ts';
import { add, type Model } from './models.ts';
import { childrenForm, isConsumable, isContainer, type Row } from './row.ts';
import type { ResourceTable } from './table.ts';
import { serve } from './view.ts';

/** A child in a request: the whole resource, or only its ID. */
export type SentChild = Model | string;

const childId = (child: SentChild) => (typeof child === 'string' ? child : child.columns.resource_id);

function rejectOperation({ resource_name: name, base_type: type }: Row, reason: string): never {
  throw new ErrorResponse(500, `Resource '${name}' with type ${type} ${reason}`);
}

const isFull = ({ capacity }: Row, count: number) => capacity !== null && capacity > 0 && count >= capacity;

/** Updates the count of the children, which creates a new version. */
function recount(table: ResourceTable, id: string): Row {
  return table.put({ ...table.getOrThrow(id), quantity: table.listChildren(id).length });
}

function detach(table: ResourceTable, row: Row): void {
  table.put({ ...row, parent_id: null, key: null });
}

/** Moves an existing resource to the key, or adds a new one. */
function attach(table: ResourceTable, parent: string, key: string, child: SentChild): void {
  const existing = table.get(childId(child));
  if (existing !== undefined) table.put({ ...existing, parent_id: parent, key });
  else if (typeof child === 'string') throw new ErrorResponse(500, `The child resource ${child} does not exist`);
  else add(table, { ...child, columns: { ...child.columns, parent_id: parent, key } });
}

/**
 * Pushes onto a stack, queue or slot. The key is the number of children, so after a pop from a queue the key exists and
 * pushing fails until the queue is empty; the pages warn about it.
 */
export function push(table: ResourceTable, parentId: string, child: SentChild): Row {
  const parent = table.getOrThrow(parentId);
  if (childrenForm(parent.base_type) !== 'list') rejectOperation(parent, 'is not a stack, slot, or queue resource.');
  const { length } = table.listChildren(parentId);
  if (isFull(parent, length)) rejectOperation(parent, 'is full.');
  const key = String(length);
  if (table.childAt(parentId, key) !== undefined) {
    throw new ErrorResponse(500, `Child with key '${key}' already exists for parent '${parentId}'.`);
  }
  attach(table, parentId, key, child);
  return recount(table, parentId);
}

/** Removes the last of a stack, or the first of a queue or slot. The keys of the others don't change. */
export function pop(table: ResourceTable, parentId: string): readonly [child: Row, parent: Row] {
  const parent = table.getOrThrow(parentId);
  if (childrenForm(parent.base_type) !== 'list') rejectOperation(parent, 'is not a stack, slot, or queue resource.');
  const children = table.listChildren(parentId).toSorted((left, right) => Number(left.key) - Number(right.key));
  const child = parent.base_type === 'stack' ? children.at(-1) : children[0];
  if (child === undefined) throw new ErrorResponse(500, `Container '${parent.resource_name}' is empty.`);
  detach(table, child);
  return [table.getOrThrow(child.resource_id), recount(table, parentId)];
}

function requireKeyedContainer(table: ResourceTable, id: string): Row {
  const container = table.getOrThrow(id);
  if (childrenForm(container.base_type) !== 'byKey') rejectOperation(container, 'does not support random access.');
  return container;
}

/** Sets the child at a key; the previous child is detached, not deleted. */
export function setChild(table: ResourceTable, containerId: string, key: string, child: SentChild): Row {
  const container = table.getOrThrow(containerId);
  // A row accepts only complete resources, and moves the one that has their ID.
  if (container.base_type !== 'row' || typeof child === 'string') requireKeyedContainer(table, containerId);
  const previous = table.childAt(containerId, key);
  const { length } = table.listChildren(containerId);
  // The capacity of a pool is an amount.
  if (previous === undefined && container.base_type !== 'pool' && isFull(container, length)) {
    rejectOperation(container, 'is full.');
  }
  if (previous !== undefined) detach(table, previous);
  attach(table, containerId, key, child);
  return recount(table, containerId);
}

/** Detaches the child at a key without deleting it. */
export function removeChild(table: ResourceTable, containerId: string, key: string): Row {
  const container = requireKeyedContainer(table, containerId);
  const child = table.childAt(containerId, key);
  if (child === undefined) return rejectOperation(container, `has no child '${key}'.`);
  detach(table, child);
  return recount(table, containerId);
}

const hasAmounts = (row: Row) => isConsumable(row.base_type) || isContainer(row.base_type);

export function setQuantity(table: ResourceTable, id: string, quantity: number): Row {
  const row = table.getOrThrow(id);
  if (!isConsumable(row.base_type)) rejectOperation(row, 'has no quantity that can be set.');
  if (row.capacity !== null && quantity > row.capacity) rejectOperation(row, `has a capacity of ${row.capacity}.`);
  if (quantity < 0) rejectOperation(row, 'has no quantity below 0.');
  if (row.base_type === 'discrete_consumable' && !Number.isInteger(quantity))
    rejectOperation(row, 'is counted in whole numbers.');
  return table.put({ ...row, quantity });
}

/** Changes by the absolute value of the amount; a decrease stops at 0. */
export function changeQuantity(table: ResourceTable, id: string, kind: 'increase' | 'decrease', amount: number): Row {
  const current = table.getOrThrow(id).quantity ?? 0;
  const size = Math.abs(amount);
  return setQuantity(table, id, kind === 'increase' ? current + size : Math.max(0, current - size));
}

/** @param capacity null removes it */
export function setCapacity(table: ResourceTable, id: string, capacity: number | null): Row {
  const row = table.getOrThrow(id);
  if (!hasAmounts(row)) rejectOperation(row, 'has no capacity attribute.');
  if (row.base_type === 'slot' && capacity !== 1) rejectOperation(row, 'has a capacity of 1.');
  const available = serve(row, table).quantity ?? 0;
  if (capacity !== null && capacity < available) rejectOperation(row, `currently contains ${available}.`);
  return table.put({ ...row, capacity });
}

/**
 * Sets a consumable to 0 and deletes the children of a keyed container. Lists can't be emptied, not even empty ones.
 */
export function empty(table: ResourceTable, row: Row): Row {
  if (isConsumable(row.base_type)) return table.put({ ...row, quantity: 0 });
  if (!isContainer(row.base_type)) return row;
  requireKeyedContainer(table, row.resource_id);
  for (const child of table.listChildren(row.resource_id)) table.remove(child.resource_id);
  return table.getOrThrow(row.resource_id);
}

/** Fills a consumable to its capacity. */
export function fill(table: ResourceTable, row: Row): Row {
  if (!isConsumable(row.base_type) || !row.capacity) return rejectOperation(row, 'has no capacity to be filled to.');
  return table.put({ ...row, quantity: row.capacity });
}
