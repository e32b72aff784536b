/** Writes rows as CSV (RFC 4180), safe to open in a spreadsheet. */
import { isExactJson } from '#api/exactJson.ts';
import { formatFileTime } from '#api/time/clockText.ts';
import { isUlid } from '#dashboard/base/objectPages.ts';
import { componentTexts } from '../../texts.ts';
import { getCellText, type Column } from './tableRows.ts';

/** Full-width signs begin a formula in East Asian versions of Excel. */
export const formulaSigns = String.raw`=+\-@＝＋－＠`;

/**
 * Spreadsheets run cells with these prefixes as formulas, and anyone can write labels in a lab. Depending on its language, a
 * spreadsheet divides lines at semicolons or tabs instead of commas, and ignores a quote that is not the first character of
 * what it reads as a cell (docs/adr/0008-numbers-times-and-files.md). Quotes can precede the formula, but commas and other
 * quotes never begin a cell.
 */
const formulas = new RegExp(String.raw`(^|[;\t\r\n]"*)([${formulaSigns}][^;\t"\r\n]*)`, 'g');
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Without a byte order mark, spreadsheets decode µ wrongly. */
const byteOrderMark = '\uFEFF';

const isJsonContainer = (text: string): boolean => /^[[{]/.test(text) && isExactJson(text);

/** Returns the text of one cell, quoted and guarded where necessary. */
export function formatCsvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const marked = /^[\t\r]/.test(text) ? `'${text}` : text;
  const safe = marked.replaceAll(formulas, (match: string, separator: string, cell: string) => {
    // The rest of a cell continues a formula that begins with a number.
    if (plainNumber.test(cell) && (separator !== '' || plainNumber.test(text))) return match;
    // In JSON, a semicolon is always within a string, where an escaped character has the same value.
    if (separator === ';' && isJsonContainer(text))
      return `;\\u${cell.charCodeAt(0).toString(16).padStart(4, '0')}${cell.slice(1)}`;
    return `${separator}'${cell}`;
  });
  return /[";,\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Returns the CSV file of a table's rows, with the titles of the columns.
 * @param getKey identifies a row; IDs are exported, also if no column shows them
 */
export function formatCsv<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  getKey: (row: Row) => string = () => '',
): string {
  const replacedKeys = new Set(columns.flatMap(({ csvAs = [] }) => csvAs.flatMap(({ key }) => key ?? [])));
  const shown = columns
    .filter(({ key }) => !replacedKeys.has(key))
    .flatMap(
      (column) => column.csvAs ?? [{ title: getCsvTitle(column), value: (row: Row) => getCsvValue(column, row) }],
    );
  const isMissingIds =
    rows.length > 0 &&
    rows.every((row) => isUlid(getKey(row))) &&
    !shown.some(({ title }) => title === componentTexts.table.id);
  const exported = isMissingIds ? [...shown, { title: componentTexts.table.id, value: getKey }] : shown;
  return formatCsvLines([
    exported.map(({ title }) => title),
    ...rows.map((row) => exported.map(({ value }) => value(row))),
  ]);
}

export function formatCsvLines(lines: readonly (readonly (string | number | null)[])[]): string {
  return byteOrderMark + lines.map((line) => `${line.map(formatCsvCell).join(',')}\r\n`).join('');
}

const getCsvTitle = <Row>({ title, csvUnit }: Column<Row>): string =>
  csvUnit === undefined ? title : `${title} (${csvUnit})`;

function getCsvValue<Row>(column: Column<Row>, row: Row): string | number | null {
  if (column.csv !== undefined) return column.csv(row);
  return column.text === undefined ? column.value(row) : getCellText(column, row);
}

/** Returns a file name with local time: `workflows-2026-11-21-1402.csv`. */
export function createCsvFileName(name: string, time: number): string {
  return `${name}-${formatFileTime(new Date(time))}.csv`;
}
