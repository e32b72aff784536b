/** What is wrong with a representation as it is typed, by its template. */
import { useTimeoutFn } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue';
import type { SchemaAnswer, SchemaQuestion, SchemaVerdict } from './schemaCheck.ts';
import { locationTexts } from './texts.ts';

/** How long a check may take, in ms; usual ones take a few. */
const timeoutMs = 5_000;

interface SchemaCheck {
  /** Of what was typed last; `null` where nothing is to be checked, and until it was. */
  readonly verdict: ComputedRef<SchemaVerdict | null>;
  /** Whether that is still being found out. */
  readonly checking: ComputedRef<boolean>;
}

/** @param requests `null` where there is nothing to check */
export function useSchemaCheck(requests: () => Omit<SchemaQuestion, 'id'> | null): SchemaCheck {
  let worker: Worker | null = null;
  function stop(): void {
    worker?.terminate();
    worker = null;
  }
  /** A worker that failed or hangs answers nothing more: the next question starts another. */
  function fail(reason: string): void {
    stop();
    state.value = { verdict: { problems: [], missing: [], unreadable: reason }, checking: false };
  }
  // A pattern of the schema may take for ever on some texts.
  const timeout = useTimeoutFn(() => fail(locationTexts.checkTooLong), timeoutMs, { immediate: false });
  let last = 0;
  const state = shallowRef<{ readonly verdict: SchemaVerdict | null; readonly checking: boolean }>({
    verdict: null,
    checking: false,
  });
  function start(): Worker {
    const started = new Worker(new URL('./schemaWorker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<SchemaAnswer>) => {
      // Another question took its place.
      if (data.id !== last) return;
      timeout.stop();
      state.value = { verdict: data.verdict, checking: false };
    });
    started.addEventListener('error', ({ message }) => {
      timeout.stop();
      fail(message);
    });
    return started;
  }
  onScopeDispose(stop);
  watch(
    requests,
    (question) => {
      last += 1;
      state.value = { verdict: null, checking: question !== null };
      timeout.stop();
      if (question === null) return;
      worker ??= start();
      // A plain copy: what is reactive can't be sent.
      worker.postMessage(JSON.parse(JSON.stringify({ id: last, ...question })) as SchemaQuestion);
      timeout.start();
    },
    { immediate: true },
  );
  return { verdict: computed(() => state.value.verdict), checking: computed(() => state.value.checking) };
}
