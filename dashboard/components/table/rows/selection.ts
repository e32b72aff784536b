/** Which rows are selected, by their keys. Pure. */
import { type Ref, computed, ref } from 'vue';

/** The selection after `key` was pressed. `from`: the one pressed before, when all between are meant. */
export function withPressed(
  selected: ReadonlySet<string>,
  order: readonly string[],
  key: string,
  from: string | null = null,
): ReadonlySet<string> {
  const after = new Set(selected);
  const add = !selected.has(key);
  const [at, start] = [order.indexOf(key), from === null ? -1 : order.indexOf(from)];
  const range = start === -1 || at === -1 ? [key] : order.slice(Math.min(at, start), Math.max(at, start) + 1);
  // A range follows what the row that was pressed becomes.
  for (const one of range) {
    if (add) after.add(one);
    else after.delete(one);
  }
  return after;
}

type SelectionOfAll = 'none' | 'some' | 'all';

/** How many of the rows shown are selected. */
export function selectionOf(selected: ReadonlySet<string>, order: readonly string[]): SelectionOfAll {
  const count = order.reduce((sum, key) => sum + (selected.has(key) ? 1 : 0), 0);
  return count === 0 ? 'none' : count === order.length ? 'all' : 'some';
}

/** The selection after the box of all was pressed: all that is shown, or none of it; what isn't shown stays as it is. */
export function withAll(selected: ReadonlySet<string>, order: readonly string[]): ReadonlySet<string> {
  const after = new Set(selected);
  const isAll = selectionOf(selected, order) === 'all';
  for (const key of order) {
    if (isAll) after.delete(key);
    else after.add(key);
  }
  return after;
}

/** The rows that somebody selected in a table, by keyboard and pointer. */
interface Selection {
  readonly ofAll: Readonly<Ref<SelectionOfAll>>;
  readonly has: (key: string) => boolean;
  /** With `range`, all from the row that was pressed before. */
  readonly press: (key: string, range: boolean) => void;
  readonly pressAll: () => void;
  readonly clear: () => void;
}

/** `order`: keys of the rows shown. */
export function useSelection(selected: Ref<ReadonlySet<string>>, order: () => readonly string[]): Selection {
  const before = ref<string | null>(null);
  return {
    ofAll: computed(() => selectionOf(selected.value, order())),
    has: (key) => selected.value.has(key),
    press: (key, range) => {
      selected.value = withPressed(selected.value, order(), key, range ? before.value : null);
      before.value = key;
    },
    pressAll: () => (selected.value = withAll(selected.value, order())),
    clear: () => {
      selected.value = new Set();
      before.value = null;
    },
  };
}
