/**
 * Decides which operations a resource's type supports, and why one is blocked now; the manager rejects those that are
 * not possible.
 */
import { getAmount, isConsumable } from './amount.ts';
import { isGrid, isKeyed, isOrdered, isContainer, type ResourceRow } from './resourceRow.ts';
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

const reasons = resourceTexts.notAllowed;
/**
 * Returns `null` if the operation is possible now, `undefined` if it doesn't apply to this type, else the reason.
 * `holder`: the holder of its lock.
 */
export function decideOperation(
  operation: Operation,
  row: ResourceRow,
  holder: string | null,
): string | null | undefined {
  const amount = getAmount(row);
  const childCount = row.children.filter((id) => id !== null).length;
  switch (operation) {
    case 'quantity':
      return isConsumable(row) ? null : undefined;
    case 'capacity':
      if (row.type === 'slot') return undefined;
      return isConsumable(row) || isContainer(row) ? null : undefined;
    case 'fill':
      if (!isConsumable(row)) return undefined;
      if (row.capacity === null) return 'It has no capacity to fill to: set one first.';
      return amount?.state === 'full' ? reasons.full : null;
    case 'empty':
      if (isConsumable(row)) return row.quantity === 0 ? reasons.empty : null;
      if (isKeyed(row)) return childCount === 0 ? reasons.empty : null;
      return isContainer(row) ? (childCount === 0 ? reasons.empty : reasons.notEmptied(row.type)) : undefined;
    case 'push':
      if (!isOrdered(row)) return undefined;
      if (row.type === 'slot' && childCount > 0) return reasons.full;
      if (row.capacity !== null && childCount >= row.capacity) return reasons.full;
      return null;
    case 'pop':
      return isOrdered(row) ? (childCount === 0 ? reasons.empty : null) : undefined;
    case 'setChild':
      return isKeyed(row) ? null : undefined;
    case 'removeChild':
      return isKeyed(row) ? (childCount === 0 ? reasons.empty : null) : undefined;
    // A row of a plate can't be moved separately.
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
 * Returns whether the manager would reject a push onto this queue: a pop doesn't renumber the keys, and the next key is
 * the number of children.
 */
export function pushCollides(row: ResourceRow, children: readonly ResourceRow[]): boolean {
  return row.type === 'queue' && children.some(({ key }) => key === String(children.length));
}

/**
 * Returns how many more children fit into a container other than a plate. A pool's capacity limits its quantity, and a
 * capacity of 0 is none.
 */
export function countFreePlaces(
  { type, capacity }: Pick<ResourceRow, 'type' | 'capacity'>,
  childCount: number,
): number {
  const limit = type === 'slot' ? 1 : type === 'pool' ? null : capacity;
  return limit === null || limit === 0 ? Infinity : Math.max(0, limit - childCount);
}

/**
 * Returns why no resource can be moved into this one now; `null` if it can. A pool's capacity limits its quantity, not its
 * children.
 */
export function findTargetProblem(row: ResourceRow): string | null {
  if (!isContainer(row)) return reasons.noContainer;
  if (isOrdered(row)) return decideOperation('push', row, null) ?? null;
  if (isGrid(row)) return row.places !== null && row.places.filled >= row.places.all ? reasons.full : null;
  const isFull = row.capacity !== null && row.type !== 'pool' && row.children.length >= row.capacity;
  return isFull ? reasons.full : null;
}
