/** A table's rows as a tree: expanded rows, their order, and arrow key navigation. */
import { computed, shallowRef, type Ref } from 'vue';
import { arrangeRows, isDefaultView, toSupportedView } from './rowData.ts';
import type { Column, TableView } from './tableRows.ts';
import { findParentLineIndex, createTreeLines, type TreeLine } from './treeRows.ts';

export interface Tree<Row> {
  readonly lines: Readonly<Ref<readonly TreeLine<Row>[]>>;
  readonly toggle: (key: string) => void;
  /** Returns the line to which an arrow key moves; `null` if the key expanded or collapsed a row or isn't handled. */
  readonly handleArrowKey: (key: string, index: number) => number | null;
}

interface TreeProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly getChildren: (row: Row) => readonly Row[];
}

/** @param matchingRows returns the rows that match the view */
export function useTree<Row>(
  props: () => TreeProps<Row>,
  view: () => TableView,
  matchingRows: () => readonly Row[],
): Tree<Row> {
  const open = shallowRef<ReadonlySet<string>>(new Set());

  const lines = computed(() => {
    const { rows, columns, rowKey, getChildren } = props();
    const { sort, ...searchAndFilters } = toSupportedView(view(), columns);
    const isFiltered = !isDefaultView({ ...searchAndFilters, sort: null });
    const matchingKeys = new Set(isFiltered ? matchingRows().map(rowKey) : []);
    return createTreeLines(rows, {
      getChildren,
      getKey: rowKey,
      open: open.value,
      matches: isFiltered ? (row) => matchingKeys.has(rowKey(row)) : null,
      sortRows: (siblings) => arrangeRows(siblings, columns).selectRows({ search: '', filters: {}, sort }),
    });
  });

  function toggle(key: string): void {
    const next = new Set(open.value);
    if (!next.delete(key)) next.add(key);
    open.value = next;
  }
  function handleArrowKey(key: string, index: number): number | null {
    const line = lines.value[index];
    if (line === undefined) return null;
    const rowKey = props().rowKey(line.row);
    if (key === 'ArrowRight' && line.open === false) toggle(rowKey);
    else if (key === 'ArrowRight' && line.open === true) return index + 1;
    else if (key === 'ArrowLeft' && line.open === true) toggle(rowKey);
    else if (key === 'ArrowLeft') return findParentLineIndex(lines.value, index);
    return null;
  }
  return { lines, toggle, handleArrowKey };
}
