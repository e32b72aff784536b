/** What a panel says of its things is loaded once the page that asks for it is there: before that there is no room for it. */
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
 * @param requested whether it is time to load it
 * @param load the composable; run once it is there, as if in the setup of who calls this, unless that is gone by then
 */
export function useLoaded<Item>(
  requested: Readonly<Ref<boolean>>,
  load: () => Promise<() => ComputedRef<readonly Item[]>>,
): ComputedRef<readonly Item[]> {
  const app = getCurrentInstance()?.appContext.app;
  const scope = getCurrentScope();
  const items = shallowRef<ComputedRef<readonly Item[]> | null>(null);
  async function begin(): Promise<void> {
    const use = await load();
    if (scope?.active) items.value = app?.runWithContext(() => scope.run(use)) ?? null;
  }
  watch(requested, (now) => now && items.value === null && void begin(), { immediate: true });
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
