import { afterEach, describe, expect, it, vi } from 'vitest';
import { ManagerError } from '#api/client/managerError.ts';
import { runBatch, type BatchResult } from './useBatch.ts';
import { batchTexts as texts } from './texts.ts';

afterEach(() => void vi.useRealTimers());

const facts = {
  manager: 'resource',
  endpoint: 'addResource',
  purpose: 'add the resource',
  address: 'http://lab/',
} as const;
const rateLimitError = (reason: string) => new ManagerError({ ...facts, kind: 'http', status: 429, reason });

async function runAndCollect(
  items: readonly number[],
  run: (item: number) => Promise<string>,
  { concurrency = 1, signal = new AbortController().signal } = {},
) {
  const resultsByItem = new Map<number, BatchResult>();
  await runBatch({ items, run, concurrency, onResult: (item, result) => resultsByItem.set(item, result) }, signal);
  return resultsByItem;
}

describe('a batch of operations', () => {
  it('keeps its order and continues after a failure', async () => {
    const order: number[] = [];
    const resultsByItem = await runAndCollect([1, 2, 3], async (item) => {
      order.push(item);
      if (item === 2) throw new Error('It is full.');
      return `did ${item}`;
    });
    expect(order).toEqual([1, 2, 3]);
    expect(resultsByItem.get(2)).toEqual({ state: 'failed', text: 'It is full.' });
    expect(resultsByItem.get(3)).toEqual({ state: 'done', text: 'did 3' });
  });

  it('runs as many operations at a time as allowed', async () => {
    let [running, maxRunning] = [0, 0];
    await runAndCollect(
      [1, 2, 3, 4, 5, 6, 7],
      async () => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await Promise.resolve();
        running -= 1;
        return '';
      },
      { concurrency: 3 },
    );
    expect(maxRunning).toBe(3);
  });

  it('waits for sent operations when it is stopped and sends no more', async () => {
    const stop = new AbortController();
    const resultsByItem = await runAndCollect(
      [1, 2, 3],
      async (item) => {
        if (item === 2) stop.abort();
        return 'sent';
      },
      { signal: stop.signal },
    );
    expect([...resultsByItem.values()].map(({ state }) => state)).toEqual(['done', 'done', 'notSent']);
    expect(resultsByItem.get(3)?.text).toBe(texts.notSent);
  });

  it.each([
    ['Rate limit exceeded: 50 requests per 1 seconds (burst limit)', 1000],
    ['Rate limit exceeded: 300 requests per 60 seconds', 10_000],
  ])('waits when the manager limits requests and repeats rejected requests: %s', async (reason, ms) => {
    vi.useFakeTimers();
    let rejections = 2;
    const send = vi.fn(async () => {
      rejections -= 1;
      if (rejections >= 0) throw rateLimitError(reason);
      return 'sent';
    });
    const resultsByItem = runAndCollect([1], send);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(send).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1 + ms);
    expect(send).toHaveBeenCalledTimes(3);
    expect((await resultsByItem).get(1)).toEqual({ state: 'done', text: 'sent' });
  });

  it('sends nothing more when it is stopped while it waits', async () => {
    const stop = new AbortController();
    const resultsByItem = runAndCollect(
      [1, 2],
      async () => {
        setTimeout(() => stop.abort());
        throw rateLimitError('Rate limit exceeded');
      },
      { signal: stop.signal },
    );
    expect([...(await resultsByItem).values()].map(({ state }) => state)).toEqual(['notSent', 'notSent']);
  });

  it('reports the result of an operation without a readable response as unclear', async () => {
    const resultsByItem = await runAndCollect([1], async () => {
      throw new ManagerError({ ...facts, kind: 'timeout', reason: 'no answer' });
    });
    expect(resultsByItem.get(1)?.state).toBe('unclear');
  });
});
