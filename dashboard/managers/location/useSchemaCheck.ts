/** What is wrong with a representation as it is typed, by its template. */
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue';
import type { SchemaVerdict } from './schemaCheck.ts';
import type { SchemaAnswer, SchemaQuestion } from './schemaMessages.ts';

export interface SchemaCheck {
  /** Of what was typed last; `null` where nothing is to be checked, and until it was. */
  readonly verdict: ComputedRef<SchemaVerdict | null>;
  /** Whether that is still being found out. */
  readonly checking: ComputedRef<boolean>;
}

/** @param asked `null` where there is nothing to check */
export function useSchemaCheck(asked: () => Omit<SchemaQuestion, 'id'> | null): SchemaCheck {
  let worker: Worker | null = null;
  let last = 0;
  const state = shallowRef<{ readonly verdict: SchemaVerdict | null; readonly checking: boolean }>({
    verdict: null,
    checking: false,
  });
  function start(): Worker {
    const started = new Worker(new URL('./schemaWorker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<SchemaAnswer>) => {
      // Another question took its place.
      if (data.id === last) state.value = { verdict: data.verdict, checking: false };
    });
    started.addEventListener('error', ({ message }) => {
      state.value = { verdict: { problems: [], missing: [], unreadable: message }, checking: false };
    });
    return started;
  }
  onScopeDispose(() => worker?.terminate());
  watch(
    asked,
    (question) => {
      last += 1;
      state.value = { verdict: null, checking: question !== null };
      if (question === null) return;
      worker ??= start();
      // A plain copy: what is reactive can't be sent.
      worker.postMessage(JSON.parse(JSON.stringify({ id: last, ...question })) as SchemaQuestion);
    },
    { immediate: true },
  );
  return { verdict: computed(() => state.value.verdict), checking: computed(() => state.value.checking) };
}
