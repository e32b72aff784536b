/** The lines of a tree table: each row is followed by its children, if expanded. */

export interface TreeLine<Row> {
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
