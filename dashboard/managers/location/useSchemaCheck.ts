/** Validates a representation against its template while it is typed. */
import { useTimeoutFn } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef, watch } from 'vue';
import type { SchemaCheckResponse, SchemaCheckRequest, SchemaCheckResult } from './schemaCheck.ts';
import { withRoundedNumbers } from '#api/exactJson.ts';

/** The timeout of a validation, in ms; a usual one needs only a few. */
const timeoutMs = 5_000;

/**
 * Returns the result for the latest input, `null` if there is nothing to validate or until it is known, and whether a
 * validation is pending.
 * @param getRequest returns `null` if there is nothing to validate
 */
export function useSchemaCheck(getRequest: () => Omit<SchemaCheckRequest, 'id'> | null) {
  let worker: Worker | null = null;
  function stop(): void {
    worker?.terminate();
    worker = null;
  }
  /** Stops a worker that failed or hangs; the next request starts another. */
  function fail(reason: string): void {
    stop();
    state.value = { result: { problems: [], missing: [], unreadable: reason }, checking: false };
  }
  // A pattern of the schema may never terminate on some texts.
  const timeout = useTimeoutFn(() => fail('the check took too long and was stopped'), timeoutMs, { immediate: false });
  let lastId = 0;
  const state = shallowRef<{ readonly result: SchemaCheckResult | null; readonly checking: boolean }>({
    result: null,
    checking: false,
  });
  function start(): Worker {
    const newWorker = new Worker(new URL('./schemaWorker.ts', import.meta.url), { type: 'module' });
    newWorker.addEventListener('message', ({ data }: MessageEvent<SchemaCheckResponse>) => {
      // A newer request has replaced this one.
      if (data.id !== lastId) return;
      timeout.stop();
      state.value = { result: data.result, checking: false };
    });
    newWorker.addEventListener('error', ({ message }) => {
      timeout.stop();
      fail(message);
    });
    return newWorker;
  }
  onScopeDispose(stop);
  watch(
    getRequest,
    (request) => {
      lastId += 1;
      state.value = { result: null, checking: request !== null };
      timeout.stop();
      if (request === null) return;
      worker ??= start();
      // A plain copy with numbers for the validator, because reactive objects can't be sent.
      worker.postMessage(withRoundedNumbers({ id: lastId, ...request }) as SchemaCheckRequest);
      timeout.start();
    },
    { immediate: true },
  );
  return { result: computed(() => state.value.result), isChecking: computed(() => state.value.checking) };
}
