import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Poller } from './poller.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Poller', () => {
  it('waits after each reading for the delay that the reading returned', async () => {
    const waits = [10, 500, 20];
    const read = vi.fn(() => Promise.resolve(waits.shift() ?? 1000));
    const poller = new Poller(read);
    await poller.start();
    expect(read).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(10);
    expect(read).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(499);
    expect(read).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(21);
    expect(read).toHaveBeenCalledTimes(4);
    poller.stop();
  });

  it('schedules one next reading even when several are requested meanwhile', async () => {
    const poller = new Poller(() => Promise.resolve(100));
    await Promise.all([poller.start(), poller.readNow(), poller.readNow()]);
    poller.scheduleIn(50);
    expect(vi.getTimerCount()).toBe(1);
    poller.stop();
  });

  it('aborts the current reading when it is stopped, and schedules none', async () => {
    const signals: AbortSignal[] = [];
    let end = (_ms: number) => {};
    const poller = new Poller((signal) => {
      signals.push(signal);
      return new Promise<number>((resolve) => (end = resolve));
    });
    const first = poller.start();
    poller.stop();
    end(10);
    await first;
    await poller.readNow();
    poller.scheduleIn(10);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('starts again after a stop with the given delay', async () => {
    const read = vi.fn(() => 1000);
    const poller = new Poller(read);
    await poller.start();
    poller.stop();
    poller.startIn(50);
    await vi.advanceTimersByTimeAsync(50);
    expect(read).toHaveBeenCalledTimes(2);
    poller.stop();
  });
});
