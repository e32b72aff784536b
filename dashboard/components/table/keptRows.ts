/** Which rows are in the page. Pure. */

/** `indexes` with those of `kept` that exist, in order: the focused row stays on the page wherever one scrolls. */
export function withKept(indexes: readonly number[], kept: readonly number[], count: number): number[] {
  const all = new Set([...indexes, ...kept.filter((index) => index >= 0 && index < count)]);
  return [...all].toSorted((a, b) => a - b);
}
