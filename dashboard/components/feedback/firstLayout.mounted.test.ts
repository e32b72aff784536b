import { nextTick, ref } from 'vue';
import { afterEach, expect, it, vi } from 'vitest';
import { runInComponent } from '../../fixtures/mounted.ts';
import { maxWaitMs, useFirstLayout } from './firstLayout.ts';

afterEach(() => vi.useRealTimers());

it('useFirstLayout shows the page once its data is complete and keeps it', async () => {
  const isComplete = ref(false);
  const { result } = runInComponent(() => useFirstLayout(() => isComplete.value));
  expect(result.value).toBe(false);
  isComplete.value = true;
  await nextTick();
  expect(result.value).toBe(true);
  isComplete.value = false;
  await nextTick();
  expect(result.value).toBe(true);
});

it('useFirstLayout shows an incomplete page after 3 s', () => {
  vi.useFakeTimers();
  const { result } = runInComponent(() => useFirstLayout(() => false));
  vi.advanceTimersByTime(maxWaitMs - 1);
  expect(result.value).toBe(false);
  vi.advanceTimersByTime(1);
  expect(result.value).toBe(true);
});
