/** Reads CSV files with any common separator and encoding, and with line breaks in quoted cells. */
import Papa from 'papaparse';
import { formatNumber } from '#api/countText.ts';
import { formulaSigns } from '../table/rows/csv.ts';
import { decodeAs, detectEncoding, type TextEncodingName } from './encoding.ts';

export const csvReadTexts = {
  binary: 'This is not a text file. Save the table as CSV.',
  empty: 'The file is empty.',
  quotes: 'A quotation mark isn’t closed, or isn’t written as "" within a cell.',
  tooMany: (cells: number, headings: number) =>
    `It has ${formatNumber(cells)} cells, but there are ${formatNumber(headings)} headings.`,
} as const;

export interface CsvRecord {
  /** The row number as in a spreadsheet, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

export interface CsvFile {
  readonly headings: readonly string[];
  readonly records: readonly CsvRecord[];
  readonly encoding: TextEncodingName;
  /** Whether another encoding is possible, which the user can choose. */
  readonly isEncodingGuess: boolean;
  readonly separator: string;
  /** The problems of single lines, by line number. */
  readonly problems: ReadonlyMap<number, string>;
}

type CsvReadResult = { readonly ok: true; readonly file: CsvFile } | { readonly ok: false; readonly problem: string };

/**
 * Reads the content of a CSV file. The first line that isn't empty contains the headings.
 * @param chosenEncoding the user's choice; by default, the encoding is detected
 */
export function readCsv(bytes: Uint8Array, chosenEncoding: TextEncodingName | null = null): CsvReadResult {
  const { text, encoding, isGuess } =
    chosenEncoding === null
      ? detectEncoding(bytes)
      : { text: decodeAs(bytes, chosenEncoding), encoding: chosenEncoding, isGuess: true };
  if (text.includes('\0')) return { ok: false, problem: csvReadTexts.binary };
  // Spreadsheets write and read this first line.
  const [declaration = '', declared] = /^sep=([^\r\n])(?:\r?\n|$)/i.exec(text) ?? [];
  const separator = declared ?? detectSeparator(text);
  const firstNumber = declared === undefined ? 1 : 2;
  const { data, errors } = Papa.parse<string[]>(text.slice(declaration.length), { delimiter: separator });
  const all = data.flatMap((cells, index) => {
    const trimmed = cells.map((cell) => stripFormulaGuards(cell.trim()));
    return trimmed.every((cell) => cell === '') ? [] : [{ number: index + firstNumber, cells: trimmed }];
  });
  const [head, ...records] = all;
  if (head === undefined) return { ok: false, problem: csvReadTexts.empty };
  const problems = new Map<number, string>();
  for (const { row, type } of errors)
    if (type === 'Quotes' && row !== undefined) problems.set(row + firstNumber, csvReadTexts.quotes);
  for (const { number, cells } of records)
    if (cells.slice(head.cells.length).some((cell) => cell !== ''))
      problems.set(number, csvReadTexts.tooMany(cells.length, head.cells.length));
  return { ok: true, file: { headings: head.cells, records, encoding, isEncodingGuess: isGuess, separator, problems } };
}

/** The most frequent separator of the headings. The library's own detection needs several full lines. */
function detectSeparator(text: string): string {
  const columns = (delimiter: string): number =>
    Papa.parse<string[]>(text, { delimiter, preview: 1, skipEmptyLines: 'greedy' }).data[0]?.length ?? 0;
  return separators.reduce<string>((best, next) => (columns(next) > columns(best) ? next : best), ',');
}
const separators = [',', ';', '\t', '|'] as const;

const formulaGuards = new RegExp(String.raw`(^|[;\t\r\n]"*)'(?=[${formulaSigns}])`, 'g');

/** Removes the apostrophes that `formatCsv` puts before what a spreadsheet would run as a formula. */
function stripFormulaGuards(cell: string): string {
  return cell.replace(/^'(?=[\t\r])/, '').replaceAll(formulaGuards, '$1');
}
