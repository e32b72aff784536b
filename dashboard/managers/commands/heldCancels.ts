/** Cancels of workflows that this page holds until their node is free, and sends then. They are lost with the page. */
import { defineStore } from 'pinia';
import { ref } from 'vue';
import type { Hit } from '../guards/decision.ts';

export interface HeldCancel {
  /** Of the workflow. */
  readonly id: string;
  readonly name: string;
  /** Whom it waits for. */
  readonly node: string;
  /** What was agreed to. */
  readonly hits: readonly Hit[];
}

export const useHeldCancels = defineStore('heldCancels', () => {
  const list = ref<readonly HeldCancel[]>([]);

  function hold(cancel: HeldCancel): void {
    list.value = [...list.value.filter(({ id }) => id !== cancel.id), cancel];
  }
  function drop(id: string): void {
    list.value = list.value.filter((held) => held.id !== id);
  }
  function of(id: string): HeldCancel | null {
    return list.value.find((held) => held.id === id) ?? null;
  }
  return { list, hold, drop, of };
});
