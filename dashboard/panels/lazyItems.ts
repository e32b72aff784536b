/** Loads a panel's attention items after the page has loaded, to keep them out of its initial bundle. */
import {
  type ComputedRef,
  type Ref,
  computed,
  getCurrentInstance,
  getCurrentScope,
  onScopeDispose,
  readonly,
  ref,
  shallowRef,
  watch,
  watchEffect,
} from 'vue';
import { useDocumentVisibility, useTimeout } from '@vueuse/core';

/** The number of callers whose items are not known yet. */
const unknownCount = ref(0);

/** Returns whether the items of all panels are known. */
export function useAreItemsKnown(): ComputedRef<boolean> {
  return computed(() => unknownCount.value === 0);
}

/**
 * @param isRequested whether to start loading
 * @param load imports the composable, which then runs in the caller's scope unless that is disposed; it returns `null`
 * while the items are unknown
 */
export function useLazyItems<Item>(
  isRequested: Readonly<Ref<boolean>>,
  load: () => Promise<() => ComputedRef<readonly Item[] | null>>,
): ComputedRef<readonly Item[]> {
  const app = getCurrentInstance()?.appContext.app;
  const scope = getCurrentScope();
  const items = shallowRef<ComputedRef<readonly Item[] | null> | null>(null);
  async function startLoading(): Promise<void> {
    const useItems = await load();
    if (scope?.active) items.value = app?.runWithContext(() => scope.run(useItems)) ?? null;
  }
  watch(isRequested, (now) => now && items.value === null && void startLoading(), { immediate: true });
  const isUnknown = computed(() => (items.value?.value ?? null) === null);
  const countUnknown = (now: boolean, before = false): void =>
    void (unknownCount.value += Number(now) - Number(before));
  watch(isUnknown, countUnknown, { immediate: true, flush: 'sync' });
  onScopeDispose(() => countUnknown(false, isUnknown.value));
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
