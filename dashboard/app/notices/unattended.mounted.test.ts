import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nextTick, ref } from 'vue';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { useDeferredCancels } from '../../managers/commands/deferredCancels.ts';
import { useOutcomes } from '../../managers/commands/outcomes.ts';
import { useUnattended } from './unattended.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(isKiosk: boolean) {
  respondAsManagers({});
  const kiosk = ref(isKiosk);
  return runInComponent(() => ({
    isUnattended: useUnattended(kiosk),
    outcomes: useOutcomes(),
    deferred: useDeferredCancels(),
  }));
}

it('a page is unattended after ten minutes without input, until the next input', async () => {
  const { result } = start(false);
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(result.isUnattended.value).toBe(false);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(result.isUnattended.value).toBe(true);
  window.dispatchEvent(new Event('pointermove'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(result.isUnattended.value).toBe(false);
});

it('a page with typed text is attended until another page is opened', async () => {
  const { result, router } = start(true);
  expect(result.isUnattended.value).toBe(true);
  const field = document.createElement('input');
  document.body.append(field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.remove();
  expect(result.isUnattended.value).toBe(false);
  await router.push('/workflows');
  await nextTick();
  expect(result.isUnattended.value).toBe(true);
});

it('a page with an outcome that is not dismissed, or with a deferred cancel, is attended', async () => {
  const { result } = start(true);
  result.outcomes.begin('Pause')('failed', 'Refused.');
  expect(result.isUnattended.value).toBe(false);
  for (const { id } of result.outcomes.list) result.outcomes.dismiss(id);
  expect(result.isUnattended.value).toBe(true);
  result.deferred.defer({ id: 'w', name: 'Assay', node: 'arm', impacts: [] });
  expect(result.isUnattended.value).toBe(false);
});
