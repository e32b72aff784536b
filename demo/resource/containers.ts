/** Putting resources into containers and taking them out. */
import { gridIndex, listIndex, rowIndex, voxelIndex, type ChildKey } from './childKeys.ts';
import { OperationError, typeError } from './errors.ts';
import type { Model } from './model.ts';
import { childrenForm, isConsumable, isContainer, type Row } from './row.ts';
import type { ResourceTable } from './table.ts';
import { serve } from './view.ts';
import { add, update } from './writes.ts';

/** A child as it is sent: the whole, or only its ID. */
export type SentChild = Model | string;

const idOf = (child: SentChild) => (typeof child === 'string' ? child : child.columns.resource_id);

function mention(child: SentChild): string {
  return typeof child === 'string' ? child : `${child.columns.resource_name} (${child.columns.resource_id})`;
}

/** The row counts its children anew: that is a version of its own. */
function recount(table: ResourceTable, id: string): Row {
  return table.put({ ...table.one(id), quantity: table.childrenOf(id).length });
}

function detach(table: ResourceTable, row: Row): void {
  table.put({ ...row, parent_id: null, key: null });
}

/** Puts a known resource there, or adds a new one. */
function attach(table: ResourceTable, parent: string, key: string, child: SentChild): void {
  const known = table.get(idOf(child));
  if (known !== undefined) {
    table.put({ ...known, parent_id: parent, key });
  } else if (typeof child === 'string') {
    throw new OperationError(
      `The child resource ${child} does not exist in the database and must be added. Alternatively, provide a ResourceDataModels object instead of the ID, to have the object added automatically.`,
    );
  } else {
    add(table, { ...child, columns: { ...child.columns, parent_id: parent, key } });
  }
}

function endsOnly(row: Row): void {
  if (childrenForm(row.base_type) !== 'list') throw typeError(row, 'is not a stack, slot, or queue resource.');
}

/**
 * Onto a stack, queue or slot. The key is the count of children, so after a pop from a queue it is taken, and pushing
 * fails until the queue is empty.
 */
export function push(table: ResourceTable, parentId: string, child: SentChild): Row {
  const parent = table.one(parentId);
  endsOnly(parent);
  const { length } = table.childrenOf(parentId);
  if (parent.capacity !== null && parent.capacity > 0 && length >= parent.capacity) {
    const where = `${parent.resource_name} (${parentId})`;
    throw new OperationError(`Cannot push resource '${mention(child)}' to container '${where}' because it is full.`);
  }
  const key = String(length);
  if (table.childAt(parentId, key) !== undefined) {
    throw new OperationError(
      `Child with key '${key}' already exists for parent '${parentId}'. Set update_existing=True to update the existing child.`,
    );
  }
  attach(table, parentId, key, child);
  return recount(table, parentId);
}

/** The last of a stack, the first of a queue or slot. The keys of the others stay. */
export function pop(table: ResourceTable, parentId: string): readonly [child: Row, parent: Row] {
  const parent = table.one(parentId);
  endsOnly(parent);
  const children = table.childrenOf(parentId).toSorted((left, right) => Number(left.key) - Number(right.key));
  const child = parent.base_type === 'stack' ? children.at(-1) : children[0];
  if (child === undefined) throw new OperationError(`Container '${parent.resource_name}' is empty.`);
  detach(table, child);
  return [table.one(child.resource_id), recount(table, parentId)];
}

function randomAccess(row: Row, instead: 'push' | 'pop'): void {
  if (!isContainer(row.base_type)) throw typeError(row, 'is not a container.');
  if (childrenForm(row.base_type) === 'list') {
    throw typeError(row, `does not support random access, use \`.${instead}\` instead.`);
  }
}

/** The part of a grid at an index, which may be missing: then Python complains of None. */
function part(table: ResourceTable, parent: Row, index: number, why: string): Row {
  const length = Math.max(parent.columns ?? 0, (parent.base_type === 'grid' ? parent.rows : parent.layers) ?? 0);
  const found = table.childAt(parent.resource_id, String(listIndex(index, length, 'list index out of range')));
  if (found === undefined) throw new OperationError(why);
  return found;
}

/** The row that a key points into, and the place in it. */
function place(table: ResourceTable, top: Row, key: ChildKey, why: string): readonly [row: Row, index: number] {
  switch (top.base_type) {
    case 'row':
      return [top, rowIndex(key)];
    case 'grid': {
      // A bare number is a whole row of the grid.
      if (typeof key === 'number') return [top, key];
      const [row, column] = gridIndex(key);
      return [part(table, top, row, why), column];
    }
    default: {
      if (typeof key === 'number') return [top, key];
      const [row, column, layer] = voxelIndex(key);
      return [part(table, part(table, top, layer, why), row, why), column];
    }
  }
}

/** In a row, grid or voxel grid: only whole resources, because the manager writes their key into them. */
function setAtPosition(table: ResourceTable, top: Row, key: ChildKey, child: SentChild): void {
  if (typeof child === 'string') throw new OperationError("'str' object has no attribute 'key'");
  const [row, index] = place(table, top, key, "'NoneType' object does not support item assignment");
  const at = String(listIndex(index, row.columns ?? 0));
  const before = table.childAt(row.resource_id, at);
  if (before !== undefined) table.put({ ...before, parent_id: null });
  const columns = { ...child.columns, parent_id: row.resource_id, key: at };
  if (table.get(columns.resource_id) === undefined) add(table, { ...child, columns });
  else update(table, { ...child, columns });
  table.put(table.one(top.resource_id));
}

function checkRoom(table: ResourceTable, container: Row, key: string, child: SentChild): void {
  const { capacity } = container;
  const { quantity } = serve(container, table);
  const taken = table.childAt(container.resource_id, key) !== undefined;
  if (capacity === null || capacity === 0 || (quantity ?? 0) < capacity || taken) return;
  if (typeof child === 'string') throw new OperationError("'str' object has no attribute 'resource_name'");
  const { resource_name: name } = child.columns;
  throw new OperationError(`Cannot add child '${name}' to container '${container.resource_name}' because it is full.`);
}

/** As Python writes a key that isn't a text. */
const keyText = (key: ChildKey) => (typeof key === 'object' ? `(${key.join(', ')})` : String(key));

/** Puts a resource at a key; what was there before is detached, not deleted. */
export function setChild(table: ResourceTable, containerId: string, key: ChildKey, child: SentChild): Row {
  const container = table.one(containerId);
  randomAccess(container, 'push');
  if (childrenForm(container.base_type) === 'positions') {
    setAtPosition(table, container, key, child);
    return table.one(containerId);
  }
  const at = keyText(key);
  checkRoom(table, container, at, child);
  const type = typeof child === 'string' ? table.get(child)?.base_type : child.columns.base_type;
  // The real manager stores it, and can't serve the pool any more: here it is refused before.
  if (container.base_type === 'pool' && type !== undefined && !isConsumable(type)) {
    throw new OperationError(`1 validation error for Pool\nchildren.${at}\n  Input should be a consumable`);
  }
  const before = table.childAt(containerId, at);
  if (before !== undefined && before.resource_id === idOf(child)) {
    if (typeof child === 'string') throw new OperationError("'str' object has no attribute 'parent_id'");
    update(table, { ...child, columns: { ...child.columns, parent_id: containerId, key: at } });
  } else {
    if (before !== undefined) detach(table, before);
    attach(table, containerId, at, child);
  }
  return recount(table, containerId);
}

/** Texts count from one here as well, but letters are no numbers to this operation. */
function removalIndex(key: ChildKey): number {
  if (typeof key !== 'string') return rowIndex(key);
  if (!/^\s*[+-]?\d+\s*$/.test(key)) {
    throw new OperationError(`invalid literal for int() with base 10: '${key}'`);
  }
  return Number(key) - 1;
}

/** Takes out what is at a key; it is only detached. */
export function removeChild(table: ResourceTable, containerId: string, key: ChildKey): Row {
  const container = table.one(containerId);
  randomAccess(container, 'pop');
  let child: Row | undefined;
  if (childrenForm(container.base_type) === 'positions') {
    const why = "'NoneType' object is not subscriptable";
    const [row, index] =
      container.base_type === 'row' ? [container, removalIndex(key)] : place(table, container, key, why);
    const at = listIndex(index, row.columns ?? 0, 'list index out of range');
    child = table.childAt(row.resource_id, String(at));
  } else {
    child = table.childAt(containerId, keyText(key));
  }
  if (child === undefined) throw new OperationError("'Key not found in children'");
  detach(table, child);
  return recount(table, containerId);
}
