import { effectScope, shallowRef } from 'vue';
import { expect, it } from 'vitest';
import { useFirstChoice } from './firstChoice.ts';

const keys = (...names: readonly string[]) => names.map((key) => ({ key }));

it('useFirstChoice selects the first choice once there is one and keeps it when others are inserted before it', () => {
  const choices = shallowRef(keys());
  const scope = effectScope();
  const selected = scope.run(() => useFirstChoice(() => choices.value));
  expect(selected?.value).toBe('');
  choices.value = keys('b', 'c');
  expect(selected?.value).toBe('b');
  choices.value = keys('a', 'b', 'c');
  expect(selected?.value).toBe('b');
  scope.stop();
});

it('useFirstChoice keeps the user’s choice', () => {
  const choices = shallowRef(keys('b', 'c'));
  const scope = effectScope();
  const selected = scope.run(() => useFirstChoice(() => choices.value));
  if (selected !== undefined) selected.value = 'c';
  choices.value = keys('a');
  expect(selected?.value).toBe('c');
  scope.stop();
});
