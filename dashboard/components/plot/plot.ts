/** What a plot is drawn from, in the order and form that uPlot takes. Pure. */
import type { AxisRange } from '../time/axis.ts';

export interface Series {
  readonly name: string;
  /** `null`: nothing was measured there; the line has a gap. */
  readonly values: readonly (number | null)[];
  /** Its own x, if the series are not measured over the same. */
  readonly x?: readonly number[];
}

/** `null` is a gap in the line; `undefined` is an x of another series, over which the line continues. */
type PlotValue = number | null | undefined;

interface PlotData {
  /** x, ascending, and after it the values of each series. */
  readonly columns: [number[], ...PlotValue[][]];
  /** x went back somewhere: the values have an order of their own, which a line from left to right would hide. */
  readonly scattered: boolean;
}

/** Values that stand over nothing are counted from 1. */
export function plotData(x: readonly number[] | null, series: readonly Series[]): PlotData {
  if (series.some(({ x: own }) => own !== undefined)) return joinedData(series);
  const count = Math.max(0, ...series.map(({ values }) => values.length));
  const xs = Array.from({ length: count }, (_value, index) => x?.[index] ?? index + 1);
  const scattered = xs.some((value, index) => index > 0 && value < (xs[index - 1] ?? 0));
  if (!scattered) return { columns: [xs, ...series.map(({ values }) => [...values])], scattered };
  const order = xs.map((_value, index) => index).toSorted((a, b) => (xs[a] ?? 0) - (xs[b] ?? 0));
  return {
    columns: [
      order.map((index) => xs[index] ?? 0),
      ...series.map(({ values }) => order.map((index) => values[index] ?? null)),
    ],
    scattered,
  };
}

interface Place {
  readonly at: number;
  /** Of those at the same x in one series, from 0: repeated measurements all stay. */
  readonly repeat: number;
}

/** Series with an x of their own over the x of all. */
function joinedData(series: readonly Series[]): PlotData {
  const keyOf = ({ at, repeat }: Place): string => `${at} ${repeat}`;
  const places = new Map<string, Place>();
  let scattered = false;
  const columns = series.map(({ values, x }) => {
    const repeats = new Map<number, number>();
    const column = new Map<string, number | null>();
    let before = -Infinity;
    for (const [index, value] of values.entries()) {
      const at = x?.[index] ?? index + 1;
      const repeat = repeats.get(at) ?? 0;
      repeats.set(at, repeat + 1);
      scattered ||= at < before;
      before = at;
      const place = { at, repeat };
      places.set(keyOf(place), place);
      column.set(keyOf(place), value);
    }
    return column;
  });
  const ordered = [...places.values()].toSorted((a, b) => a.at - b.at || a.repeat - b.repeat);
  const keys = ordered.map(keyOf);
  return {
    columns: [ordered.map(({ at }) => at), ...columns.map((column) => keys.map((key) => column.get(key)))],
    scattered,
  };
}

/** The least and the largest number; `null` when there is none. */
export function rangeOf(lists: readonly (readonly (number | null)[])[]): AxisRange | null {
  let from = Infinity;
  let to = -Infinity;
  for (const list of lists)
    for (const value of list) {
      if (value === null || !Number.isFinite(value)) continue;
      if (value < from) from = value;
      if (value > to) to = value;
    }
  return from <= to ? { from, to } : null;
}

/** Half of the time axis of a single moment, in ms. */
const momentMarginMs = 30_000;

/** The range of the x axis. Around a single value, uPlot would draw an axis from 0 to twice the value: of a time, 1970 to 2083. */
export function axisRange({ from, to }: AxisRange, times: boolean): AxisRange {
  if (to > from) return { from, to };
  const margin = times ? momentMarginMs : 0.5;
  return { from: from - margin, to: to + margin };
}

/** A number at an axis or under the pointer: five digits, without 0.30000000000000004. */
export function plotFigure(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e6 || size < 1e-4 ? value.toExponential(1) : String(Number(value.toPrecision(5)));
}

/** The unit in a name, where it has one: `OD600 (AU)`, `time [s]`, `OD600 (AU) …ABC123`; empty otherwise. */
export function unitOf(name: string): string {
  return /\S\s*[([]\s*([^()[\]]{1,16}?)\s*[)\]]\s*$/.exec(name.replace(/ …\S+$/, ''))?.[1] ?? '';
}

/** The unit that all of them have; empty where they differ or one has none. */
export function commonUnit(names: readonly string[]): string {
  const units = new Set(names.map(unitOf));
  return units.size === 1 ? ([...units][0] ?? '') : '';
}

/** What is plotted as a table: x, and a column a series. */
export function plotTable(
  xName: string,
  xText: (x: number) => string | number,
  series: readonly Series[],
  { columns }: PlotData,
): { readonly heads: readonly string[]; readonly rows: readonly (readonly (string | number | null)[])[] } {
  const [xs, ...values] = columns;
  return {
    heads: [xName, ...series.map(({ name }) => name)],
    rows: xs.map((x, index) => [xText(x), ...values.map((column): number | null => column[index] ?? null)]),
  };
}
