/** Deferred cancels: this page sends them once their node is free. They are lost when the page is closed. */
import { ref } from 'vue';
import { definePageState } from '../../base/pageState.ts';
import type { Impact } from '../guards/decision.ts';

export interface DeferredCancel {
  /** The ID of the workflow. */
  readonly id: string;
  readonly name: string;
  /** The node whose current step finishes first. */
  readonly node: string;
  /** The confirmed impacts. */
  readonly impacts: readonly Impact[];
}

export const useDeferredCancels = definePageState(() => {
  const list = ref<readonly DeferredCancel[]>([]);

  function defer(cancel: DeferredCancel): void {
    list.value = [...list.value.filter(({ id }) => id !== cancel.id), cancel];
  }
  function remove(id: string): void {
    list.value = list.value.filter((deferred) => deferred.id !== id);
  }
  function find(id: string): DeferredCancel | null {
    return list.value.find((deferred) => deferred.id === id) ?? null;
  }
  return { list, defer, remove, find };
});
