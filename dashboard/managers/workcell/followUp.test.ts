import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followUpOf } from './followUp.ts';

let reads = 0;
let fails = false;
const followUp = () =>
  followUpOf(() => {
    reads += 1;
    return fails ? Promise.reject(new Error('refused')) : Promise.resolve();
  });

beforeEach(() => {
  vi.useFakeTimers();
  reads = 0;
  fails = false;
});
afterEach(() => void vi.useRealTimers());

describe('after a command', () => {
  it('reads at once and every 400 ms, and ends when the change is seen', async () => {
    let shown = 'ready';
    const agreed = followUp().begin(() => shown);
    await vi.advanceTimersByTimeAsync(1000);
    expect(reads).toBe(0);
    agreed();
    expect(reads).toBe(1);
    await vi.advanceTimersByTimeAsync(800);
    expect(reads).toBe(3);
    shown = 'paused';
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toBe(3);
  });

  it('doesn’t read for a change that is there already, nor for ever for one that never comes', async () => {
    let shown = 'ready';
    const { begin } = followUp();
    const agreed = begin(() => shown);
    shown = 'paused';
    agreed();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toBe(0);
    begin(() => 'same')();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reads).toBe(15);
  });

  it('reads for several at once as often as for one, and leaves one who doesn’t answer to the usual pace', async () => {
    const { begin } = followUp();
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

  it('ends when it is stopped', async () => {
    const { begin, stop } = followUp();
    begin(() => 'same')();
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reads).toBe(1);
  });
});
