/** Tests polls as components use them, with a fake clock. */
import { defineComponent, h, ref, type Ref } from 'vue';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManagerError } from '#api/client/managerError.ts';
import type { LiveQuery } from '#dashboard/components/feedback/liveQuery.ts';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { usePoll } from './poll.ts';
import { managerQueryKey } from './queryKey.ts';

interface Body {
  readonly requestNumber: number;
}
const interval = 3000;

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 15, 12, 0, 0) }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function unreachable(): ManagerError {
  return new ManagerError({
    kind: 'unreachable',
    manager: 'workcell',
    endpoint: 'getState',
    purpose: 'read the state of the workcell',
    address: 'http://lab:8005/',
    reason: 'no connection',
  });
}

/** Mounts `count` components, each with a poll of the same query. */
async function mountReaders(
  count: number,
  read: (requestNumber: number) => Body | Promise<Body>,
  address: Ref<string | null> = ref('http://lab:8005/'),
) {
  let requestCount = 0;
  const queries: LiveQuery<Body>[] = [];
  const signals: AbortSignal[] = [];
  const Reader = defineComponent({
    setup() {
      const query = usePoll<Body>({
        source: 'Workcell Manager',
        key: () => managerQueryKey('workcell', address.value, 'getState'),
        interval,
        read: async (signal) => {
          signals.push(signal);
          requestCount += 1;
          return read(requestCount);
        },
      });
      queries.push(query);
      return () => h('p', `request ${query.data.value?.requestNumber ?? 'none'}`);
    },
  });
  const readerCount = ref(count);
  const { page, unmount } = mountComponent({
    render: () => Array.from({ length: readerCount.value }, () => h(Reader)),
  });
  await pass(50);
  const texts = () => page.queryAllByText(/^request/).map((element) => element.textContent);
  return { requestCount: () => requestCount, query: queries[0]!, queries, shown: readerCount, signals, texts, unmount };
}

const succeed = (requestNumber: number): Body => ({ requestNumber });
const fail = (): Body => {
  throw unreachable();
};

describe('a polled query', () => {
  it('is requested once for all components that use it', async () => {
    const { requestCount, texts } = await mountReaders(2, succeed);
    expect(requestCount()).toBe(1);
    expect(texts()).toEqual(['request 1', 'request 1']);
    await pass(interval * 10);
    expect(requestCount()).toBeGreaterThanOrEqual(10);
    expect(requestCount()).toBeLessThanOrEqual(12);
    expect(new Set(texts()).size).toBe(1);
  });

  it('is requested at its interval while it is used, and not after the last component is unmounted', async () => {
    const { requestCount, shown } = await mountReaders(2, succeed);
    shown.value = 1;
    await pass(interval * 3);
    const countBefore = requestCount();
    expect(countBefore).toBeGreaterThanOrEqual(3);
    shown.value = 0;
    await pass(100);
    await pass(interval * 10);
    expect(requestCount()).toBe(countBefore);
  });

  it('waits for an unknown address and starts with it', async () => {
    const address = ref<string | null>(null);
    const { requestCount, query } = await mountReaders(1, succeed, address);
    await pass(interval * 4);
    expect(requestCount()).toBe(0);
    expect(query.stale.value).toBe(false);
    address.value = 'http://lab:8005/';
    await pass(100);
    expect(requestCount()).toBe(1);
    expect(query.data.value).toEqual({ requestNumber: 1 });
  });

  it('keeps the last response after a failure, reports since when it fails and polls at growing intervals', async () => {
    let broken = false;
    const { requestCount, query, texts } = await mountReaders(1, (requestNumber) =>
      broken ? fail() : succeed(requestNumber),
    );
    broken = true;
    await pass(interval + 100);
    expect(texts()).toEqual(['request 1']);
    expect(query.failure.value).toBe('no connection');
    expect(query.stale.value).toBe(true);
    const since = query.failingSince.value;
    expect(since).toBeGreaterThan(0);
    const countBefore = requestCount();
    await pass(120_000);
    // The interval has grown from 3 s to 30 s.
    expect(requestCount() - countBefore).toBeGreaterThanOrEqual(4);
    expect(requestCount() - countBefore).toBeLessThanOrEqual(9);
    expect(query.failingSince.value).toBe(since);
    expect(query.nextRetryAt.value).toBeGreaterThan(Date.now());
  });

  it('recovers by itself and returns to its interval', async () => {
    let broken = true;
    const { requestCount, query, texts } = await mountReaders(1, (requestNumber) =>
      broken ? fail() : succeed(requestNumber),
    );
    await pass(60_000);
    expect(texts()).toEqual(['request none']);
    broken = false;
    await pass(40_000);
    expect(query.failure.value).toBeNull();
    expect(query.stale.value).toBe(false);
    const countBefore = requestCount();
    await pass(interval * 5);
    expect(requestCount() - countBefore).toBeGreaterThanOrEqual(4);
  });

  it('is requested at once on retry', async () => {
    let broken = true;
    const { requestCount, query } = await mountReaders(1, (requestNumber) =>
      broken ? fail() : succeed(requestNumber),
    );
    broken = false;
    const countBefore = requestCount();
    query.retry();
    await pass(50);
    expect(requestCount()).toBe(countBefore + 1);
    expect(query.failure.value).toBeNull();
  });

  it('is refreshed with the response to a new request, not with an earlier one', async () => {
    const { query } = await mountReaders(1, succeed);
    const refreshed = query.refresh();
    await pass(50);
    expect(await refreshed).toEqual({ requestNumber: 2 });
  });

  it('is refreshed with a later response if its request is superseded, even several times', async () => {
    const slow = (requestNumber: number) =>
      new Promise<Body>((resolve) => setTimeout(() => resolve({ requestNumber }), 100));
    const { query } = await mountReaders(1, slow);
    await pass(100);
    const responses = [];
    for (let count = 0; count < 4; count++) {
      responses.push(query.refresh());
      await pass(10);
    }
    await pass(200);
    // Each superseded refresh resolves with the response of the last request.
    expect(await Promise.all(responses)).toEqual([
      { requestNumber: 5 },
      { requestNumber: 5 },
      { requestNumber: 5 },
      { requestNumber: 5 },
    ]);
  });
});
