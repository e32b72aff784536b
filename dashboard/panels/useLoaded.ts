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
export function useLoaded<Item>(
  isRequested: Readonly<Ref<boolean>>,
  load: () => Promise<() => ComputedRef<readonly Item[]>>,
): ComputedRef<readonly Item[]> {
  const app = getCurrentInstance()?.appContext.app;
  const scope = getCurrentScope();
  const items = shallowRef<ComputedRef<readonly Item[]> | null>(null);
  async function begin(): Promise<void> {
    const use = await load();
    if (scope?.active) items.value = app?.runWithContext(() => scope.run(use)) ?? null;
  }
  watch(isRequested, (now) => now && items.value === null && void begin(), { immediate: true });
  return computed(() => items.value?.value ?? []);
}

/** After the page was opened, in ms. */
const after = 6000;

export function useIdleFlag(): Readonly<Ref<boolean>> {
  const due = useTimeout(after);
  const visibility = useDocumentVisibility();
  const isCurrent = ref(false);
  watchEffect(() => (isCurrent.value ||= due.value && visibility.value === 'visible'));
  return readonly(isCurrent);
}
