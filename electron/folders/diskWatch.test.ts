import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Folder } from '../../server/diagnostics/checks/check.ts';
import type { MeasuredFolder } from '../../server/diagnostics/checks/disk.ts';
import { DiskWatch } from './diskWatch.ts';

const mib = 1024 * 1024;
const measuredFolders: readonly Folder[] = [{ use: 'log', path: '/logs' }];
let free: number | null = null;
let measurementCount = 0;
let response: Promise<void> = Promise.resolve();
const measure = async (requested: readonly Folder[]): Promise<readonly MeasuredFolder[]> => {
  measurementCount += 1;
  await response;
  return requested.map((folder) => ({ ...folder, free }));
};
let changeCount = 0;
let watch: DiskWatch;
beforeEach(() => {
  vi.useFakeTimers();
  [changeCount, measurementCount, response] = [0, 0, Promise.resolve()];
  watch = new DiskWatch(measuredFolders, () => (changeCount += 1), measure);
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});
const advanceOneMinute = () => vi.advanceTimersByTimeAsync(60_000);

it('the watch reports a nearly full disk once for each limit, and when space is freed', async () => {
  free = 5000 * mib;
  watch.start();
  await vi.advanceTimersByTimeAsync(0);
  expect([watch.lowSpace, changeCount]).toEqual([null, 0]);
  free = 900 * mib;
  await advanceOneMinute();
  free = 800 * mib;
  await advanceOneMinute();
  expect([watch.lowSpace?.limit, changeCount]).toEqual(['warning', 1]);
  free = 50 * mib;
  await advanceOneMinute();
  expect([watch.lowSpace?.limit, changeCount]).toEqual(['problem', 2]);
  free = 5000 * mib;
  await advanceOneMinute();
  expect([watch.lowSpace, changeCount]).toEqual([null, 3]);
});

it('the watch starts no second measurement while a disk does not respond', async () => {
  response = new Promise(() => undefined);
  watch.start();
  await advanceOneMinute();
  await advanceOneMinute();
  expect(measurementCount).toBe(1);
});

it('the watch measures no disk after it is stopped', async () => {
  watch.start();
  await vi.advanceTimersByTimeAsync(0);
  watch.stop();
  await advanceOneMinute();
  expect([measurementCount, vi.getTimerCount()]).toEqual([1, 0]);
});
