import { describe, expect, it } from 'vitest';
import { rove, type RovingState } from './roving.ts';

const press = (key: string, modifiers: Partial<Record<'ctrlKey' | 'altKey' | 'metaKey', true>> = {}) => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...modifiers,
});

describe('rove', () => {
  const list: RovingState = { current: 3, count: 10, page: 4 };
  const ring: RovingState = { current: 9, count: 10, wraps: true };
  const slider: RovingState = { current: 3, count: 10, direction: 'both', page: 5 };
  it.each<[string, RovingState, string, number | null]>([
    ['list', list, 'ArrowDown', 4],
    ['list', list, 'ArrowUp', 2],
    ['list', list, 'PageDown', 7],
    ['list', list, 'PageUp', 0],
    ['list', list, 'Home', 0],
    ['list', list, 'End', 9],
    ['list', list, 'ArrowRight', null],
    ['list', list, 'Enter', null],
    ['list, at its end', { ...list, current: 9 }, 'ArrowDown', 9],
    ['list without a current one', { ...list, current: -1 }, 'ArrowDown', 0],
    ['list without a current one', { ...list, current: -1 }, 'ArrowUp', 0],
    ['list without pages', { current: 3, count: 10 }, 'PageDown', null],
    ['empty list', { current: 0, count: 0 }, 'ArrowDown', null],
    ['ring', ring, 'ArrowDown', 0],
    ['ring', { ...ring, current: 0 }, 'ArrowUp', 9],
    ['ring without a current one', { ...ring, current: -1 }, 'ArrowDown', 0],
    ['ring without a current one', { ...ring, current: -1 }, 'ArrowUp', 9],
    ['bar', { current: 3, count: 10, direction: 'horizontal' }, 'ArrowRight', 4],
    ['bar', { current: 3, count: 10, direction: 'horizontal' }, 'ArrowDown', null],
    ['slider', slider, 'ArrowUp', 4],
    ['slider', slider, 'ArrowLeft', 2],
    ['slider', slider, 'PageUp', 8],
    ['slider', slider, 'PageDown', 0],
  ])('returns $3 for a $0 after $2', (_name, roving, key, expected) => expect(rove(press(key), roving)).toBe(expected));

  // 8 rows of 12; and 2 rows of 12 with a last row of 3.
  const plate = (current: number): RovingState => ({ current, count: 96, direction: 12 });
  const partialGrid = (current: number): RovingState => ({ current, count: 27, direction: 12 });
  it.each<[RovingState, string, number | null]>([
    [plate(0), 'ArrowRight', 1],
    [plate(11), 'ArrowRight', 11],
    [plate(12), 'ArrowLeft', 12],
    [plate(0), 'ArrowDown', 12],
    [plate(95), 'ArrowDown', 95],
    [plate(5), 'ArrowUp', 5],
    [plate(30), 'Home', 24],
    [plate(30), 'End', 35],
    [partialGrid(25), 'End', 26],
    [partialGrid(20), 'ArrowDown', 20],
    [plate(30), 'x', null],
  ])('returns for the grid %o after %s: %j', (roving, key, expected) =>
    expect(rove(press(key), roving)).toBe(expected),
  );

  it('ignores keys with modifiers except for the corners of a grid', () => {
    expect(rove(press('ArrowDown', { ctrlKey: true }), list)).toBeNull();
    expect(rove(press('ArrowDown', { altKey: true }), list)).toBeNull();
    expect(rove(press('ArrowRight', { metaKey: true }), plate(0))).toBeNull();
    expect(rove(press('End', { ctrlKey: true }), plate(0))).toBe(95);
    expect(rove(press('Home', { ctrlKey: true }), plate(50))).toBe(0);
  });
});
