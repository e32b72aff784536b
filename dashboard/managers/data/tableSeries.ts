/** The numeric columns of a table, as series for a plot. */
import type { CsvFile } from '../../components/csv/readCsv.ts';
import type { PlotCell } from '../../components/plot/plot.ts';
import { splitXAxis, type Axis, type DataSeries } from './datapoint.ts';
import { exactValue } from '#api/exactJson.ts';

const minNumbers = 3;
/** The maximum number of columns that are distinguishable as lines. */
const maxColumns = 8;
const missingValueTexts: ReadonlySet<string> = new Set(['', 'nan', 'na', 'n/a', 'none', 'null', '-', '–']);

export interface TableSeries {
  readonly x: Axis | null;
  readonly series: readonly DataSeries[];
}

/** Returns `undefined` for text that isn't a number; `null` for a missing measurement. */
function parseCell(cell: string, hasDecimalComma: boolean): PlotCell | undefined {
  if (missingValueTexts.has(cell.toLowerCase())) return null;
  const text = hasDecimalComma ? cell.replace(',', '.') : cell;
  return Number.isFinite(Number(text)) ? exactValue(text) : undefined;
}

/**
 * Returns the columns of numbers, with the first one as the x axis of the others if its values increase throughout;
 * `null` without a column of numbers.
 */
export function extractSeries({
  headings,
  records,
  separator,
}: Pick<CsvFile, 'headings' | 'records' | 'separator'>): TableSeries | null {
  const hasDecimalComma = separator !== ',';
  const columns = headings.flatMap((name, index): DataSeries[] => {
    const values = records.map(({ cells }) => parseCell(cells[index] ?? '', hasDecimalComma));
    const numbers = values.filter((value) => value !== undefined);
    const measured = numbers.filter((value) => value !== null);
    return numbers.length < values.length || measured.length < minNumbers ? [] : [{ name, values: numbers }];
  });
  if (columns.length === 0) return null;
  const { x, series } = splitXAxis(columns);
  return { x, series: series.slice(0, maxColumns) };
}
