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
const [narrowest, widest] = [2, 60];

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

function clamped(width: number): number {
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
      const longest = rows.reduce((max, row) => Math.max(max, cellText(column, row).length), 0);
      const width = Math.max(longest * textWidth, column.title.length * titleWidth + orderWidth);
      return [column.key, Math.ceil(width * 4) / 4];
    }),
  );
}

/** A row, and in a tree its level, from 1. */
export interface LeveledRow<Row> {
  readonly row: Row;
  readonly level: number | null;
}

/** The indent of a level in a tree, and the room of its fold, in rem; as in `objectTable.css`. */
const levelIndent = 1.25;

/** Widths up to which columns take free space, in rem: their longest text. */
export function grownWidths<Row>(columns: readonly Column<Row>[], rows: readonly LeveledRow<Row>[]): ColumnWidths {
  const growing = columns.filter(({ grows }) => grows === true);
  return Object.fromEntries(
    growing.map((column) => {
      const width = rows.reduce((max, { row, level }) => {
        const indent = level === null || column !== columns[0] ? 0 : level * levelIndent;
        return Math.max(max, cellText(column, row).length * textWidth + indent);
      }, 0);
      return [column.key, clamped(Math.ceil(width * 4) / 4)];
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
export function gridColumns<Row>(
  columns: readonly Column<Row>[],
  widths: ColumnWidths = {},
  grown: ColumnWidths = {},
): string {
  return columns
    .map(({ key, width = plainWidth }) => {
      const drawn = widths[key];
      if (drawn !== undefined) return `${drawn + cellSpace}rem`;
      const max = grown[key];
      const share = max === undefined ? `${width}fr` : `${Math.max(width, max) + cellSpace}rem`;
      return `minmax(${width + cellSpace}rem, ${share})`;
    })
    .join(' ');
}

/** The least width of the table in rem. */
export function leastWidth<Row>(columns: readonly Column<Row>[], widths: ColumnWidths = {}): number {
  return columns.reduce((sum, { key, width = plainWidth }) => sum + (widths[key] ?? width) + cellSpace, 1);
}
