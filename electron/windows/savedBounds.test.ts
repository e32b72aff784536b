import { describe, expect, it } from 'vitest';
import type { SavedBounds } from '../preferences/preferences.ts';
import { placeWindow } from './savedBounds.ts';

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

describe('where the window opens', () => {
  it.each([
    ['nothing saved', null, [main], { width: 1440, height: 900 }],
    ['nothing saved, small screen', null, [{ ...main, width: 1024, height: 700 }], { width: 1024, height: 700 }],
    ['where it was', saved({}), [main], { x: 100, y: 80, width: 1000, height: 700 }],
    ['on the second screen', saved({ x: 2000 }), [main, right], { x: 2000, y: 80, width: 1000, height: 700 }],
    ['its screen is gone', saved({ x: 2000 }), [main], { width: 1000, height: 700 }],
    ['title bar above the screen', saved({ y: -200 }), [main], { width: 1000, height: 700 }],
    ['title bar below the screen', saved({ y: 1030 }), [main], { width: 1000, height: 700 }],
    ['only a corner left', saved({ x: -950 }), [main], { width: 1000, height: 700 }],
    [
      'larger than any screen',
      saved({ width: 5000, height: 4000 }),
      [main],
      { x: 100, y: 80, width: 1920, height: 1040 },
    ],
    ['absurdly small', saved({ width: 10, height: 10 }), [main], { width: 480, height: 480 }],
  ])('%s', (_name, bounds, screens, place) => {
    expect(placeWindow(bounds, screens)).toEqual(place);
  });
});
