/** Formats the results as one table: the measurement, its baseline in the same run, and whether the goal is met. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

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

const readme = join(import.meta.dirname, '..', 'README.md');

/**
 * Replaces the table of a group in `bench/README.md`, or adds it at the end, with the date, the commit and the machine.
 * @param group its name in `npm run bench -- GROUP`
 */
export async function writeTable(group: string, machine: string, results: readonly Result[]): Promise<void> {
  const [start, end] = [`<!-- bench ${group} -->`, `<!-- end of ${group} -->`];
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim();
  const commit = `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '-uno') === '' ? '' : ' with changes'}`;
  const caption = `\`npm run bench -- ${group}\`, ${new Date().toISOString().slice(0, 10)}, commit ${commit}. ${machine}.`;
  const section = [start, caption, markdownTable(results), end].join('\n\n');
  const text = readFileSync(readme, 'utf8');
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  const written = after === undefined ? `${text}\n${section}\n` : `${before}${section}${after}`;
  writeFileSync(readme, await format(written, { ...(await resolveConfig(readme)), filepath: readme }));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('There is nothing to take the median of');
  return middle;
}
