/** The lines of a tree table: each row is followed by its children, if expanded. */
import { computed, shallowRef } from 'vue';
import { arrangeRows, isDefaultView, toSupportedView } from './arrange.ts';
import type { Column, TableView } from './tableRows.ts';

interface TreeLine<Row> {
  readonly row: Row;
  /** From 1. */
  readonly level: number;
  /** `null`: no children. */
  readonly open: boolean | null;
}

export interface TreeOptions<Row> {
  readonly getChildren: (row: Row) => readonly Row[];
  readonly getKey: (row: Row) => string;
  /** Keys of the expanded rows. */
  readonly open: ReadonlySet<string>;
  /** Returns whether a row matches the search; matching rows are shown with their ancestors. `null`: no search. */
  readonly matches: ((row: Row) => boolean) | null;
  /** Sorts the rows of one level. */
  readonly sortRows: (rows: readonly Row[]) => readonly Row[];
}

/** Returns the lines of a tree, from the top. A row that is its own descendant isn't expanded again. */
export function createTreeLines<Row>(roots: readonly Row[], options: TreeOptions<Row>): TreeLine<Row>[] {
  const { getChildren, getKey, open, matches, sortRows } = options;
  const ancestors = new Set<string>();

  function listLevel(rows: readonly Row[], level: number): TreeLine<Row>[] {
    return sortRows(rows).flatMap((row) => {
      const key = getKey(row);
      const children = ancestors.has(key) ? [] : getChildren(row);
      ancestors.add(key);
      const descendants = matches === null && !open.has(key) ? [] : listLevel(children, level + 1);
      ancestors.delete(key);
      if (matches !== null && descendants.length === 0 && !matches(row)) return [];
      const isOpen = children.length === 0 ? null : matches === null ? open.has(key) : descendants.length > 0;
      return [{ row, level, open: isOpen }, ...descendants];
    });
  }
  return listLevel(roots, 1);
}

/** Returns all rows of a tree, each once. */
export function collectRows<Row>(
  roots: readonly Row[],
  { getChildren, getKey }: Pick<TreeOptions<Row>, 'getChildren' | 'getKey'>,
): Row[] {
  const rowsByKey = new Map<string, Row>();
  const pending = [...roots];
  for (let row = pending.pop(); row !== undefined; row = pending.pop()) {
    if (rowsByKey.has(getKey(row))) continue;
    rowsByKey.set(getKey(row), row);
    pending.push(...getChildren(row));
  }
  return [...rowsByKey.values()];
}

/** Returns the index of the parent's line; `null` at the top. */
export function findParentLineIndex(lines: readonly { readonly level: number }[], start: number): number | null {
  const level = lines[start]?.level ?? 1;
  for (let index = start - 1; index >= 0; index -= 1) if ((lines[index]?.level ?? 1) < level) return index;
  return null;
}

/**
 * The rows of a table as a tree: expanded rows, their order, and arrow key navigation.
 * @param matchingRows returns the rows that match the view
 */
export function useTree<Row>(
  props: () => Pick<TreeOptions<Row>, 'getChildren' | 'getKey'> & {
    readonly rows: readonly Row[];
    readonly columns: readonly Column<Row>[];
  },
  view: () => TableView,
  matchingRows: () => readonly Row[],
) {
  const open = shallowRef<ReadonlySet<string>>(new Set());

  const lines = computed(() => {
    const { rows, columns, getKey, getChildren } = props();
    const { sort, ...searchAndFilters } = toSupportedView(view(), columns);
    const isFiltered = !isDefaultView({ ...searchAndFilters, sort: null });
    const matchingKeys = new Set(isFiltered ? matchingRows().map(getKey) : []);
    return createTreeLines(rows, {
      getChildren,
      getKey,
      open: open.value,
      matches: isFiltered ? (row) => matchingKeys.has(getKey(row)) : null,
      sortRows: (siblings) => arrangeRows(siblings, columns).selectRows({ search: '', filters: {}, sort }),
    });
  });

  function toggle(key: string): void {
    const next = new Set(open.value);
    if (!next.delete(key)) next.add(key);
    open.value = next;
  }
  /** Returns the line to which an arrow key moves; `null` if the key expanded or collapsed a row or isn't handled. */
  function handleArrowKey(key: string, index: number): number | null {
    const line = lines.value[index];
    if (line === undefined) return null;
    const rowKey = props().getKey(line.row);
    if (key === 'ArrowRight' && line.open === false) toggle(rowKey);
    else if (key === 'ArrowRight' && line.open === true) return index + 1;
    else if (key === 'ArrowLeft' && line.open === true) toggle(rowKey);
    else if (key === 'ArrowLeft') return findParentLineIndex(lines.value, index);
    return null;
  }
  return { lines, toggle, handleArrowKey };
}
