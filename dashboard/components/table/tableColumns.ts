/** Which columns are shown: as they are declared, and as this browser's user chose. Pure. */
import { cellText, type Column } from './rows/tableRows.ts';

/** What was chosen against the default: key → shown. */
export type ColumnChoice = Readonly<Record<string, boolean>>;

const plainWidth = 10;
/** Space at both sides of a cell, in rem. */
const cellSpace = 1;

/** The kept choice; anything else that may stand there counts as none. */
export function readChoice(text: string): ColumnChoice {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).filter(([, shown]) => typeof shown === 'boolean'));
  } catch {
    return {};
  }
}

/** Widths that somebody drew, in rem: key → width. */
export type ColumnWidths = Readonly<Record<string, number>>;

/** Narrower, a cell says nothing; wider, it hides the others. In rem. */
export const [narrowest, widest] = [2, 60];

/** The kept widths; anything else that may stand there counts as none. */
export function readWidths(text: string): ColumnWidths {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    const numbers = Object.entries(value).flatMap(([key, width]) =>
      typeof width === 'number' && Number.isFinite(width) ? [[key, clamped(width)] as const] : [],
    );
    return Object.fromEntries(numbers);
  } catch {
    return {};
  }
}

export function clamped(width: number): number {
  return Math.min(widest, Math.max(narrowest, width));
}

/** The widths after one was drawn; `null` gives the column its share of the space again. */
export function withWidth(widths: ColumnWidths, key: string, width: number | null): ColumnWidths {
  const { [key]: _old, ...others } = widths;
  return width === null ? others : { ...others, [key]: clamped(width) };
}

export function shownColumns<Row>(columns: readonly Column<Row>[], choice: ColumnChoice): Column<Row>[] {
  return columns.filter((column, index) => index === 0 || (choice[column.key] ?? column.hidden !== true));
}

/** Keys of the columns that fold because no row says anything in them. */
export function foldedColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] {
  if (rows.length === 0) return [];
  const isEmpty = (column: Column<Row>) => rows.every((row) => cellText(column, row) === '');
  return columns.filter((column) => column.foldsEmpty === true && isEmpty(column)).map(({ key }) => key);
}

/** A character of a time, and one of a title with the arrow of its order, in rem: figures are as wide as each other. */
const textWidth = 0.53;
const titleWidth = 0.43;
const orderWidth = 1;

/** Widths of the columns that fit their texts, in rem. */
export function fittedWidths<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): ColumnWidths {
  const fitted = columns.filter(({ fits }) => fits === true);
  return Object.fromEntries(
    fitted.map((column) => {
      const longest = rows.reduce((most, row) => Math.max(most, cellText(column, row).length), 0);
      const width = Math.max(longest * textWidth, column.title.length * titleWidth + orderWidth);
      return [column.key, Math.ceil(width * 4) / 4];
    }),
  );
}

/** The choice after exactly `keys` were ticked; only what differs from the default is kept. */
export function choiceOf<Row>(columns: readonly Column<Row>[], keys: readonly string[]): ColumnChoice {
  return Object.fromEntries(
    columns.flatMap((column, index) => {
      const shown = keys.includes(column.key);
      return index === 0 || shown === (column.hidden !== true) ? [] : [[column.key, shown] as const];
    }),
  );
}

/** `grid-template-columns` of header and rows: the same widths in each, whatever they hold. */
export function gridColumns<Row>(columns: readonly Column<Row>[], widths: ColumnWidths = {}): string {
  return columns
    .map(({ key, width = plainWidth }) => {
      const drawn = widths[key];
      return drawn === undefined ? `minmax(${width + cellSpace}rem, ${width}fr)` : `${drawn + cellSpace}rem`;
    })
    .join(' ');
}

/** The least width of the table in rem. */
export function leastWidth<Row>(columns: readonly Column<Row>[], widths: ColumnWidths = {}): number {
  return columns.reduce((sum, { key, width = plainWidth }) => sum + (widths[key] ?? width) + cellSpace, 1);
}
