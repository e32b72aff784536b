import { expect, it } from 'vitest';
import { isPaletteChord, isStopChord } from './chords.ts';

const press = (key: string, code: string, modifiers: KeyboardEventInit) =>
  new KeyboardEvent('keydown', { key, code, ...modifiers });
const stop = { ctrlKey: true, shiftKey: true };

it.each([
  ['Latin', 'X', 'KeyX', true],
  ['Latin without caps', 'x', 'KeyX', true],
  ['Dvorak', 'X', 'KeyB', true],
  ['Dvorak, at the position of X', 'Q', 'KeyX', false],
  ['Russian', 'Ч', 'KeyX', true],
  ['Greek', 'Χ', 'KeyX', true],
  ['Russian, with another key', 'Х', 'BracketLeft', false],
  ['an input method', 'Process', 'KeyX', true],
])('isStopChord for the layout %s, key %s at %s, is %s', (_layout, key, code, expected) => {
  expect(isStopChord(press(key, code, stop))).toBe(expected);
});

it.each([{ ctrlKey: true }, { shiftKey: true }, { ...stop, altKey: true }])(
  'the safety stop has no shortcut with the modifiers %j',
  (modifiers) => {
    expect(isStopChord(press('X', 'KeyX', modifiers))).toBe(false);
  },
);

it('the shortcut of the palette follows the same rules, without Shift', () => {
  expect(isPaletteChord(press('л', 'KeyK', { metaKey: true }))).toBe(true);
  expect(isPaletteChord(press('k', 'KeyK', stop))).toBe(false);
});
