/** How a datapoint is displayed, and the name of its file. */
import { isObject } from '#api/client/wire.ts';
import type { ActionResult } from '#api/managers/action.ts';
import type { Datapoint } from '#api/managers/data.ts';
import type { PlotCell } from '../../components/plot/plot.ts';
import { dataTexts } from './texts.ts';
import { formatJson, toNumber } from '#api/exactJson.ts';

interface DatapointRef {
  readonly label: string;
  readonly id: string;
}

/** Returns the datapoints of a result; several under one label are numbered. */
export function listDatapoints(result: Pick<ActionResult, 'datapoints'> | null | undefined): readonly DatapointRef[] {
  return Object.entries(result?.datapoints ?? {}).flatMap(([label, input]) => {
    if (typeof input === 'string') return [{ label, id: input }];
    if (Array.isArray(input)) return input.map((id, index) => ({ label: `${label} ${index + 1}`, id }));
    const id = input['_id'] ?? input['datapoint_id'];
    return typeof id === 'string' ? [{ label, id }] : [];
  });
}

export function getDatapointId({ _id: id }: Pick<Datapoint, '_id'>): string {
  return id;
}

/**
 * Returns the data manager's query for the datapoints of experiments. For a step's datapoints the workcell manager stores
 * only workflow, step and node (MADSci 0.8.1); the experiment is stored only by other clients.
 */
export function originFilter(
  experiments: readonly string[],
  workflows: readonly string[],
): Readonly<Record<string, unknown>> {
  const idFilter = (kind: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [{ [`ownership_info.${kind}`]: { $in: ids } }];
  return { $or: [...idFilter('experiment_id', experiments), ...idFilter('workflow_id', workflows)] };
}

const idPrefix = /^[0-9A-HJKMNP-TV-Z]{26}_/i;

/** Returns the file name for saving: the data manager prefixes the original name with the datapoint's ID. */
export function datapointFileName(datapoint: Datapoint, label: string): string {
  if (datapoint.data_type === 'json') return `${label || getDatapointId(datapoint)}.json`;
  const path = datapoint.path || datapoint.object_name || '';
  const name = (path.split(/[\\/]/).at(-1) ?? '').replace(idPrefix, '');
  if (name === '') return label || getDatapointId(datapoint);
  // A label is more descriptive than a temporary name, but only the name has the extension.
  const extension = /\.[^.]+$/.exec(name)?.[0] ?? '';
  const isGenericName = /^(file|tmp\w*|data)\b/i.test(name) && label !== '' && label !== 'file';
  return isGenericName ? (label.endsWith(extension) ? label : label + extension) : name;
}

const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
};
const textExtensions = new Set(['txt', 'json', 'log', 'md', 'xml', 'yaml', 'yml', 'py', 'html', 'ini', 'toml']);
const tableExtensions = new Set(['csv', 'tsv']);

type FileKind = 'image' | 'table' | 'text' | 'pdf' | 'other';

/**
 * `image`: displayed; `table` and `text`: with a preview; `pdf`: opened by the browser in a new tab; `other`: only saved.
 * Determined by the file extension, as in the data manager.
 */
export function fileKind(name: string): FileKind {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? '';
  if (imageTypes[extension] !== undefined) return 'image';
  if (tableExtensions.has(extension)) return 'table';
  if (extension === 'pdf') return 'pdf';
  return textExtensions.has(extension) ? 'text' : 'other';
}
export function imageType(name: string): string {
  return imageTypes[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? '';
}

export interface DataSeries {
  readonly name: string;
  /** `null`: no measurement. MADSci stores NaN as null. */
  readonly values: readonly PlotCell[];
}

/** The x values of series. */
export interface Axis {
  readonly name: string;
  readonly values: readonly (number | string)[];
}

/** The best display of a JSON value; a tree works for any. */
export type ValueDisplay =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'series'; readonly x: Axis | null; readonly series: readonly DataSeries[] }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'tree' };

const minPoints = 3;
const maxSeries = 4;
const maxColumns = 24;
const isNumber = (value: unknown): value is number | string => Number.isFinite(toNumber(value) ?? Number.NaN);
/** Numbers with gaps; a list of only gaps is not a series. */
const isSeries = (list: readonly unknown[]): list is PlotCell[] =>
  list.every((value) => value === null || isNumber(value)) && list.some(isNumber);

export function chooseDisplay(value: unknown): ValueDisplay {
  if (value === null || typeof value !== 'object') return { kind: 'value', text: formatJson(value) };
  if (Array.isArray(value)) {
    if (value.length >= minPoints && isSeries(value))
      return { kind: 'series', x: null, series: [{ name: '', values: value }] };
    if (value.length > 0 && value.every(isObject)) return tableDisplay(value);
    return matrixDisplay(value) ?? { kind: 'tree' };
  }
  return columnsDisplay(value as Record<string, unknown>) ?? { kind: 'tree' };
}

/**
 * Recognises lists of numbers of equal length, `{time: […], od: […]}`; the first is the x axis if it increases
 * throughout.
 */
function columnsDisplay(value: Readonly<Record<string, unknown>>): ValueDisplay | null {
  const entries = Object.entries(value);
  const series = entries.flatMap(([name, list]) =>
    Array.isArray(list) && isSeries(list) ? [{ name, values: list }] : [],
  );
  const length = series[0]?.values.length ?? 0;
  if (series.length !== entries.length || length < minPoints) return null;
  if (series.length > maxSeries + 1 || series.some(({ values }) => values.length !== length)) return null;
  return { kind: 'series', ...splitXAxis(series) };
}

/** Uses the first series as the x axis of the others, if its values increase throughout. */
export function splitXAxis(series: readonly DataSeries[]): {
  readonly x: Axis | null;
  readonly series: readonly DataSeries[];
} {
  const [first, ...rest] = series;
  const x = first === undefined || rest.length === 0 ? null : toAxis(first);
  return x === null ? { x, series } : { x, series: rest };
}

/** Returns the series as an axis if its values increase throughout. */
function toAxis({ name, values }: DataSeries): Axis | null {
  const cells = values.filter(isNumber);
  const numbers = cells.map((cell) => toNumber(cell) ?? Number.NaN);
  const isIncreasing = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? Infinity));
  return isIncreasing && cells.length === values.length ? { name, values: cells } : null;
}

function tableDisplay(rows: readonly Readonly<Record<string, unknown>>[]): ValueDisplay {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > maxColumns) return { kind: 'tree' };
  const isFlat = rows.every((row) => Object.values(row).every((value) => value === null || typeof value !== 'object'));
  if (!isFlat) return { kind: 'tree' };
  return { kind: 'table', columns, rows: rows.map((row) => columns.map((column) => toText(row[column]))) };
}

/** Recognises rows of primitive values of equal length: `[[1, 2], [3, 4]]`. */
function matrixDisplay(rows: readonly unknown[]): ValueDisplay | null {
  const [first] = rows;
  const isPrimitive = (value: unknown) => value === null || typeof value !== 'object';
  if (!Array.isArray(first) || first.length === 0 || first.length > maxColumns || rows.length < 2) return null;
  if (!rows.every((row) => Array.isArray(row) && row.length === first.length && row.every(isPrimitive))) return null;
  return {
    kind: 'table',
    columns: first.map((_value, index) => String(index + 1)),
    rows: (rows as readonly (readonly unknown[])[]).map((row) => row.map(toText)),
  };
}

/** A part of a value that is better displayed as a plot or a table. */
export interface ValuePart {
  /** Field names and indexes from the root: `run.spectrum`. */
  readonly path: string;
  readonly value: unknown;
}

const maxParts = 12;
const maxDepth = 5;

/** Returns the parts of a value that is displayed as a tree: number series and tables, from the top. */
export function findParts(value: unknown): readonly ValuePart[] {
  const parts: ValuePart[] = [];
  const walk = (node: unknown, path: string, depth: number): void => {
    if (node === null || typeof node !== 'object' || depth > maxDepth || parts.length >= maxParts) return;
    const { kind } = chooseDisplay(node);
    if (path !== '' && (kind === 'series' || kind === 'table')) {
      parts.push({ path, value: node });
      return;
    }
    const memberPath = (name: string) => (path === '' ? name : `${path}.${name}`);
    if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) walk(item, `${path}[${index}]`, depth + 1);
      return;
    }
    const combined = listsOfSameLength(node as Record<string, unknown>);
    if (combined !== null) parts.push({ path: path === '' ? Object.keys(combined).join(', ') : path, value: combined });
    for (const [name, member] of Object.entries(node))
      if (combined === null || !(name in combined)) walk(member, memberPath(name), depth + 1);
  };
  walk(value, '', 0);
  return parts;
}

/**
 * Returns the members of an object that are lists of numbers of equal length, if there are at least two: they belong
 * together.
 */
function listsOfSameLength(value: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const lists = Object.entries(value).filter(
    (entry): entry is [string, PlotCell[]] => Array.isArray(entry[1]) && isSeries(entry[1]),
  );
  const length = lists[0]?.[1].length ?? 0;
  const sameLength = lists.filter(([, list]) => list.length === length);
  const combined = Object.fromEntries(sameLength);
  return sameLength.length >= 2 && columnsDisplay(combined) !== null ? combined : null;
}

function toText(value: unknown): string {
  return value === null ? '' : formatJson(value);
}

/** Formats a number with few digits: 0.4121, 12.5, 1.20e-7. */
export function formatShortNumber(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e6 || size < 1e-4 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** Returns the number of values; for a single series also the number of missing ones, and the mean. */
export function summarize(series: readonly { readonly values: readonly PlotCell[] }[]): string {
  const [{ values } = { values: [] }, ...others] = series;
  if (others.length > 0) return dataTexts.values(values.length);
  const measured = values.filter(isNumber).map((cell) => toNumber(cell) ?? 0);
  const missing = values.length - measured.length;
  const mean = measured.reduce((sum, value) => sum + value, 0) / measured.length;
  return [
    dataTexts.values(measured.length),
    ...(missing > 0 ? [dataTexts.missingValues(missing)] : []),
    ...(measured.length > 0 ? [dataTexts.mean(formatShortNumber(mean))] : []),
  ].join(', ');
}
