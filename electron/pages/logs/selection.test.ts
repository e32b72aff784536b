import { describe, expect, it } from 'vitest';
import { movedBy, selectedRange, type LineKey } from './selection.ts';

const key = (changes: Partial<LineKey>): LineKey => ({
  key: 'ArrowDown',
  shift: false,
  control: false,
  active: 5,
  count: 10,
  page: 4,
  ...changes,
});

describe('keys in the list of lines', () => {
  it.each<[string, Partial<LineKey>, ReturnType<typeof movedBy>]>([
    ['down', {}, { to: 6, from: 6 }],
    ['down at the end', { active: 9 }, { to: 9, from: 9 }],
    ['up from nowhere', { key: 'ArrowUp', active: null }, { to: 9, from: 9 }],
    ['up at the beginning', { key: 'ArrowUp', active: 0 }, { to: 0, from: 0 }],
    ['shift and down', { shift: true }, { to: 6 }],
    ['shift from nowhere', { shift: true, active: null }, { to: 9, from: 9 }],
    ['a page', { key: 'PageUp' }, { to: 1, from: 1 }],
    ['control and end', { key: 'End', control: true }, { to: 9, from: 9 }],
    ['all', { key: 'a', control: true }, { to: 9, from: 0 }],
    ['a letter', { key: 'a' }, null],
    ['control and down', { control: true }, null],
    ['nothing to go to', { count: 0 }, null],
  ])('%s', (_name, changes, moved) => {
    expect(movedBy(key(changes))).toEqual(moved);
  });
});

describe('the selected lines', () => {
  const places = new Map([
    [7, 0],
    [3, 1],
    [9, 2],
  ]);
  it.each([
    ['none', null, null],
    ['one', { anchor: 3, active: 3 }, [1, 1]],
    ['upwards', { anchor: 9, active: 7 }, [0, 2]],
    ['one that is gone', { anchor: 1, active: 9 }, null],
  ])('%s', (_name, selection, range) => {
    expect(selectedRange(selection, places)).toEqual(range);
  });
});
