import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFastPolling } from './fastPolling.ts';

let reads = 0;
let fails = false;
const createPolling = () =>
  createFastPolling(() => {
    reads += 1;
    return fails ? Promise.reject(new Error('refused')) : Promise.resolve();
  });

beforeEach(() => {
  vi.useFakeTimers();
  reads = 0;
  fails = false;
});
afterEach(() => void vi.useRealTimers());

describe('the reads after a command', () => {
  it('start at once, repeat every 400 ms and end when the change appears', async () => {
    let shownState = 'ready';
    const onAccepted = createPolling().begin(() => shownState);
    await vi.advanceTimersByTimeAsync(1000);
    expect(reads).toBe(0);
    onAccepted();
    expect(reads).toBe(1);
    await vi.advanceTimersByTimeAsync(800);
    expect(reads).toBe(3);
    shownState = 'paused';
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toBe(3);
  });

  it('are omitted for a change that is already visible and end when it never appears', async () => {
    let shownState = 'ready';
    const { begin } = createPolling();
    const onAccepted = begin(() => shownState);
    shownState = 'paused';
    onAccepted();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toBe(0);
    begin(() => 'same')();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reads).toBe(15);
  });

  it('are shared by several commands and end when the manager does not respond', async () => {
    const { begin } = createPolling();
    for (const name of ['a', 'b', 'c']) begin(() => name)();
    await vi.advanceTimersByTimeAsync(800);
    expect(reads).toBe(3);
    fails = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toBe(4);
    fails = false;
    begin(() => 'd')();
    expect(reads).toBe(5);
  });

  it('end when they are stopped', async () => {
    const { begin, stop } = createPolling();
    begin(() => 'same')();
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toBe(1);
  });
});
