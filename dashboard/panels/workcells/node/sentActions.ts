/** Actions sent from a node's page, newest first; stored for the tab session, so a reload keeps them. */
import { useSessionStorage } from '@vueuse/core';
import type { Ref } from 'vue';
import { isObject } from '#api/client/wire.ts';

const maxActions = 10;

export interface SubmittedAction {
  /** The ID of its workflow. */
  readonly id: string;
  /** The action's name, as declared by the node. */
  readonly action: string;
}

function isSubmittedAction(value: unknown): value is SubmittedAction {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['action'] === 'string';
}

function readActions(text: string): SubmittedAction[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isSubmittedAction) : [];
  } catch {
    // Invalid entries are ignored.
    return [];
  }
}

export function useSentActions(node: string): {
  readonly list: Ref<SubmittedAction[]>;
  readonly add: (action: SubmittedAction) => void;
  readonly forget: (id: string) => void;
} {
  const list = useSessionStorage<SubmittedAction[]>(`lab-manager.sent-actions.${node}`, [], {
    serializer: { read: readActions, write: JSON.stringify },
  });
  return {
    list,
    add: (action) => (list.value = [action, ...list.value.filter(({ id }) => id !== action.id)].slice(0, maxActions)),
    forget: (id) => (list.value = list.value.filter((action) => action.id !== id)),
  };
}
