/** When the figures in the rail may be read: once the page itself is there, and somebody sees it. */
import { useDocumentVisibility, useTimeout } from '@vueuse/core';
import { readonly, ref, watchEffect, type Ref } from 'vue';

/** After the page was opened, in ms. */
const after = 6000;

export function useWantedLater(): Readonly<Ref<boolean>> {
  const due = useTimeout(after);
  const visibility = useDocumentVisibility();
  const isWanted = ref(false);
  watchEffect(() => (isWanted.value ||= due.value && visibility.value === 'visible'));
  return readonly(isWanted);
}
