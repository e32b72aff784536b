import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Folder } from '../../server/diagnostics/checks/check.ts';
import type { MeasuredFolder } from '../../server/diagnostics/checks/disk.ts';
import { DiskWatch } from './diskWatch.ts';

const mib = 1024 * 1024;
const measuredFolders: readonly Folder[] = [{ use: 'log', path: '/logs' }];
let free: number | null = null;
let measured = 0;
let respond: Promise<void> = Promise.resolve();
const measure = async (requested: readonly Folder[]): Promise<readonly MeasuredFolder[]> => {
  measured += 1;
  await respond;
  return requested.map((folder) => ({ ...folder, free }));
};
let changes = 0;
let watch: DiskWatch;
beforeEach(() => {
  vi.useFakeTimers();
  [changes, measured, respond] = [0, 0, Promise.resolve()];
  watch = new DiskWatch(measuredFolders, () => (changes += 1), measure);
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});
const minute = () => vi.advanceTimersByTimeAsync(60_000);

it('a nearly full disk is reported, again when it is fuller, and no longer after space was freed', async () => {
  free = 5000 * mib;
  watch.start();
  await vi.advanceTimersByTimeAsync(0);
  expect([watch.low, changes]).toEqual([null, 0]);
  free = 900 * mib;
  await minute();
  free = 800 * mib;
  await minute();
  expect([watch.low?.limit, changes]).toEqual(['warning', 1]);
  free = 50 * mib;
  await minute();
  expect([watch.low?.limit, changes]).toEqual(['problem', 2]);
  free = 5000 * mib;
  await minute();
  expect([watch.low, changes]).toEqual([null, 3]);
});

it('a disk that does not respond is measured once', async () => {
  respond = new Promise(() => undefined);
  watch.start();
  await minute();
  await minute();
  expect(measured).toBe(1);
});

it('no disk is measured after the watch is stopped', async () => {
  watch.start();
  await vi.advanceTimersByTimeAsync(0);
  watch.stop();
  await minute();
  expect([measured, vi.getTimerCount()]).toEqual([1, 0]);
});
