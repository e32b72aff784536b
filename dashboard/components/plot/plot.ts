/** The data of a plot, in the order and form that uPlot accepts. */
import type { AxisRange } from '../time/axis.ts';
import { comparableNumber, exactText, toNumber } from '#api/exactJson.ts';

/** A measurement: a number, also one that `parseExactJson` keeps as text; `null`: none, so that the line has a gap. */
export type PlotCell = number | string | null;

export interface PlotSeries {
  readonly name: string;
  readonly values: readonly PlotCell[];
  /** Its own x values, if they differ from those of the other series. */
  readonly x?: readonly (number | string)[];
}

/** `null` is a gap in the line; `undefined` is an x of another series, where the line continues. */
type PlotValue = number | null | undefined;

interface PlotData {
  /** x, ascending, then the values of each series. */
  readonly columns: [number[], ...PlotValue[][]];
  /** The same with all digits. */
  readonly cells: [(number | string)[], ...(PlotCell | undefined)[][]];
  /** Whether x decreases somewhere; a line from left to right would then hide the order of the values. */
  readonly isScattered: boolean;
}

const toX = (cell: number | string): number => toNumber(cell) ?? 0;

function toPlotData(cells: PlotData['cells'], isScattered: boolean): PlotData {
  const [xs, ...values] = cells;
  const numbers = values.map((column) => column.map((cell) => (cell === undefined ? cell : toNumber(cell))));
  return { columns: [xs.map(toX), ...numbers], cells, isScattered };
}

/** Returns the data of a plot. Without x, the values are numbered from 1. */
export function createPlotData(x: readonly (number | string)[] | null, series: readonly PlotSeries[]): PlotData {
  if (series.some(({ x: ownX }) => ownX !== undefined)) return joinSeries(series);
  const count = Math.max(0, ...series.map(({ values }) => values.length));
  const xs = Array.from({ length: count }, (_value, index) => x?.[index] ?? index + 1);
  const isScattered = xs.some((value, index) => index > 0 && toX(value) < toX(xs[index - 1] ?? 0));
  if (!isScattered) return toPlotData([xs, ...series.map(({ values }) => [...values])], isScattered);
  const order = xs.map((_value, index) => index).toSorted((a, b) => toX(xs[a] ?? 0) - toX(xs[b] ?? 0));
  return toPlotData(
    [order.map((index) => xs[index] ?? 0), ...series.map(({ values }) => order.map((index) => values[index] ?? null))],
    isScattered,
  );
}

interface XPosition {
  readonly x: number | string;
  /** The index among values of one series at the same x, from 0, so that repeated measurements are preserved. */
  readonly repeat: number;
}

/** Joins series with x values of their own over all x values. */
function joinSeries(series: readonly PlotSeries[]): PlotData {
  // `1.0` of one series and `1` of another are one x; integers with more digits than JavaScript keeps are not rounded.
  const createKey = ({ x, repeat }: XPosition): string => `${String(comparableNumber(x))} ${repeat}`;
  const positions = new Map<string, XPosition>();
  let isScattered = false;
  const columns = series.map(({ values, x }) => {
    const repeatCounts = new Map<unknown, number>();
    const column = new Map<string, PlotCell>();
    let previous = -Infinity;
    for (const [index, value] of values.entries()) {
      const currentX = x?.[index] ?? index + 1;
      const repeat = repeatCounts.get(comparableNumber(currentX)) ?? 0;
      repeatCounts.set(comparableNumber(currentX), repeat + 1);
      isScattered ||= toX(currentX) < previous;
      previous = toX(currentX);
      const position = { x: currentX, repeat };
      positions.set(createKey(position), position);
      column.set(createKey(position), value);
    }
    return column;
  });
  const ordered = [...positions.values()].toSorted((a, b) => toX(a.x) - toX(b.x) || a.repeat - b.repeat);
  const keys = ordered.map(createKey);
  return toPlotData(
    [ordered.map(({ x }) => x), ...columns.map((column) => keys.map((key) => column.get(key)))],
    isScattered,
  );
}

/** Returns the minimum and the maximum; `null` when there are no numbers. */
export function findRange(lists: readonly (readonly PlotCell[])[]): AxisRange | null {
  let from = Infinity;
  let to = -Infinity;
  for (const list of lists)
    for (const cell of list) {
      const value = toNumber(cell);
      if (value === null || !Number.isFinite(value)) continue;
      if (value < from) from = value;
      if (value > to) to = value;
    }
  return from <= to ? { from, to } : null;
}

/** Half of the time range shown for a single moment, in ms. */
const momentMarginMs = 30_000;

/**
 * Returns the range of the x axis. For a single value, uPlot would draw an axis from 0 to twice the value: for a time,
 * 1970 to 2083.
 */
export function getAxisRange({ from, to }: AxisRange, isTime: boolean): AxisRange {
  if (to > from) return { from, to };
  const margin = isTime ? momentMarginMs : 0.5;
  return { from: from - margin, to: to + margin };
}

/** Formats a number at an axis or in a tooltip: five digits, without 0.30000000000000004. */
export function formatPlotNumber(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e6 || size < 1e-4 ? value.toExponential(1) : String(Number(value.toPrecision(5)));
}

/** Returns the unit in a name: `OD600 (AU)`, `time [s]`, `OD600 (AU) …ABC123`; empty if there is none. */
export function extractUnit(name: string): string {
  return /\S\s*[([]\s*([^()[\]]{1,16}?)\s*[)\]]\s*$/.exec(name.replace(/ …\S+$/, ''))?.[1] ?? '';
}

/** Returns the unit that all names share; empty if they differ or one has none. */
export function findCommonUnit(names: readonly string[]): string {
  const units = new Set(names.map(extractUnit));
  return units.size === 1 ? ([...units][0] ?? '') : '';
}

const formatCell = (cell: PlotCell): string | number | null => exactText(cell) ?? cell;

/** Returns the plotted data as a table: x, and one column per series. */
export function createPlotTable(
  xName: string,
  xText: (x: number) => string | number,
  series: readonly PlotSeries[],
  { cells }: PlotData,
): { readonly headings: readonly string[]; readonly rows: readonly (readonly (string | number | null)[])[] } {
  const [xs, ...values] = cells;
  return {
    headings: [xName, ...series.map(({ name }) => name)],
    rows: xs.map((x, index) => [
      exactText(x) ?? xText(toX(x)),
      ...values.map((column) => formatCell(column[index] ?? null)),
    ]),
  };
}
