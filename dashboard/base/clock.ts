/** The page's clock, for ages. */
import { createSharedComposable, useNow } from '@vueuse/core';
import { computed } from 'vue';

/** Now, in ms since the epoch: one tick a second for all. */
export const useClock = createSharedComposable(() => {
  const now = useNow({ interval: 1000 });
  return computed(() => now.value.getTime());
});
