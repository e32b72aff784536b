/** The order in which lines are done: what holds others first, what is pushed by its turn, else as in the file. Pure. */
import type { ImportLine } from './planImport.ts';

export function runOrder(lines: readonly ImportLine[]): readonly ImportLine[] {
  const byKey = new Map(lines.map((line) => [line.key, line]));
  const depths = new Map<string, number>();
  function depth(line: ImportLine): number {
    const known = depths.get(line.key);
    if (known !== undefined) return known;
    const before = line.after === null ? undefined : byKey.get(line.after);
    const found = before === undefined ? 0 : depth(before) + 1;
    depths.set(line.key, found);
    return found;
  }
  const turn = ({ turn: at }: ImportLine): number => (Number.isFinite(at) ? at : Infinity);
  const isPushed = ({ add }: ImportLine): boolean => add?.to !== null && add?.to.key === null;
  return lines.toSorted((a, b) => {
    const byDepth = depth(a) - depth(b);
    if (byDepth !== 0 || !isPushed(a) || !isPushed(b) || turn(a) === turn(b)) return byDepth || a.line - b.line;
    return turn(a) - turn(b);
  });
}
