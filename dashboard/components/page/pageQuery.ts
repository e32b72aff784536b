/** What a page shows, as its address has it: a search, a view, what is open beside. */
import { computed, type ComputedRef } from 'vue';
import { useRoute, useRouter, type LocationQueryRaw } from 'vue-router';

/** The function that changes a part of it, without another entry in the history; `undefined` takes a part away. */
export function useChangeQuery(): (part: LocationQueryRaw) => void {
  const route = useRoute();
  const router = useRouter();
  return (part) => {
    const query = Object.entries({ ...route.query, ...part }).filter(([, value]) => value !== undefined);
    void router.replace({ query: Object.fromEntries(query) });
  };
}

/** Whether the page is shown on a wall screen, where nothing is pressed or changed. */
export function useKiosk(): ComputedRef<boolean> {
  const route = useRoute();
  return computed(() => 'kiosk' in route.query);
}

/** What the page compares: the IDs in its address, in their order. */
export function useComparedIds(): ComputedRef<readonly string[]> {
  const route = useRoute();
  return computed(() =>
    String(route.query['ids'] ?? '')
      .split(',')
      .filter(Boolean),
  );
}
