/**
 * Handles a command in the query string (`?command=reset`), as the palette uses it. It is removed at once, so that a
 * reload or Back doesn't repeat it. The page must always require a confirmation, because a link is not consent.
 */
import { computed, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Calls `onCommand` with the command once `isReady` returns true, except on a wall screen. */
export function useCommandFromUrl(isReady: () => boolean, onCommand: (command: string) => void): void {
  const route = useRoute();
  const router = useRouter();
  const command = computed(() => (typeof route.query['command'] === 'string' ? route.query['command'] : null));
  watch(
    () => (command.value !== null && isReady() ? command.value : null),
    async (requestedCommand) => {
      if (requestedCommand === null) return;
      const { command: _command, ...rest } = route.query;
      await router.replace({ query: rest, hash: route.hash });
      if (!('kiosk' in rest)) onCommand(requestedCommand);
    },
    { immediate: true },
  );
}
