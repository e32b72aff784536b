import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LabHealthBatcher } from './labHealthBatcher.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const forever = () => new AbortController().signal;

/** Creates a LabHealthBatcher whose batches take `ms` and return their number. */
function createNumberedBatcher(ms: number) {
  const signals: AbortSignal[] = [];
  const batcher = new LabHealthBatcher<number>(async (signal) => {
    const number = signals.push(signal);
    await new Promise((resolve) => setTimeout(resolve, ms));
    return number;
  });
  return { batcher, signals };
}

describe('a request for a batch of checks', () => {
  it('joins a running batch and starts a new one after it', async () => {
    const { batcher, signals } = createNumberedBatcher(50);
    const first = batcher.next(forever());
    await vi.advanceTimersByTimeAsync(25);
    const second = batcher.next(forever());
    await vi.advanceTimersByTimeAsync(25);
    expect(await Promise.all([first, second])).toEqual([1, 1]);
    const third = batcher.next(forever());
    await vi.advanceTimersByTimeAsync(50);
    expect(await third).toBe(2);
    expect(signals).toHaveLength(2);
  });

  it('leaves the batch to the other requests when it is aborted, and the last one ends the batch', async () => {
    const { batcher, signals } = createNumberedBatcher(50);
    const [one, two] = [new AbortController(), new AbortController()];
    const results = [batcher.next(one.signal), batcher.next(two.signal)];
    await vi.advanceTimersByTimeAsync(10);
    one.abort();
    expect(await results[0]).toBeNull();
    expect(signals[0]?.aborted).toBe(false);
    two.abort();
    expect(await results[1]).toBeNull();
    expect(signals[0]?.aborted).toBe(true);
    const next = batcher.next(forever());
    await vi.advanceTimersByTimeAsync(50);
    expect(await next).toBe(2);
  });

  it('starts no batch when it is already aborted', async () => {
    const { batcher, signals } = createNumberedBatcher(50);
    expect(await batcher.next(AbortSignal.abort())).toBeNull();
    expect(signals).toHaveLength(0);
  });

  it('returns no result instead of an incomplete one when the batcher is stopped', async () => {
    const { batcher } = createNumberedBatcher(50);
    const response = batcher.next(forever());
    await vi.advanceTimersByTimeAsync(10);
    batcher.stop();
    await vi.advanceTimersByTimeAsync(100);
    expect(await response).toBeNull();
  });

  it('rejects when its batch fails, and the next batch is a new one', async () => {
    let calls = 0;
    const batcher = new LabHealthBatcher(() =>
      ++calls === 1 ? Promise.reject(new Error('boom')) : Promise.resolve('fine'),
    );
    await expect(batcher.next(forever())).rejects.toThrow('boom');
    expect(await batcher.next(forever())).toBe('fine');
  });
});

describe('the limits of batches', () => {
  /** Sends requests one after the other for `ms`; each batch takes `batchMs`. @returns the number of batches */
  async function requestContinuously(ms: number, batchMs: number): Promise<number> {
    const { batcher, signals } = createNumberedBatcher(batchMs);
    const end = new AbortController();
    const loop = (async () => {
      while (!end.signal.aborted) await batcher.next(AbortSignal.any([end.signal]));
    })();
    await vi.advanceTimersByTimeAsync(ms);
    end.abort();
    await loop;
    return signals.length;
  }

  it('allow ten batches at once, then one per second: at most 70 in a minute', async () => {
    expect(await requestContinuously(60_000, 1)).toBeLessThanOrEqual(70);
  });

  it('allow at least 68 batches in a minute, so that a client receives a result every second', async () => {
    expect(await requestContinuously(60_000, 1)).toBeGreaterThanOrEqual(68);
  });

  it('let a waiting request start within a second', async () => {
    const { batcher } = createNumberedBatcher(1);
    for (let i = 0; i < 10; i += 1) {
      const response = batcher.next(forever());
      await vi.advanceTimersByTimeAsync(1);
      await response;
    }
    const response = batcher.next(forever());
    await vi.advanceTimersByTimeAsync(1001);
    expect(await response).toBe(11);
  });

  it('allow at most 15 batches in the first five seconds and 11 in the first one', async () => {
    expect(await requestContinuously(5000, 1)).toBeLessThanOrEqual(15);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(await requestContinuously(1000, 1)).toBeLessThanOrEqual(11);
  });

  it('are not consumed by a client that disconnects while it waits', async () => {
    const { batcher, signals } = createNumberedBatcher(1);
    for (let i = 0; i < 10; i += 1) {
      const response = batcher.next(forever());
      await vi.advanceTimersByTimeAsync(1);
      await response;
    }
    for (let i = 0; i < 50; i += 1) {
      const leaving = new AbortController();
      const response = batcher.next(leaving.signal);
      await vi.advanceTimersByTimeAsync(1);
      leaving.abort();
      expect(await response).toBeNull();
    }
    expect(signals).toHaveLength(10);
  });
});
