/** Tests the validation in a worker: late responses, and a worker that fails or hangs. */
import { nextTick, shallowRef } from 'vue';
import { afterEach, expect, it, vi } from 'vitest';
import { runInComponent } from '../../fixtures/mounted.ts';
import { FakeWorker } from '../../fixtures/fakeWorker.ts';
import type { SchemaCheckResponse, SchemaCheckRequest, SchemaCheckResult } from './schemaCheck.ts';
import { useSchemaCheck } from './useSchemaCheck.ts';

afterEach(() => void vi.useRealTimers());

const valid: SchemaCheckResult = { problems: [], missing: [], unreadable: null };
const invalid: SchemaCheckResult = { ...valid, missing: ['slot'] };

function mountSchemaCheck() {
  const workers = FakeWorker.stub<SchemaCheckRequest, SchemaCheckResponse>();
  const value = shallowRef<unknown>(1);
  const { result: check, unmount } = runInComponent(() =>
    useSchemaCheck(() =>
      value.value === null ? null : { template: { required_overrides: ['slot'] }, value: value.value },
    ),
  );
  const getRequestId = (worker: number, requestIndex: number) => workers[worker]?.requests[requestIndex]?.id ?? 0;
  const setValue = async (next: unknown) => {
    value.value = next;
    await nextTick();
  };
  return { workers, check, getRequestId, setValue, unmount };
}

it('useSchemaCheck uses only the result for the latest value', async () => {
  const { workers, check, getRequestId, setValue, unmount } = mountSchemaCheck();
  await setValue(2);
  workers[0]?.respond({ id: getRequestId(0, 0), result: invalid });
  expect([check.isChecking.value, check.result.value]).toEqual([true, null]);
  workers[0]?.respond({ id: getRequestId(0, 1), result: valid });
  expect([check.isChecking.value, check.result.value]).toEqual([false, valid]);
  await setValue(null);
  expect([check.isChecking.value, check.result.value]).toEqual([false, null]);
  unmount();
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true]);
});

it('useSchemaCheck starts another worker after one failed', async () => {
  const { workers, check, getRequestId, setValue } = mountSchemaCheck();
  workers[0]?.fail('not found');
  expect([check.isChecking.value, check.result.value?.unreadable]).toEqual([false, 'not found']);
  await setValue(2);
  expect([workers.length, workers[0]?.isTerminated, check.isChecking.value]).toEqual([2, true, true]);
  workers[1]?.respond({ id: getRequestId(1, 0), result: valid });
  expect(check.result.value).toEqual(valid);
});

it('useSchemaCheck aborts a check that takes too long, and only that one', async () => {
  vi.useFakeTimers();
  const { workers, check, getRequestId, setValue } = mountSchemaCheck();
  await setValue(2);
  workers[0]?.respond({ id: getRequestId(0, 1), result: invalid });
  vi.runAllTimers();
  expect(check.result.value).toEqual(invalid);
  await setValue(3);
  vi.runAllTimers();
  expect([workers[0]?.isTerminated, check.isChecking.value]).toEqual([true, false]);
  expect(check.result.value?.unreadable).toBe('the check took too long and was stopped');
});
