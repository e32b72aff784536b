/** Validates a representation against its template while it is typed. */
import { useTimeoutFn } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue';
import type { SchemaAnswer, SchemaQuestion, SchemaVerdict } from './schemaCheck.ts';
import { locationTexts } from './texts.ts';

/** The timeout of a validation, in ms; a usual one needs only a few. */
const timeoutMs = 5_000;

interface SchemaCheck {
  /** The verdict on the latest input; `null` if there is nothing to validate, or until it is known. */
  readonly verdict: ComputedRef<SchemaVerdict | null>;
  /** Whether a validation is pending. */
  readonly checking: ComputedRef<boolean>;
}

/** @param question returns `null` if there is nothing to validate */
export function useSchemaCheck(question: () => Omit<SchemaQuestion, 'id'> | null): SchemaCheck {
  let worker: Worker | null = null;
  function stop(): void {
    worker?.terminate();
    worker = null;
  }
  /** Stops a worker that failed or hangs; the next request starts another. */
  function fail(reason: string): void {
    stop();
    state.value = { verdict: { problems: [], missing: [], unreadable: reason }, checking: false };
  }
  // A pattern of the schema may never terminate on some texts.
  const timeout = useTimeoutFn(() => fail(locationTexts.checkTooLong), timeoutMs, { immediate: false });
  let last = 0;
  const state = shallowRef<{ readonly verdict: SchemaVerdict | null; readonly checking: boolean }>({
    verdict: null,
    checking: false,
  });
  function start(): Worker {
    const started = new Worker(new URL('./schemaWorker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<SchemaAnswer>) => {
      // A newer request has replaced this one.
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
    question,
    (latest) => {
      last += 1;
      state.value = { verdict: null, checking: latest !== null };
      timeout.stop();
      if (latest === null) return;
      worker ??= start();
      // A plain copy, because reactive objects can't be sent.
      worker.postMessage(JSON.parse(JSON.stringify({ id: last, ...latest })) as SchemaQuestion);
      timeout.start();
    },
    { immediate: true },
  );
  return { verdict: computed(() => state.value.verdict), checking: computed(() => state.value.checking) };
}
