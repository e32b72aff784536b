/** The width of an element, already in the first painted frame. */
import { useResizeObserver } from '@vueuse/core';
import { readonly, ref, watch, type Ref } from 'vue';

/**
 * `useElementSize` of VueUse returns its initial size again when the element appears, and the size only in the next frame:
 * what depends on it moves.
 * @param initial width while the element is not laid out; @returns the content width in CSS pixels
 */
export function useElementWidth(element: Ref<HTMLElement | undefined>, initial = 0): Readonly<Ref<number>> {
  const width = ref(initial);
  watch(
    element,
    (next) => {
      if (next === undefined || next.clientWidth === 0) return;
      const { paddingLeft, paddingRight } = getComputedStyle(next);
      width.value = next.clientWidth - (Number.parseFloat(paddingLeft) || 0) - (Number.parseFloat(paddingRight) || 0);
    },
    { flush: 'post' },
  );
  useResizeObserver(element, ([entry]) => {
    if (entry !== undefined) width.value = entry.contentRect.width;
  });
  return readonly(width);
}
