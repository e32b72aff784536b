/** Loads a panel's attention items after the page has loaded, to keep them out of its initial bundle. */
import {
  type ComputedRef,
  type Ref,
  computed,
  getCurrentInstance,
  getCurrentScope,
  readonly,
  ref,
  shallowRef,
  watch,
  watchEffect,
} from 'vue';
import { useDocumentVisibility, useTimeout } from '@vueuse/core';

/**
 * @param isRequested whether to start loading
 * @param load imports the composable, which then runs in the caller's scope unless that is disposed
 */
export function useLazyItems<Item>(
  isRequested: Readonly<Ref<boolean>>,
  load: () => Promise<() => ComputedRef<readonly Item[]>>,
): ComputedRef<readonly Item[]> {
  const app = getCurrentInstance()?.appContext.app;
  const scope = getCurrentScope();
  const items = shallowRef<ComputedRef<readonly Item[]> | null>(null);
  async function startLoading(): Promise<void> {
    const useItems = await load();
    if (scope?.active) items.value = app?.runWithContext(() => scope.run(useItems)) ?? null;
  }
  watch(isRequested, (now) => now && items.value === null && void startLoading(), { immediate: true });
  return computed(() => items.value?.value ?? []);
}

/** The delay after the page was opened; by then its own requests have usually ended. */
const idleDelayMs = 6000;

/** Whether the page was idle and visible once. */
const wasIdle = ref(false);

/** Returns a flag that becomes true once the first page is idle and visible, and stays true on all further pages. */
export function useIdleFlag(): Readonly<Ref<boolean>> {
  if (!wasIdle.value) {
    const due = useTimeout(idleDelayMs);
    const visibility = useDocumentVisibility();
    watchEffect(() => (wasIdle.value ||= due.value && visibility.value === 'visible'));
  }
  return readonly(wasIdle);
}
