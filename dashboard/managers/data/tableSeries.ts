/** The columns of numbers in a table, as series that can be plotted. Pure. */
import type { CsvFile } from '../../components/csv/readCsv.ts';
import { seriesOver, type Axis, type Series } from './datapoint.ts';

const minNumbers = 3;
/** As many columns as can be told apart as lines. */
const maxColumns = 8;
const absent: ReadonlySet<string> = new Set(['', 'nan', 'na', 'n/a', 'none', 'null', '-', '–']);

export interface TableSeries {
  readonly x: Axis | null;
  readonly series: readonly Series[];
}

/** `undefined` for what is no number; `null` for what was not measured. */
function numberOf(cell: string, hasDecimalComma: boolean): number | null | undefined {
  if (absent.has(cell.toLowerCase())) return null;
  const value = Number(hasDecimalComma ? cell.replace(',', '.') : cell);
  return Number.isFinite(value) ? value : undefined;
}

/** The first column is what the others are measured over, if its values only grow; `null` without a column of numbers. */
export function tableSeries({
  headings,
  records,
  separator,
}: Pick<CsvFile, 'headings' | 'records' | 'separator'>): TableSeries | null {
  const hasDecimalComma = separator !== ',';
  const columns = headings.flatMap((name, index): Series[] => {
    const values = records.map(({ cells }) => numberOf(cells[index] ?? '', hasDecimalComma));
    const numbers = values.filter((value) => value !== undefined);
    const measured = numbers.filter((value) => value !== null);
    return numbers.length < values.length || measured.length < minNumbers ? [] : [{ name, values: numbers }];
  });
  if (columns.length === 0) return null;
  const { x, series } = seriesOver(columns);
  return { x, series: series.slice(0, maxColumns) };
}
