import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { PageRecovery, type Loss } from './pageRecovery.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const url = 'lab-manager://app/guide.html';

/** A window whose page fails to load, and at each reload fails again, loads, or has no result yet. */
function failingWindow(reloadOutcome: 'fails' | 'loads' | 'hangs') {
  const webContents = Object.assign(new EventEmitter(), { getURL: () => url });
  const window = Object.assign(new EventEmitter(), { webContents, isDestroyed: () => false });
  const fail = () => webContents.emit('did-fail-load', {}, -105, 'ERR_NAME_NOT_RESOLVED', url, true);
  const reloads: Loss[] = [];
  const recovery = new PageRecovery(window as unknown as BrowserWindow, {
    log: silentLog,
    name: () => 'The guide',
    reload: (loss) => {
      reloads.push(loss);
      if (reloadOutcome === 'fails') fail();
      else if (reloadOutcome === 'loads') webContents.emit('did-navigate');
    },
  });
  return { webContents, window, fail, reloads, recovery };
}

it.each([
  ['a page that has prevented its close is not killed', true, 0],
  ['a page that hangs is killed', false, 1],
])('%s', async (_what, answers, expected) => {
  const { webContents, window } = failingWindow('hangs');
  const kill = vi.fn();
  const executeJavaScript = () => (answers ? Promise.resolve(true) : new Promise(() => undefined));
  Object.assign(webContents, { executeJavaScript, forcefullyCrashRenderer: kill });
  window.emit('unresponsive');
  await vi.advanceTimersByTimeAsync(5000);
  expect(kill).toHaveBeenCalledTimes(expected);
});

it('a page that was loaded for a long time and then fails to load is reloaded with growing delays', () => {
  const { webContents, fail, reloads } = failingWindow('fails');
  webContents.emit('did-navigate');
  vi.advanceTimersByTime(3_600_000);
  fail();
  vi.advanceTimersByTime(60_000);
  expect(reloads.map(({ losses }) => losses)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(reloads.map(({ isFailingRepeatedly }) => isFailingRepeatedly)).toEqual([false, false, true, true, true, true]);
});

it('a page whose loads take minutes to fail is reloaded with growing delays', () => {
  const { fail, reloads } = failingWindow('hangs');
  for (let count = 0; count < 4; count += 1) {
    vi.advanceTimersByTime(120_000);
    fail();
  }
  vi.advanceTimersByTime(15_000);
  expect(reloads.map(({ losses }) => losses)).toEqual([1, 2, 3, 4]);
});

it('a page that stays loaded for a minute after a reload starts a new series of losses', () => {
  const { fail, reloads, recovery } = failingWindow('loads');
  fail();
  vi.advanceTimersByTime(59_000);
  fail();
  vi.advanceTimersByTime(62_000);
  fail();
  expect(recovery.isPending).toBe(true);
  vi.advanceTimersByTime(300);
  expect(reloads.map(({ losses }) => losses)).toEqual([1, 2, 1]);
});
