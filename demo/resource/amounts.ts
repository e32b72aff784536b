/** Quantities and capacities. */
import { OperationError, typeError } from './errors.ts';
import { childrenForm, isConsumable, isContainer, isCounted, type Row } from './row.ts';
import type { ResourceTable } from './table.ts';
import { serve } from './view.ts';

const hasAmounts = (row: Row) => isConsumable(row.base_type) || isContainer(row.base_type);

/** What the model doesn't take. */
function check(row: Row, field: string, value: number): void {
  if (value < 0) throw new OperationError(`${field}: Input should be greater than or equal to 0`);
  if (isCounted(row.base_type) && !Number.isInteger(value)) {
    throw new OperationError(`${field}: Input should be a valid integer`);
  }
}

export function setQuantity(table: ResourceTable, id: string, quantity: number): Row {
  const row = table.one(id);
  if (!hasAmounts(row)) throw typeError(row, 'has no quantity attribute.');
  if (row.capacity !== null && row.capacity > 0 && quantity > row.capacity) {
    throw new OperationError(
      `Cannot set quantity of consumable '${row.resource_name}' to ${quantity} because it exceeds the capacity of ${row.capacity}.`,
    );
  }
  if (isContainer(row.base_type)) throw typeError(row, 'has a read-only quantity attribute.');
  check(row, 'quantity', quantity);
  return table.put({ ...row, quantity });
}

/** How the three relative changes count from what is there. */
const changes = {
  by: (quantity: number, amount: number) => quantity + amount,
  increase: (quantity: number, amount: number) => quantity + Math.abs(amount),
  decrease: (quantity: number, amount: number) => Math.max(quantity - Math.abs(amount), 0),
} as const;

/** By an amount; increase and decrease take its size, decrease stops at 0. An unknown ID is a 404 inside a 500. */
export function changeQuantity(table: ResourceTable, id: string, kind: keyof typeof changes, amount: number): Row {
  const row = table.get(id);
  if (row === undefined) throw new OperationError('404: Resource not found');
  const { quantity } = serve(row, table);
  if (quantity === null) throw typeError(row, 'has no quantity attribute.');
  return setQuantity(table, id, changes[kind](quantity, amount));
}

export function setCapacity(table: ResourceTable, id: string, capacity: number): Row {
  const row = table.one(id);
  if (!hasAmounts(row)) throw typeError(row, 'has no capacity attribute.');
  const quantity = serve(row, table).quantity ?? 0;
  if (capacity < quantity) {
    throw new OperationError(
      `Cannot set capacity of resource '${row.resource_name}' to ${capacity} because it currently contains ${quantity}.`,
    );
  }
  // The real manager stores what the model doesn't take, and can't serve the resource any more: refused before here.
  check(row, 'capacity', capacity);
  if (row.base_type === 'slot' && capacity !== 1) throw new OperationError('capacity: Input should be 1');
  return capacity === row.capacity ? row : table.put({ ...row, capacity });
}

export function removeCapacity(table: ResourceTable, id: string): Row {
  const row = table.one(id);
  if (!hasAmounts(row)) throw typeError(row, 'has no capacity attribute.');
  if (row.base_type === 'slot') throw new OperationError('capacity: Input should be 1');
  return row.capacity === null ? row : table.put({ ...row, capacity: null });
}

/** A consumable to 0; the children of a container by key are deleted; lists can't be emptied, not even empty ones. */
export function empty(table: ResourceTable, row: Row): Row {
  const id = row.resource_id;
  if (isConsumable(row.base_type)) return table.put({ ...row, quantity: 0 });
  if (!isContainer(row.base_type)) return row;
  if (childrenForm(row.base_type) !== 'byKey') throw new OperationError("'list' object has no attribute 'values'");
  for (const child of table.childrenOf(id)) table.remove(child.resource_id);
  return table.one(id);
}

/** A consumable to its capacity. */
export function fill(table: ResourceTable, row: Row): Row {
  if (!isConsumable(row.base_type)) throw typeError(row, 'is not a consumable.');
  if (row.capacity === null || row.capacity === 0) {
    throw new OperationError(
      `Resource '${row.resource_name}' has no capacity limit set, please set a capacity or use set_quantity.`,
    );
  }
  return table.put({ ...row, quantity: row.capacity });
}
