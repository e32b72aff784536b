/**
 * Where the keys of rows and grids point to, as Python's lists take them: digits in a text count from one, numbers
 * from zero, letters from `a`, and negative ones from the end.
 */
import { OperationError } from './errors.ts';

export type ChildKey = string | number | readonly (string | number)[];

const outOfRange = 'list assignment index out of range';

/** The index that Python takes in a list of the length. */
export function listIndex(index: number, length: number, why = outOfRange): number {
  const found = index < 0 ? index + length : index;
  if (found < 0 || found >= length) throw new OperationError(why);
  return found;
}

/** `1` is index 0, `a` too, and so is no text at all. */
function fromText(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) - 1;
  const index = 'abcdefghijklmnopqrstuvwxyz'.indexOf(text.toLowerCase());
  if (index < 0) throw new OperationError('substring not found');
  return index;
}

const numeric = (key: string | number) => (typeof key === 'number' ? key : fromText(key));

/** Into a row. */
export function rowIndex(key: ChildKey): number {
  if (typeof key === 'object') throw new OperationError('list indices must be integers or slices, not tuple');
  return numeric(key);
}

/** `B3`, or a pair: the row's index stays as it is, the column's may be a text too. */
export function gridIndex(key: string | readonly (string | number)[]): readonly [row: number, column: number] {
  if (typeof key !== 'string') {
    const [row = 0, column = 0] = key;
    if (typeof row === 'string') throw new OperationError('list indices must be integers or slices, not str');
    return [row, numeric(column)];
  }
  const digit = key.search(/\d/);
  if (digit < 0) throw new OperationError('Key is in the wrong format!');
  return [fromText(key.slice(0, digit)), fromText(key.slice(digit))];
}

/** A triple of row, column and layer. */
export function voxelIndex(key: ChildKey): readonly [row: number, column: number, layer: number] {
  if (typeof key === 'string') throw new OperationError('list indices must be integers or slices, not str');
  const [row, column, layer] = typeof key === 'number' ? [] : key;
  if (layer === undefined) throw new OperationError('tuple index out of range');
  if (typeof row !== 'number' || typeof layer !== 'number' || column === undefined) {
    throw new OperationError('list indices must be integers or slices, not str');
  }
  return [row, numeric(column), layer];
}
