import { describe, expect, it } from 'vitest';
import type { SavedBounds } from '../preferences/preferences.ts';
import { fitSize, placeWindow } from './savedBounds.ts';

const main = { x: 0, y: 0, width: 1920, height: 1040 };
const right = { x: 1920, y: 0, width: 1280, height: 1024 };
const saved = (changes: Partial<SavedBounds>): SavedBounds => ({
  x: 100,
  y: 80,
  width: 1000,
  height: 700,
  maximized: false,
  ...changes,
});

describe('the place where the window opens', () => {
  it.each([
    ['no saved bounds', null, [main], { width: 1440, height: 900 }],
    ['no saved bounds on a small screen', null, [{ ...main, width: 1024, height: 700 }], { width: 1024, height: 660 }],
    ['the last position', saved({}), [main], { x: 100, y: 80, width: 1000, height: 700 }],
    [
      'a position on the second screen',
      saved({ x: 2000 }),
      [main, right],
      { x: 2000, y: 80, width: 1000, height: 700 },
    ],
    ['a screen that is disconnected', saved({ x: 2000 }), [main], { width: 1000, height: 700 }],
    ['a title bar above the screen', saved({ y: -200 }), [main], { width: 1000, height: 700 }],
    ['a title bar below the screen', saved({ y: 1030 }), [main], { width: 1000, height: 700 }],
    ['a window with only a corner visible', saved({ x: -950 }), [main], { width: 1000, height: 700 }],
    [
      'a window larger than any screen',
      saved({ width: 5000, height: 4000 }),
      [main],
      { x: 100, y: 80, width: 1920, height: 1000 },
    ],
    ['a tiny window', saved({ width: 10, height: 10 }), [main], { width: 480, height: 480 }],
  ])('is $3 for %s', (_name, bounds, screens, place) => {
    expect(placeWindow(bounds, screens)).toMatchObject(place);
  });
});

it.each([
  [1366, 768, { width: 900, height: 728, minWidth: 480, minHeight: 480 }],
  [960, 540, { width: 900, height: 500, minWidth: 480, minHeight: 480 }],
  [683, 384, { width: 683, height: 344, minWidth: 480, minHeight: 344 }],
])('a window with its title bar fits on a screen of %i × %i', (width, height, expected) => {
  expect(fitSize({ width: 900, height: 820 }, { width, height })).toEqual(expected);
});
