import { describe, expect, it } from 'vitest';
import { ManagerError } from '../../../../api/client/managerError.ts';
import { runBatch, type BatchResult } from './runBatch.ts';
import { batchTexts as texts } from './texts.ts';

async function results(
  items: readonly number[],
  run: (item: number, signal: AbortSignal) => Promise<string>,
  { atOnce = 1, signal = new AbortController().signal } = {},
) {
  const found = new Map<number, BatchResult>();
  await runBatch({ items, run, atOnce, onResult: (item, result) => found.set(item, result) }, signal);
  return found;
}

describe('many operations', () => {
  it('one by one keep their order, and one that fails stops none', async () => {
    const order: number[] = [];
    const found = await results([1, 2, 3], async (item) => {
      order.push(item);
      if (item === 2) throw new Error('It is full.');
      return `did ${item}`;
    });
    expect(order).toEqual([1, 2, 3]);
    expect(found.get(2)).toEqual({ state: 'failed', words: 'It is full.' });
    expect(found.get(3)).toEqual({ state: 'done', words: 'did 3' });
  });

  it('run as many at a time as they may, and no more', async () => {
    let [now, most] = [0, 0];
    await results(
      [1, 2, 3, 4, 5, 6, 7],
      async () => {
        now += 1;
        most = Math.max(most, now);
        await Promise.resolve();
        now -= 1;
        return '';
      },
      { atOnce: 3 },
    );
    expect(most).toBe(3);
  });

  it('that are stopped wait for what was sent, and send no more', async () => {
    const stop = new AbortController();
    const found = await results(
      [1, 2, 3],
      async (item) => {
        if (item === 2) stop.abort();
        return 'sent';
      },
      { signal: stop.signal },
    );
    expect([...found.values()].map(({ state }) => state)).toEqual(['done', 'done', 'queued']);
    expect(found.get(3)?.words).toBe(texts.notSent);
  });

  it('are not clear where no answer could be read', async () => {
    const found = await results([1], async () => {
      const facts = {
        manager: 'resource',
        endpoint: 'addResource',
        does: 'add the resource',
        address: 'http://lab/',
      } as const;
      throw new ManagerError({ ...facts, kind: 'timeout', reason: 'no answer' });
    });
    expect(found.get(1)?.state).toBe('unclear');
  });
});
