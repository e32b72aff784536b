/** What differs between two texts, line by line, with some lines around it. Pure. */
import type { DiffLine } from './messages.ts';

/** Unchanged lines shown on each side of a change. */
const around = 3;

/** Lines without what ends them: what ends a line is shown nowhere. */
function linesOf(text: string): readonly string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The changed lines with their surroundings; `gap` stands for lines left out. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  return shortened(difference(linesOf(before), linesOf(after)));
}

/** The shortest difference, by Myers (An O(ND) Difference Algorithm and Its Variations, 1986). */
function difference(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const [n, m] = [before.length, after.length];
  /** The furthest place in `before` on each diagonal, for each number of changes. */
  const trace: ReadonlyMap<number, number>[] = [];
  let furthest = new Map([[1, 0]]);
  for (let changes = 0; changes <= n + m; changes += 1) {
    trace.push(new Map(furthest));
    const next = new Map(furthest);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = next.get(diagonal - 1) ?? -1;
      const above = next.get(diagonal + 1) ?? -1;
      x = diagonal === -changes || (diagonal !== changes && x < above) ? above : x + 1;
      while (x < n && x - diagonal < m && before[x] === after[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= n && x - diagonal >= m) return walkedBack(trace, before, after);
    }
    furthest = next;
  }
  return [];
}

function walkedBack(
  trace: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let changes = trace.length - 1; changes >= 0; changes -= 1) {
    const furthest = trace[changes] ?? new Map<number, number>();
    const diagonal = x - y;
    const left = furthest.get(diagonal - 1) ?? -1;
    const above = furthest.get(diagonal + 1) ?? -1;
    const isAdded = diagonal === -changes || (diagonal !== changes && left < above);
    const from = isAdded ? diagonal + 1 : diagonal - 1;
    const fromX = changes === 0 ? 0 : (furthest.get(from) ?? 0);
    const fromY = changes === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      lines.push({ kind: 'same', text: before[x] ?? '' });
    }
    if (changes > 0) {
      lines.push(
        isAdded ? { kind: 'added', text: after[fromY] ?? '' } : { kind: 'removed', text: before[fromX] ?? '' },
      );
      [x, y] = [fromX, fromY];
    }
  }
  return lines.toReversed();
}

function shortened(lines: readonly DiffLine[]): readonly DiffLine[] {
  const changed = lines.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index]));
  const isNear = lines.map((_, index) => changed.some((at) => Math.abs(at - index) <= around));
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line];
    return index === 0 || isNear[index - 1] ? [{ kind: 'gap' as const, text: '' }] : [];
  });
}
