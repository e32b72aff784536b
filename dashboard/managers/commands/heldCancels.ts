/** Cancels of workflows that this page holds until their node is free, and sends then. They are lost with the page. */
import { defineStore } from 'pinia';
import { ref } from 'vue';
import type { Impact } from '../guards/decision.ts';

export interface DeferredCancel {
  /** Of the workflow. */
  readonly id: string;
  readonly name: string;
  /** Whom it waits for. */
  readonly node: string;
  /** What was agreed to. */
  readonly impacts: readonly Impact[];
}

export const useDeferredCancels = defineStore('heldCancels', () => {
  const list = ref<readonly DeferredCancel[]>([]);

  function defer(cancel: DeferredCancel): void {
    list.value = [...list.value.filter(({ id }) => id !== cancel.id), cancel];
  }
  function drop(id: string): void {
    list.value = list.value.filter((deferred) => deferred.id !== id);
  }
  function of(id: string): DeferredCancel | null {
    return list.value.find((deferred) => deferred.id === id) ?? null;
  }
  return { list, defer, drop, of };
});
