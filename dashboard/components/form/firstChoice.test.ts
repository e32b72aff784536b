import { effectScope, shallowRef } from 'vue';
import { expect, it } from 'vitest';
import { useFirstChoice } from './firstChoice.ts';

const keys = (...names: readonly string[]) => names.map((key) => ({ key }));

it('useFirstChoice selects the first choice once there is one and keeps it when others are inserted before it', () => {
  const choices = shallowRef(keys());
  const scope = effectScope();
  const chosen = scope.run(() => useFirstChoice(() => choices.value));
  expect(chosen?.value).toBe('');
  choices.value = keys('b', 'c');
  expect(chosen?.value).toBe('b');
  choices.value = keys('a', 'b', 'c');
  expect(chosen?.value).toBe('b');
  scope.stop();
});

it('useFirstChoice keeps the user’s choice', () => {
  const choices = shallowRef(keys('b', 'c'));
  const scope = effectScope();
  const chosen = scope.run(() => useFirstChoice(() => choices.value));
  if (chosen !== undefined) chosen.value = 'c';
  choices.value = keys('a');
  expect(chosen?.value).toBe('c');
  scope.stop();
});
