/** The state of a page that its query string stores: search, view, open drawer. */
import { computed, type ComputedRef } from 'vue';
import { useRoute, useRouter, type LocationQueryRaw } from 'vue-router';

/** Returns a function that changes parameters without a new history entry; `undefined` removes a parameter. */
export function useQueryPatch(): (patch: LocationQueryRaw) => void {
  const route = useRoute();
  const router = useRouter();
  return (patch) => {
    const query = Object.entries({ ...route.query, ...patch }).filter(([, value]) => value !== undefined);
    void router.replace({ query: Object.fromEntries(query) });
  };
}

/** Returns whether the page is on a wall screen, without interaction. */
export function useKiosk(): ComputedRef<boolean> {
  const route = useRoute();
  return computed(() => 'kiosk' in route.query);
}

/** Returns the IDs in the parameter `ids` of the address, in their order. */
export function useComparedIds(): ComputedRef<readonly string[]> {
  const route = useRoute();
  return computed(() =>
    String(route.query['ids'] ?? '')
      .split(',')
      .filter(Boolean),
  );
}
