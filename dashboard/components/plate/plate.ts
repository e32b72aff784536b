/** A plate of wells: names of the wells, selection by dragging, and colours. Pure; independent of resources. */

export interface Well {
  /** The tooltip and accessible name: `C4, Yeast culture, 148 of 200`. */
  readonly label: string;
  /** The value that determines the colour; `null`: none, so the well has no colour. */
  readonly value: number | string | null;
  /** Whether the well is occupied, possibly without a value. */
  readonly isOccupied: boolean;
}

/** Returns the row's name as on plates: `A` to `Z`, then `AA`. */
export function rowName(row: number): string {
  return row < 26 ? String.fromCharCode(65 + row) : rowName(Math.floor(row / 26) - 1) + rowName(row % 26);
}

/** Returns the number of the row with this name, from 0. */
export function parseRowName(name: string): number {
  return [...name.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Returns the name of a well, such as `C4`, from its index, counted row by row. */
export function wellName(index: number, columns: number): string {
  return `${rowName(Math.floor(index / columns))}${(index % columns) + 1}`;
}

/** Returns the index of a well named `C4` or `c04`; `null` if the plate has no such well. */
export function parseWellName(name: string, rows: number, columns: number): number | null {
  const match = /^\s*([A-Za-z]{1,2})\s*0*(\d{1,3})\s*$/.exec(name);
  if (match === null) return null;
  const row = parseRowName(match[1] ?? '');
  const column = Number(match[2]) - 1;
  return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : null;
}

/** Returns the indexes of all wells in the rectangle between two corners. */
export function getWellsInRectangle(from: number, to: number, columns: number): number[] {
  const [top, bottom] = [Math.floor(from / columns), Math.floor(to / columns)].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  const [left, right] = [from % columns, to % columns].toSorted((a, b) => a - b) as [number, number];
  const wells: number[] = [];
  for (let row = top; row <= bottom; row += 1)
    for (let column = left; column <= right; column += 1) wells.push(row * columns + column);
  return wells;
}

type Scale =
  | { readonly kind: 'none' }
  | { readonly kind: 'continuous'; readonly min: number; readonly max: number }
  | { readonly kind: 'categories'; readonly names: readonly string[] };

/** Returns a continuous scale from 0 (or less) to the maximum for numbers; otherwise each value is a category. */
export function makeScale(wells: readonly Well[]): Scale {
  const values = wells.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0) return { kind: 'none' };
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === values.length) {
    let [min, max] = [0, 0];
    for (const value of numbers) {
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    return { kind: 'continuous', min, max: max === min ? min + 1 : max };
  }
  const names = [...new Set(values.map(String))].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return { kind: 'categories', names };
}

/** Hues that remain distinguishable with common colour vision deficiencies; they repeat after the last. */
const hues = [210, 30, 140, 280, 0, 60, 180, 320] as const;

export const categoryColor = (index: number): string => `hsl(${hues[index % hues.length] ?? 0} 55% 55%)`;

/** Returns the fill colour of a well, in CSS; `null` for one without a value. */
export function wellColor({ value }: Pick<Well, 'value'>, scale: Scale): string | null {
  if (value === null || scale.kind === 'none') return null;
  if (scale.kind === 'categories') return categoryColor(scale.names.indexOf(String(value)));
  const fraction = (Number(value) - scale.min) / (scale.max - scale.min);
  return `color-mix(in srgb, var(--accent) ${Math.round(8 + 92 * fraction)}%, var(--surface))`;
}
