import { waitFor } from '@testing-library/dom';
import { computed, onScopeDispose, ref } from 'vue';
import { expect, it, vi } from 'vitest';
import { useRouter } from 'vue-router';
import { runInComponent } from '../fixtures/mounted.ts';
import { useAreItemsKnown, useLazyItems } from './lazyItems.ts';

it('useLazyItems runs a loaded composable in the scope of its caller and ends it with the caller', async () => {
  const ended = vi.fn();
  const requested = ref(false);
  const { result, unmount } = runInComponent(() =>
    useLazyItems(requested, async () => () => {
      const router = useRouter();
      onScopeDispose(ended);
      return computed(() => [router.currentRoute.value.path]);
    }),
  );
  await Promise.resolve();
  expect(result.value).toEqual([]);
  requested.value = true;
  await waitFor(() => expect(result.value).toEqual(['/']));
  unmount();
  expect(ended).toHaveBeenCalledTimes(1);
});

it('useLazyItems does not run a composable that is loaded after its caller was unmounted', async () => {
  const use = vi.fn(() => computed(() => []));
  let finishLoading = (): void => undefined;
  const loading = new Promise<void>((resolve) => (finishLoading = resolve));
  const { unmount } = runInComponent(() => useLazyItems(ref(true), () => loading.then(() => use)));
  unmount();
  finishLoading();
  await loading;
  await Promise.resolve();
  expect(use).not.toHaveBeenCalled();
});

it('the items of all panels are known once the last of them has its data', async () => {
  const first = ref<readonly string[] | null>(null);
  const { result, unmount } = runInComponent(() => {
    useLazyItems(ref(true), async () => () => computed(() => first.value));
    useLazyItems(ref(true), async () => () => computed(() => []));
    return useAreItemsKnown();
  });
  await Promise.resolve();
  expect(result.value).toBe(false);
  first.value = ['arm'];
  await waitFor(() => expect(result.value).toBe(true));
  const { unmount: unmountUnknown } = runInComponent(() =>
    useLazyItems(ref(false), async () => () => computed(() => [])),
  );
  expect(result.value).toBe(false);
  unmountUnknown();
  expect(result.value).toBe(true);
  unmount();
});
