/** The actions that were sent from a node's page, newest first; kept while the tab is open, also over a reload. */
import { useSessionStorage } from '@vueuse/core';
import type { Ref } from 'vue';

const most = 10;

function read(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
  } catch {
    // Somebody else's entry: as if there was none.
    return [];
  }
}

export function useSentActions(node: string): {
  readonly ids: Ref<string[]>;
  readonly add: (id: string) => void;
  readonly forget: (id: string) => void;
} {
  const ids = useSessionStorage<string[]>(`lab-manager.sent.${node}`, [], {
    serializer: { read, write: JSON.stringify },
  });
  return {
    ids,
    add: (id) => (ids.value = [id, ...ids.value.filter((each) => each !== id)].slice(0, most)),
    forget: (id) => (ids.value = ids.value.filter((each) => each !== id)),
  };
}
