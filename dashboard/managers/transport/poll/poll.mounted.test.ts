/** Polls as the components use them, with a fake clock. */
import { defineComponent, h, ref, type Ref } from 'vue';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManagerError } from '../../../../api/client/managerError.ts';
import type { LiveQuery } from '../../../components/feedback/live.ts';
import { mountComponent } from '../../../fixtures/mounted.ts';
import { usePoll } from './poll.ts';
import { managerQueryKey } from './queryKey.ts';

interface Body {
  readonly turn: number;
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
async function readers(
  count: number,
  read: (turn: number) => Body | Promise<Body>,
  address: Ref<string | null> = ref('http://lab:8005/'),
) {
  let requestCount = 0;
  const lives: LiveQuery<Body>[] = [];
  const signals: AbortSignal[] = [];
  const Reader = defineComponent({
    setup() {
      const live = usePoll<Body>({
        source: 'Workcell Manager',
        key: () => managerQueryKey('workcell', address.value, 'getState'),
        interval,
        read: async (signal) => {
          signals.push(signal);
          requestCount += 1;
          return read(requestCount);
        },
      });
      lives.push(live);
      return () => h('p', `turn ${live.data.value?.turn ?? 'none'}`);
    },
  });
  const shown = ref(count);
  const { page, unmount } = mountComponent({ render: () => Array.from({ length: shown.value }, () => h(Reader)) });
  await pass(50);
  const texts = () => page.queryAllByText(/^turn/).map((element) => element.textContent);
  return { requestCount: () => requestCount, live: lives[0]!, lives, shown, signals, texts, unmount };
}

const good = (turn: number): Body => ({ turn });
const bad = (): Body => {
  throw unreachable();
};

describe('a polled query', () => {
  it('is requested once for all components that use it', async () => {
    const { requestCount, texts } = await readers(2, good);
    expect(requestCount()).toBe(1);
    expect(texts()).toEqual(['turn 1', 'turn 1']);
    await pass(interval * 10);
    expect(requestCount()).toBeGreaterThanOrEqual(10);
    expect(requestCount()).toBeLessThanOrEqual(12);
    expect(new Set(texts()).size).toBe(1);
  });

  it('is requested at its interval while it is used, and not after the last component is unmounted', async () => {
    const { requestCount, shown } = await readers(2, good);
    shown.value = 1;
    await pass(interval * 3);
    const before = requestCount();
    expect(before).toBeGreaterThanOrEqual(3);
    shown.value = 0;
    await pass(100);
    await pass(interval * 10);
    expect(requestCount()).toBe(before);
  });

  it('waits for an unknown address and starts with it', async () => {
    const address = ref<string | null>(null);
    const { requestCount, live } = await readers(1, good, address);
    await pass(interval * 4);
    expect(requestCount()).toBe(0);
    expect(live.stale.value).toBe(false);
    address.value = 'http://lab:8005/';
    await pass(100);
    expect(requestCount()).toBe(1);
    expect(live.data.value).toEqual({ turn: 1 });
  });

  it('keeps the last response after a failure, reports since when and polls at growing intervals', async () => {
    let broken = false;
    const { requestCount, live, texts } = await readers(1, (turn) => (broken ? bad() : good(turn)));
    broken = true;
    await pass(interval + 100);
    expect(texts()).toEqual(['turn 1']);
    expect(live.failure.value).toBe('no connection');
    expect(live.stale.value).toBe(true);
    const since = live.failingSince.value;
    expect(since).toBeGreaterThan(0);
    const before = requestCount();
    await pass(120_000);
    // The interval has grown from 3 s to 30 s.
    expect(requestCount() - before).toBeGreaterThanOrEqual(4);
    expect(requestCount() - before).toBeLessThanOrEqual(9);
    expect(live.failingSince.value).toBe(since);
    expect(live.nextTry.value).toBeGreaterThan(Date.now());
  });

  it('recovers by itself and returns to its interval', async () => {
    let broken = true;
    const { requestCount, live, texts } = await readers(1, (turn) => (broken ? bad() : good(turn)));
    await pass(60_000);
    expect(texts()).toEqual(['turn none']);
    broken = false;
    await pass(40_000);
    expect(live.failure.value).toBeNull();
    expect(live.stale.value).toBe(false);
    const before = requestCount();
    await pass(interval * 5);
    expect(requestCount() - before).toBeGreaterThanOrEqual(4);
  });

  it('is requested at once on retry', async () => {
    let broken = true;
    const { requestCount, live } = await readers(1, (turn) => (broken ? bad() : good(turn)));
    broken = false;
    const before = requestCount();
    live.retry();
    await pass(50);
    expect(requestCount()).toBe(before + 1);
    expect(live.failure.value).toBeNull();
  });

  it('refresh returns the response to its own request, not an earlier one', async () => {
    const { live } = await readers(1, good);
    const refreshed = live.refresh();
    await pass(50);
    expect(await refreshed).toEqual({ turn: 2 });
  });

  it('refresh also returns it to requests that are superseded more than once', async () => {
    const slow = (turn: number) => new Promise<Body>((resolve) => setTimeout(() => resolve({ turn }), 100));
    const { live } = await readers(1, slow);
    await pass(100);
    const answers = [];
    for (let count = 0; count < 4; count++) {
      answers.push(live.refresh());
      await pass(10);
    }
    await pass(200);
    // Each response is newer than its request; which of the later ones it is doesn't matter.
    expect(await Promise.all(answers)).toEqual([{ turn: 5 }, { turn: 5 }, { turn: 5 }, { turn: 5 }]);
  });
});
