/**
 * A command that an address asks for (`?command=reset`), as the palette's do: taken out of the address at once, so that a
 * reload or Back doesn't ask again. The page must always ask before it does it: a link is no consent.
 */
import { computed, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Calls `ask` with the command once `ready` says that the page knows enough to decide. */
export function useCommandFromUrl(ready: () => boolean, request: (command: string) => void): void {
  const route = useRoute();
  const router = useRouter();
  const command = computed(() => (typeof route.query['command'] === 'string' ? route.query['command'] : null));
  watch(
    () => (command.value !== null && ready() ? command.value : null),
    async (requested) => {
      if (requested === null) return;
      const { command: _taken, ...rest } = route.query;
      await router.replace({ query: rest, hash: route.hash });
      if (!('kiosk' in rest)) request(requested);
    },
    { immediate: true },
  );
}
