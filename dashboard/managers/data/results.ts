/** What came of an experiment: the same label over all its workflows, as one table and one plot. Pure. */
import type { Datapoint } from '../../../api/managers/data.ts';
import { grouped } from '../../base/grouped.ts';
import { idOf, shownAs } from './datapoint.ts';

export interface Result {
  readonly id: string;
  readonly label: string;
  /** ms since the epoch. */
  readonly at: number | null;
  /** ID of the workflow that made it; empty where nobody says. */
  readonly workflow: string;
  /** A number, text, or yes or no that stands in a cell; `null`: more than that, to be looked at by itself. */
  readonly value: number | string | boolean | null;
  /** A list of numbers, for the plot. */
  readonly series: readonly number[] | null;
}

export function resultOf(datapoint: Datapoint, at: (stamp: string | null | undefined) => number | null): Result {
  const value = datapoint.data_type === 'json' ? datapoint['value'] : null;
  const plain = typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';
  const shown = datapoint.data_type === 'json' ? shownAs(value) : null;
  const only = shown?.as === 'series' && shown.series.length === 1 ? (shown.series[0]?.values ?? null) : null;
  return {
    id: idOf(datapoint),
    label: datapoint.label || idOf(datapoint),
    at: at(datapoint.data_timestamp),
    workflow: datapoint.ownership_info?.workflow_id ?? '',
    value: plain ? value : null,
    series: only,
  };
}

export interface ResultRow {
  /** ID of the workflow; empty for those that name none. */
  readonly workflow: string;
  /** Of each label, oldest first. */
  readonly cells: Readonly<Record<string, readonly Result[]>>;
}

export interface ResultTable {
  /** In the order in which they first came. */
  readonly labels: readonly string[];
  readonly rows: readonly ResultRow[];
}

const byTime = (a: Result, b: Result): number => (a.at ?? 0) - (b.at ?? 0);

/** A row a workflow, the first one first; a column a label. */
export function resultTable(results: readonly Result[]): ResultTable {
  const ordered = results.toSorted(byTime);
  const labels = [...new Set(ordered.map(({ label }) => label))];
  const rows = [...grouped(ordered, ({ workflow }) => workflow)].map(([workflow, own]) => ({
    workflow,
    cells: Object.fromEntries(grouped(own, ({ label }) => label)),
  }));
  return { labels, rows };
}

export interface ResultPlot {
  readonly x: { readonly name: string; readonly values: readonly number[] } | null;
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  /** x is in ms since the epoch. */
  readonly times: boolean;
  /** How many lines there would be; more than are drawn where they are too many. */
  readonly lines: number;
}

/** As many lines as can be told apart. */
export const mostLines = 8;

/** Numbers over time, or lists of numbers as a line each; `null` where there is nothing to plot. */
export function resultPlot(
  results: readonly Result[],
  label: string,
  nameOf: (result: Result) => string,
  over: string,
): ResultPlot | null {
  const of = results.filter((result) => result.label === label).toSorted(byTime);
  const lines = of.filter(({ series }) => series !== null);
  if (lines.length > 0) {
    const series = lines.slice(-mostLines).map((line) => ({ name: nameOf(line), values: line.series ?? [] }));
    return { x: null, series, times: false, lines: lines.length };
  }
  const points = of.flatMap(({ at, value }) => (at !== null && typeof value === 'number' ? [{ at, value }] : []));
  if (points.length < 2) return null;
  return {
    x: { name: over, values: points.map(({ at }) => at) },
    series: [{ name: label, values: points.map(({ value }) => value) }],
    times: true,
    lines: 1,
  };
}

/**
 * Several datapoints in one plot: lists as a line each, else single numbers over time, a line for each label. `null` where
 * there is nothing to plot.
 */
export function comparisonPlot(
  results: readonly Result[],
  nameOf: (result: Result) => string,
  over: string,
): ResultPlot | null {
  if (results.some(({ series }) => series !== null)) {
    const all = results.map((result) => ({ ...result, label: over }));
    const named = new Map(results.map((result) => [result.id, nameOf(result)]));
    return resultPlot(all, over, ({ id }) => named.get(id) ?? id, over);
  }
  const points = results
    .flatMap(({ at, value, label }) => (at !== null && typeof value === 'number' ? [{ at, value, label }] : []))
    .toSorted((a, b) => a.at - b.at);
  if (points.length < 2) return null;
  const labels = [...new Set(points.map(({ label }) => label))];
  return {
    x: { name: over, values: points.map(({ at }) => at) },
    series: labels
      .slice(0, mostLines)
      .map((label) => ({ name: label, values: points.map((point) => (point.label === label ? point.value : null)) })),
    times: true,
    lines: labels.length,
  };
}

/** Mean of the numbers under a label; `null` where there is none. */
export function meanOf(results: readonly Result[]): { readonly mean: number; readonly count: number } | null {
  const numbers = results.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  if (numbers.length === 0) return null;
  return { mean: numbers.reduce((sum, value) => sum + value, 0) / numbers.length, count: numbers.length };
}
