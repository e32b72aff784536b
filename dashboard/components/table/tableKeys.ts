/** Where the keyboard goes in a table: rows only, never past the ends. Pure. */

/** The row after `key`; `null` when the key isn't for the table. `page`: rows that fit on the screen. */
export function rowAfter(key: string, at: number, count: number, page: number): number | null {
  const target = targetOf(key, at, count, Math.max(1, page));
  return target === null || count === 0 ? null : Math.min(count - 1, Math.max(0, target));
}

function targetOf(key: string, at: number, count: number, page: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return at + 1;
    case 'ArrowUp':
      return at - 1;
    case 'PageDown':
      return at + page;
    case 'PageUp':
      return at - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** `indexes` with those of `kept` that exist, in order: the focused row stays on the page wherever one scrolls. */
export function withKept(indexes: readonly number[], kept: readonly number[], count: number): number[] {
  const all = new Set([...indexes, ...kept.filter((index) => index >= 0 && index < count)]);
  return [...all].toSorted((a, b) => a - b);
}
