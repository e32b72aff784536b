/** The results of an experiment: values with the same label across its workflows, as one table and one plot. */
import type { Datapoint } from '#api/managers/data.ts';
import { groupBy } from '../../base/grouping.ts';
import type { PlotCell, PlotSeries } from '../../components/plot/plot.ts';
import { getDatapointId, findParts, chooseDisplay, type Axis } from './datapoint.ts';
import { toNumber } from '#api/exactJson.ts';

/** A line of a plot within a datapoint. */
export interface ResultLine {
  /** Path in the datapoint: `od`; empty if the datapoint contains nothing else. */
  readonly name: string;
  /** `null`: the values are numbered. */
  readonly x: Axis | null;
  readonly values: readonly PlotCell[];
}

export interface Result {
  readonly id: string;
  readonly label: string;
  /** ms since the epoch; `null` if unknown. */
  readonly storedAt: number | null;
  /** IDs of its origin; empty if unknown. */
  readonly workflow: string;
  readonly step: string;
  readonly experiment: string;
  readonly node: string;
  /** The value of a cell: number, text or boolean; `null` for a complex value, which is displayed separately. */
  readonly value: number | string | boolean | null;
  /** The parts that can be plotted. */
  readonly lines: readonly ResultLine[];
  /** The content for comparing two datapoints: all of a JSON value; for a file its etag and size, or only its ID. */
  readonly content: unknown;
}

export function toResult(
  datapoint: Datapoint,
  parseStamp: (stamp: string | null | undefined) => number | null,
): Result {
  const { data_type: type, ownership_info: ownership, etag, size_bytes: size } = datapoint;
  const value = type === 'json' ? datapoint['value'] : null;
  const isPrimitive = typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';
  const id = getDatapointId(datapoint);
  return {
    id,
    label: datapoint.label || id,
    storedAt: parseStamp(datapoint.data_timestamp),
    workflow: ownership?.workflow_id ?? '',
    step: ownership?.step_id ?? '',
    experiment: ownership?.experiment_id ?? '',
    node: ownership?.node_id ?? '',
    value: isPrimitive ? value : null,
    lines: type === 'json' && !isPrimitive ? toLines(value) : [],
    // Only a checksum shows that two files are equal.
    content: type === 'json' ? value : etag ? { etag, size } : { id },
  };
}

/** The series of a value, or of its parts. */
function toLines(value: unknown): readonly ResultLine[] {
  const display = chooseDisplay(value);
  if (display.kind === 'series') return display.series.map(({ name, values }) => ({ name, x: display.x, values }));
  return findParts(value).flatMap(({ path, value: part }) => {
    const partDisplay = chooseDisplay(part);
    if (partDisplay.kind !== 'series') return [];
    return partDisplay.series.map(({ name, values }) => ({ name: name || path, x: partDisplay.x, values }));
  });
}

interface ResultRow {
  /** ID of the workflow; empty for datapoints without one. */
  readonly workflow: string;
  /** The time of the first result, in ms since the epoch. */
  readonly firstStoredAt: number | null;
  /** By label, oldest first. */
  readonly cells: Readonly<Record<string, readonly Result[]>>;
}

interface ResultTable {
  /** In order of first occurrence. */
  readonly labels: readonly string[];
  readonly rows: readonly ResultRow[];
}

const compareTime = (a: Result, b: Result): number => (a.storedAt ?? 0) - (b.storedAt ?? 0);

/** Returns one row per workflow, oldest first, and one column per label. */
export function buildResultTable(results: readonly Result[]): ResultTable {
  const ordered = results.toSorted(compareTime);
  const labels = [...new Set(ordered.map(({ label }) => label))];
  const rows = [...groupBy(ordered, ({ workflow }) => workflow)].map(([workflow, sameWorkflow]) => ({
    workflow,
    firstStoredAt: sameWorkflow[0]?.storedAt ?? null,
    cells: Object.fromEntries(groupBy(sameWorkflow, ({ label }) => label)),
  }));
  return { labels, rows };
}

interface ResultPlot {
  readonly x: { readonly name: string; readonly values: readonly number[] } | null;
  readonly series: readonly PlotSeries[];
  /** Whether x is in ms since the epoch. */
  readonly hasTimeAxis: boolean;
  /** The total number of lines, including those beyond the limit. */
  readonly lineCount: number;
}

/** The maximum number of lines that are distinguishable. */
export const maxLines = 8;

export interface PlotOptions {
  /** The name of a datapoint's lines. */
  readonly getName: (result: Result) => string;
  /** The line to which single numbers belong; also the group from which the newest lines are chosen in turn. */
  readonly getGroup: (result: Result) => string;
  /** The name of the x axis of single numbers: time. */
  readonly xName: string;
  /** Plots single numbers over the time since their run started, so that runs of different days overlap. */
  readonly sinceStart?: {
    /** ms since the epoch; `null` if unknown: then all numbers are plotted over time. */
    readonly getStart: (result: Result) => number | null;
    readonly axisNames: Readonly<Record<ElapsedUnit, string>>;
  };
}

type ElapsedUnit = keyof typeof unitMs;
const unitMs = { minutes: 60_000, hours: 3_600_000 } as const;
/** A longer time is plotted in hours. */
const maxMinutesMs = 5 * unitMs.hours;

/** Returns one line per list of numbers, or single numbers over time; `null` if there is nothing to plot. */
export function buildResultPlot(results: readonly Result[], options: PlotOptions): ResultPlot | null {
  const ordered = results.toSorted(compareTime);
  return plotLists(ordered, options) ?? plotNumbers(ordered, options);
}

/**
 * Returns the newest items of each group in turn, so that a large group doesn't displace a small one; in their original
 * order.
 */
function newestOfEachGroup<Item extends object>(
  items: readonly Item[],
  getGroup: (item: Item) => string,
): readonly Item[] {
  const groups = [...groupBy(items, getGroup).values()].map((group) => group.toReversed());
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  const interleavedItems = Array.from({ length: longest }, (_, turn) =>
    groups.flatMap((group) => group[turn] ?? []),
  ).flat();
  const selectedItems = new Set(interleavedItems.slice(0, maxLines));
  return items.filter((item) => selectedItems.has(item));
}

function plotLists(results: readonly Result[], { getName, getGroup }: PlotOptions): ResultPlot | null {
  const lines = results.flatMap((result) =>
    result.lines.map((line) => ({
      ...line,
      name: [getName(result), line.name].filter(Boolean).join(': '),
      group: getGroup(result),
    })),
  );
  if (lines.length === 0) return null;
  const newestLines = newestOfEachGroup(lines, ({ group }) => group);
  const names = [...new Set(newestLines.flatMap(({ x }) => x?.name ?? []))];
  const series = newestLines.map(({ name, values, x }) => ({ name, values, ...(x === null ? {} : { x: x.values }) }));
  return {
    x: names.length === 0 ? null : { name: names.join(', '), values: [] },
    series,
    hasTimeAxis: false,
    lineCount: lines.length,
  };
}

function plotNumbers(results: readonly Result[], { getGroup, xName, sinceStart }: PlotOptions): ResultPlot | null {
  const points = results.flatMap((result) => {
    const { storedAt: at, value } = result;
    const start = sinceStart?.getStart(result) ?? null;
    return at !== null && typeof value !== 'boolean' && toNumber(value) !== null
      ? [{ at, start, value, group: getGroup(result) }]
      : [];
  });
  if (points.length < 2) return null;
  const groups = [...groupBy(points, ({ group }) => group)];
  const elapsed = points.map(({ at, start }) => (start === null ? null : at - start));
  const unit = Math.max(...elapsed.map((ms) => ms ?? 0)) > maxMinutesMs ? 'hours' : 'minutes';
  const isElapsed = sinceStart !== undefined && !elapsed.includes(null);
  return {
    x: { name: isElapsed ? sinceStart.axisNames[unit] : xName, values: [] },
    series: groups.slice(-maxLines).map(([name, linePoints]) => ({
      name,
      x: linePoints.map(({ at, start }) => (isElapsed ? (at - (start ?? at)) / unitMs[unit] : at)),
      values: linePoints.map(({ value }) => value),
    })),
    hasTimeAxis: !isElapsed,
    lineCount: groups.length,
  };
}

/** Returns the mean of the numbers under a label; `null` if there are none. */
export function computeMean(results: readonly Result[]): { readonly mean: number; readonly count: number } | null {
  const numbers = results.flatMap(({ value }) => toNumber(value) ?? []);
  if (numbers.length === 0) return null;
  return { mean: numbers.reduce((sum, value) => sum + value, 0) / numbers.length, count: numbers.length };
}
