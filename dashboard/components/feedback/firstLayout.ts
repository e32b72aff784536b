/** Delays the first layout of a page until its data is known, because data that arrives later moves the page. */
import { useTimeoutFn } from '@vueuse/core';
import { readonly, ref, watchEffect, type Ref } from 'vue';

/** After this time in ms, a page shows what it knows. */
export const maxWaitMs = 3000;

/** Returns a flag that becomes true once the data is complete, or after 3 s, and stays true. */
export function useFirstLayout(isComplete: () => boolean): Readonly<Ref<boolean>> {
  const isShown = ref(false);
  const { stop } = useTimeoutFn(() => (isShown.value = true), maxWaitMs);
  watchEffect(() => {
    if (!isShown.value && isComplete()) isShown.value = true;
    if (isShown.value) stop();
  });
  return readonly(isShown);
}
