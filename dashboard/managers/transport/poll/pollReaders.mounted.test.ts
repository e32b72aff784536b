/** Subscribers of one query share its requests, failures and waits. */
import { QueryClient, VueQueryPlugin } from '@tanstack/vue-query';
import { createApp, effectScope, ref, type EffectScope, type Ref } from 'vue';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManagerError } from '#api/client/managerError.ts';
import type { LiveQuery } from '#dashboard/components/feedback/liveQuery.ts';
import { queryOptions, usePoll, type Poll } from './poll.ts';
import { managerQueryKey, invalidateManagerQueries } from './queryKey.ts';

const address = 'http://lab:8005/';
const createFailure = () =>
  new ManagerError({
    kind: 'http',
    status: 503,
    manager: 'workcell',
    endpoint: 'getState',
    purpose: 'read the state',
    address,
    reason: 'starting',
  });

let client: QueryClient;
const scopes: EffectScope[] = [];
const read = vi.fn<(signal: AbortSignal) => Promise<object>>();

/** A component with a poll; `leave` unmounts it. */
function mountReader(poll: Partial<Poll<object>> = {}): { live: LiveQuery<object>; leave: () => void } {
  const app = createApp({}).use(VueQueryPlugin, { queryClient: client });
  const scope = effectScope();
  scopes.push(scope);
  const key = managerQueryKey('workcell', address, 'getState', {});
  const live = app.runWithContext(() =>
    scope.run(() => usePoll<object>({ source: 'Workcell Manager', key, interval: 3000, read, ...poll })),
  );
  if (live === undefined) throw new Error('The scope was stopped');
  return { live, leave: () => scope.stop() };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  // The middle of the jitter: waits are neither shortened nor lengthened.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  client = new QueryClient({ defaultOptions: { queries: queryOptions } });
  read.mockReset();
  read.mockImplementation(() => Promise.resolve({ nodes: 3 }));
});
afterEach(() => {
  for (const scope of scopes.splice(0)) scope.stop();
  client.clear();
  vi.useRealTimers();
});

describe('a slow reader of a shared query', () => {
  it('doesn’t slow down a fast reader, in any order', async () => {
    for (const intervals of [
      [60_000, 3000],
      [3000, 60_000],
    ]) {
      const readers = intervals.map((interval) => mountReader({ interval }));
      await pass(10);
      read.mockClear();
      await pass(12_100);
      expect(read).toHaveBeenCalledTimes(4);
      for (const { leave } of readers) leave();
      client.clear();
    }
  });

  it('doesn’t extend the fast reader’s wait after a failure', async () => {
    const fastReader = mountReader();
    mountReader({ interval: 60_000 });
    await pass(10);
    read.mockImplementation(() => Promise.reject(createFailure()));
    await pass(3100);
    expect(fastReader.live.failure.value).toBe('HTTP 503, starting');
    read.mockImplementation(() => Promise.resolve({ nodes: 4 }));
    await pass(3100);
    expect(fastReader.live.data.value).toEqual({ nodes: 4 });
  });
});

describe('a single reader', () => {
  it('reads once without an interval', async () => {
    mountReader({ interval: 0 });
    await pass(60_000);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('reads again when the response announces new data', async () => {
    mountReader({ nextPollIn: () => 700 });
    await pass(10);
    await pass(680);
    expect(read).toHaveBeenCalledTimes(1);
    await pass(20);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('keeps its data while the manager fails, reports the failure and waits longer each time', async () => {
    const { live } = mountReader();
    await pass(10);
    read.mockImplementation(() => Promise.reject(createFailure()));
    const startedAt = Date.now();
    await pass(3000);
    expect(live.data.value).toEqual({ nodes: 3 });
    expect(live.failure.value).toBe('HTTP 503, starting');
    expect(live.errorStatus.value).toBe(503);
    expect(live.stale.value).toBe(true);
    const readCount = read.mock.calls.length;
    // 3 s (never shorter than the interval), 4 s, 8 s, 16 s.
    await pass(3000 + 4000 + 8000 + 20);
    expect(read.mock.calls.length - readCount).toBe(3);
    expect(live.failingSince.value).toBeLessThan(startedAt + 3010);
    expect((live.nextRetryAt.value ?? 0) - Date.now()).toBeGreaterThan(15_000);
    read.mockImplementation(() => Promise.resolve({ nodes: 4 }));
    await pass(16_100);
    expect(live.failure.value).toBeNull();
    expect(live.data.value).toEqual({ nodes: 4 });
    expect(live.stale.value).toBe(false);
  });

  it('does not carry a failure over to another address', async () => {
    read.mockImplementation(() => Promise.reject(createFailure()));
    const currentAddress: Ref<string> = ref(address);
    const { live } = mountReader({ key: () => managerQueryKey('workcell', currentAddress.value, 'getState', {}) });
    await pass(10);
    expect(live.failure.value).toBe('HTTP 503, starting');
    read.mockImplementation(() => Promise.resolve({ nodes: 1 }));
    currentAddress.value = 'http://other:8005/';
    await pass(10);
    expect(live.failure.value).toBeNull();
    expect(live.data.value).toEqual({ nodes: 1 });
    expect(live.address.value).toBe('http://other:8005/');
  });
});

describe('two readers of one query', () => {
  it('share one request, one failure and one wait', async () => {
    read.mockImplementation(() => Promise.reject(createFailure()));
    const first = mountReader();
    await pass(10);
    const second = mountReader();
    expect(read).toHaveBeenCalledTimes(1);
    await pass(2900);
    expect(read).toHaveBeenCalledTimes(1);
    for (const { live } of [first, second]) {
      expect(live.stale.value).toBe(true);
      expect(live.failure.value).toBe('HTTP 503, starting');
    }
    expect(second.live.nextRetryAt.value).toBe(first.live.nextRetryAt.value);
    expect(second.live.failingSince.value).toBe(first.live.failingSince.value);
    await pass(150);
    expect(read).toHaveBeenCalledTimes(2);
    expect(second.live.nextRetryAt.value).toBe(first.live.nextRetryAt.value);
    await pass(4000);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('read again for a new reader, unless the data is younger than the minimum age', async () => {
    mountReader();
    await pass(1000);
    mountReader({ minAgeMs: 2000 });
    await pass(0);
    expect(read).toHaveBeenCalledTimes(1);
    mountReader();
    await pass(0);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('continue with one reader when the other leaves', async () => {
    read.mockImplementation(() => Promise.reject(createFailure()));
    const first = mountReader();
    await pass(10);
    const second = mountReader();
    first.leave();
    await pass(3000);
    expect(read).toHaveBeenCalledTimes(2);
    read.mockImplementation(() => Promise.resolve({ nodes: 2 }));
    await pass(4100);
    expect(second.live.failure.value).toBeNull();
    expect(second.live.data.value).toEqual({ nodes: 2 });
  });

  it('both receive the response when one presses “Retry now”', async () => {
    read.mockImplementation(() => Promise.reject(createFailure()));
    const first = mountReader();
    const second = mountReader();
    await pass(10);
    read.mockImplementation(() => Promise.resolve({ nodes: 2 }));
    second.live.retry();
    await pass(10);
    expect(first.live.failure.value).toBeNull();
    expect(first.live.data.value).toEqual({ nodes: 2 });
  });
});

it('invalidateManagerQueries reads exactly the queries again whose keys begin with the given parts', async () => {
  const others = vi.fn(() => Promise.resolve({}));
  mountReader();
  mountReader({
    key: managerQueryKey('event', 'http://lab:8001/', 'getEvents', { number: 5 }),
    read: others,
    interval: 60_000,
  });
  await pass(10);
  void invalidateManagerQueries(client, ['manager', 'workcell']);
  await pass(10);
  expect(read).toHaveBeenCalledTimes(2);
  expect(others).toHaveBeenCalledTimes(1);
  void invalidateManagerQueries(client, ['manager', 'workcell', address, 'getNodes']);
  await pass(10);
  expect(read).toHaveBeenCalledTimes(2);
});
