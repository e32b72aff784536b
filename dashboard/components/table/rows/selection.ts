/** The selected rows of a table, by key. */
import { type Ref, computed, ref } from 'vue';

/** Returns the selection after a press on `key`; with `from`, the range between both rows changes. */
export function toggleSelection(
  selected: ReadonlySet<string>,
  order: readonly string[],
  key: string,
  from: string | null = null,
): ReadonlySet<string> {
  const after = new Set(selected);
  const add = !selected.has(key);
  const [pressedIndex, startIndex] = [order.indexOf(key), from === null ? -1 : order.indexOf(from)];
  const range =
    startIndex === -1 || pressedIndex === -1
      ? [key]
      : order.slice(Math.min(pressedIndex, startIndex), Math.max(pressedIndex, startIndex) + 1);
  // The range gets the new state of the pressed row.
  for (const rangeKey of range) {
    if (add) after.add(rangeKey);
    else after.delete(rangeKey);
  }
  return after;
}

/** Returns whether none, some or all of the visible rows are selected. */
export function summarizeSelection(selected: ReadonlySet<string>, order: readonly string[]): 'none' | 'some' | 'all' {
  const count = order.filter((key) => selected.has(key)).length;
  return count === 0 ? 'none' : count === order.length ? 'all' : 'some';
}

/**
 * Returns the selection after a press of the header checkbox: all visible rows or none of them. Hidden rows keep their
 * state.
 */
export function toggleAll(selected: ReadonlySet<string>, order: readonly string[]): ReadonlySet<string> {
  if (summarizeSelection(selected, order) !== 'all') return new Set([...selected, ...order]);
  const visible = new Set(order);
  return new Set([...selected].filter((key) => !visible.has(key)));
}

/**
 * The user's row selection in a table, by keyboard and pointer.
 * @param order keys of the visible rows, in their order
 */
export function useSelection(selected: Ref<ReadonlySet<string>>, order: () => readonly string[]) {
  const lastPressed = ref<string | null>(null);
  return {
    state: computed(() => summarizeSelection(selected.value, order())),
    has: (key: string) => selected.value.has(key),
    /** With `range`, includes all rows from the previously pressed one. */
    press: (key: string, range: boolean) => {
      selected.value = toggleSelection(selected.value, order(), key, range ? lastPressed.value : null);
      lastPressed.value = key;
    },
    pressAll: () => (selected.value = toggleAll(selected.value, order())),
    clear: () => {
      selected.value = new Set();
      lastPressed.value = null;
    },
  };
}
