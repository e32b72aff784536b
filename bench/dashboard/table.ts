/** Formats the results as one table: the measurement, its baseline in the same run, and whether the goal is met. */

export interface Result {
  readonly measurement: string;
  readonly value: string;
  /** The baseline, measured in the same run; `null` when only the absolute value counts. */
  readonly baseline: string | null;
  readonly ratio: number | null;
  readonly goal: string;
  readonly isMet: boolean;
}

export function markdownTable(results: readonly Result[]): string {
  const header = ['measured', 'value', 'baseline, in the same run', 'ratio', 'goal', 'met'];
  const rows = results.map((result) => [
    result.measurement,
    result.value,
    result.baseline ?? '–',
    result.ratio === null ? '–' : `${result.ratio.toFixed(2)}×`,
    result.goal,
    result.isMet ? 'yes' : 'NO',
  ]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('There is nothing to take the median of');
  return middle;
}
