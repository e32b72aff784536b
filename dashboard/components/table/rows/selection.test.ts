import { describe, expect, it } from 'vitest';
import { summarizeSelection, toggleAll, toggleSelection } from './selection.ts';

const order = ['a', 'b', 'c', 'd'];
const set = (keys: string) => new Set(keys);

describe('the selection of rows', () => {
  it.each([
    ['a row', '', 'b', null, 'b'],
    ['a row again', 'bc', 'b', null, 'c'],
    ['a range downwards', 'a', 'c', 'a', 'abc'],
    ['a range upwards', 'd', 'b', 'd', 'dbc'],
    ['a range that ends at a selected row, which is deselected', 'abc', 'c', 'a', ''],
    ['a range from a row that no longer exists', '', 'c', 'z', 'c'],
  ])('is correct after pressing %s', (_, before, key, from, after) => {
    expect(toggleSelection(set(before), order, key, from)).toEqual(set(after));
  });

  it.each([
    ['', 'none', 'abcd'],
    ['b', 'some', 'babcd'],
    ['abcd', 'all', ''],
    ['zabcd', 'all', 'z'],
    ['z', 'none', 'zabcd'],
  ])('is toggled as a whole: “%s” (%s selected) becomes “%s”', (selected, extent, after) => {
    expect(summarizeSelection(set(selected), order)).toBe(extent);
    expect(toggleAll(set(selected), order)).toEqual(set(after));
  });
});
