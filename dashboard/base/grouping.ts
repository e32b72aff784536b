/** Groups items by key, in the order of each key's first occurrence. */
export function groupBy<Item, Key = string>(items: Iterable<Item>, getKey: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Returns the first row that is free at `start` and marks it as occupied until `end`; the last one if all `maxRows` are
 * occupied.
 */
export function occupyFreeRow(ends: number[], start: number, end: number, maxRows = Infinity): number {
  const free = ends.findIndex((until) => until <= start);
  const row = free < 0 ? Math.min(ends.length, maxRows - 1) : free;
  ends[row] = Math.max(end, ends[row] ?? -Infinity);
  return row;
}
