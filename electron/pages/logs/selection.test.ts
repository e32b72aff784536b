import { describe, expect, it } from 'vitest';
import { moveSelection, selectedRange, type SelectionKeyPress } from './selection.ts';

const key = (changes: Partial<SelectionKeyPress>): SelectionKeyPress => ({
  key: 'ArrowDown',
  shift: false,
  control: false,
  active: 5,
  count: 10,
  pageSize: 4,
  ...changes,
});

describe('moveSelection by a key', () => {
  it.each<[string, Partial<SelectionKeyPress>, ReturnType<typeof moveSelection>]>([
    ['the down key', {}, { to: 6, from: 6 }],
    ['the down key at the end', { active: 9 }, { to: 9, from: 9 }],
    ['the up key without an active line', { key: 'ArrowUp', active: null }, { to: 9, from: 9 }],
    ['the up key at the beginning', { key: 'ArrowUp', active: 0 }, { to: 0, from: 0 }],
    ['shift and the down key', { shift: true }, { to: 6 }],
    ['shift without an active line', { shift: true, active: null }, { to: 9, from: 9 }],
    ['a page key', { key: 'PageUp' }, { to: 1, from: 1 }],
    ['control and end', { key: 'End', control: true }, { to: 9, from: 9 }],
    ['select all', { key: 'a', control: true }, { to: 9, from: 0 }],
    ['a letter', { key: 'a' }, null],
    ['control and the down key', { control: true }, null],
    ['an empty list', { count: 0 }, null],
  ])('returns $2 for %s', (_name, changes, moved) => {
    expect(moveSelection(key(changes))).toEqual(moved);
  });
});

describe('the selected lines', () => {
  const indexById = new Map([
    [7, 0],
    [3, 1],
    [9, 2],
  ]);
  it.each([
    ['no selection', null, null],
    ['one line', { anchor: 3, active: 3 }, [1, 1]],
    ['an upward range', { anchor: 9, active: 7 }, [0, 2]],
    ['a line that no longer exists', { anchor: 1, active: 9 }, null],
  ])('have the indices $2 for %s', (_name, selection, range) => {
    expect(selectedRange(selection, indexById)).toEqual(range);
  });
});
