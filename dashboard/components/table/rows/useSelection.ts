/** The rows that somebody selected in a table, by keyboard and pointer. */
import { computed, ref, type Ref } from 'vue';
import { selectionOf, withAll, withPressed, type SelectionOfAll } from './selection.ts';

export interface Selection {
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
