/** Whether the page is dark just now. */
import { useMutationObserver } from '@vueuse/core';
import { ref, type Ref } from 'vue';

const isDark = (): boolean => document.documentElement.dataset['theme'] === 'dark';

export function useDark(): Readonly<Ref<boolean>> {
  const dark = ref(isDark());
  useMutationObserver(document.documentElement, () => (dark.value = isDark()), { attributeFilter: ['data-theme'] });
  return dark;
}
