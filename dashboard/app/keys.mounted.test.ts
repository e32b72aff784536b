import { expect, it } from 'vitest';
import { runInComponent } from '../fixtures/mounted.ts';
import { useUi } from '../base/ui.ts';
import { useKeyboardShortcuts } from './keys.ts';

it('text typed before the palette has appeared is its search text, and no shortcut or text of the page', () => {
  const { result: ui } = runInComponent(() => {
    useKeyboardShortcuts();
    return useUi();
  });
  const field = document.body.appendChild(document.createElement('input'));
  const press = (target: EventTarget, key: string, ctrlKey = false) =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
  press(field, 'k', true);
  const wasInserted = [press(field, 'a'), press(document.body, '?'), press(document.body, 'ArrowDown')];
  expect([ui.paletteOpen, ui.keysOpen, ui.paletteQuery]).toEqual([true, false, 'a?']);
  expect(wasInserted).toEqual([false, false, true]);
  press(document.body, 'k', true);
  expect([ui.paletteOpen, ui.paletteQuery]).toEqual([false, '']);
});
