/** What can be done with a resource by its type, and why something can't: the manager refuses the rest. Pure. */
import { amountOf, isConsumable } from './amount.ts';
import { isKeyed, isOrdered, isContainer, type ResourceRow } from './resourceRow.ts';
import { resourceTexts } from './texts.ts';

export const operations = [
  'quantity',
  'capacity',
  'fill',
  'empty',
  'push',
  'pop',
  'setChild',
  'removeChild',
  'move',
  'lock',
  'unlock',
  'remove',
] as const;
export type Operation = (typeof operations)[number];

const why = resourceTexts.why;
/** `null` when it can be done now; `undefined` when it is nothing for this type. `holder`: who has locked it. */
export function decide(operation: Operation, row: ResourceRow, holder: string | null): string | null | undefined {
  const amount = amountOf(row);
  const filled = row.children.filter((id) => id !== null).length;
  switch (operation) {
    case 'quantity':
      return isConsumable(row) ? null : undefined;
    case 'capacity':
      if (row.type === 'slot') return undefined;
      return isConsumable(row) || isContainer(row) ? null : undefined;
    case 'fill':
      if (!isConsumable(row)) return undefined;
      if (row.capacity === null) return why.noCapacity;
      return amount?.state === 'full' ? why.full : null;
    case 'empty':
      if (isConsumable(row)) return row.quantity === 0 ? why.empty : null;
      if (isKeyed(row)) return filled === 0 ? why.empty : null;
      return isContainer(row) ? (filled === 0 ? why.empty : why.notEmptied(row.type)) : undefined;
    case 'push':
      if (!isOrdered(row)) return undefined;
      if (row.type === 'slot' && filled > 0) return why.full;
      if (row.capacity !== null && filled >= row.capacity) return why.full;
      return null;
    case 'pop':
      return isOrdered(row) ? (filled === 0 ? why.empty : null) : undefined;
    case 'setChild':
      return isKeyed(row) ? null : undefined;
    case 'removeChild':
      return isKeyed(row) ? (filled === 0 ? why.empty : null) : undefined;
    // A part of a plate is no thing that one carries.
    case 'move':
      return row.type === 'row' && row.parentId !== null ? undefined : null;
    case 'lock':
      return holder === null ? null : undefined;
    case 'unlock':
      return holder === null ? undefined : null;
    case 'remove':
      return null;
  }
}

/**
 * Whether the manager would refuse a push onto this queue: after a pop the keys aren't renumbered, and the next one is the count
 * of children.
 */
export function pushCollides(row: ResourceRow, children: readonly ResourceRow[]): boolean {
  return row.type === 'queue' && children.some(({ key }) => key === String(children.length));
}

/** Whether something can be put into it as it is now; rows and grids take only new resources, not ones that exist. */
export function hasFreeCapacity(row: ResourceRow): boolean {
  if (!isOrdered(row) && !isKeyed(row)) return false;
  if (isOrdered(row)) return decide('push', row, null) === null;
  return row.capacity === null || row.type === 'pool' || row.children.length < row.capacity;
}
