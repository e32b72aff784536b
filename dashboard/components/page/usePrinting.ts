/** Whether the page is being printed, for what only the screen shortens: rows outside the window, two-line rows, values. */
import { useEventListener } from '@vueuse/core';
import { readonly, ref, type Ref } from 'vue';

export function usePrinting(): Readonly<Ref<boolean>> {
  const isPrinting = ref(false);
  useEventListener(globalThis, ['beforeprint', 'afterprint'], ({ type }: Event) => {
    isPrinting.value = type === 'beforeprint';
  });
  return readonly(isPrinting);
}
