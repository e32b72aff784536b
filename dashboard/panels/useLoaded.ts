/** What a panel says of its things is loaded with the page that asks for it: the first page has no room for it. */
import { computed, getCurrentInstance, getCurrentScope, shallowRef, type ComputedRef } from 'vue';

/** @param load the composable; run once it is there, as if in the setup of who calls this, unless that is gone by then */
export function useLoaded<Item>(load: () => Promise<() => ComputedRef<readonly Item[]>>): ComputedRef<readonly Item[]> {
  const app = getCurrentInstance()?.appContext.app;
  const scope = getCurrentScope();
  const items = shallowRef<ComputedRef<readonly Item[]> | null>(null);
  async function begin(): Promise<void> {
    const use = await load();
    if (scope?.active) items.value = app?.runWithContext(() => scope.run(use)) ?? null;
  }
  void begin();
  return computed(() => items.value?.value ?? []);
}
