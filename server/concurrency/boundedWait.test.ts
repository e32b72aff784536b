import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withTimeout } from './boundedWait.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const endlessWork = new Promise<string>(() => undefined);
const tooLate = () => {
  throw new Error('too late');
};

it('withTimeout returns the result of work that ends in time and leaves no timer', async () => {
  expect(await withTimeout(Promise.resolve('done'), 1000, tooLate)).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

it('withTimeout throws the error of work that fails in time', async () => {
  await expect(withTimeout(Promise.reject(new Error('failed')), 1000, tooLate)).rejects.toThrow('failed');
});

it('withTimeout returns or throws the result of onTimeout when the work takes longer', async () => {
  const result = withTimeout(endlessWork, 1000, () => 'fallback');
  const failure = expect(withTimeout(endlessWork, 1000, tooLate)).rejects.toThrow('too late');
  await vi.advanceTimersByTimeAsync(1000);
  expect(await result).toBe('fallback');
  await failure;
});

it('withTimeout ignores an error of the work after the timeout', async () => {
  const work = new Promise<string>((_resolve, reject) => setTimeout(reject, 2000, new Error('failed')));
  const result = withTimeout(work, 1000, () => 'fallback');
  await vi.advanceTimersByTimeAsync(3000);
  expect(await result).toBe('fallback');
});
