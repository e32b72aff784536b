import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { PageRecovery, type Loss } from './pageRecovery.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const url = 'lab-manager://app/guide.html';

/** A window whose page fails to load, and at each reload fails again, loads, or has no result yet. */
function failingWindow(reloadOutcome: 'fails' | 'loads' | 'hangs') {
  const webContents = Object.assign(new EventEmitter(), {
    ipc: new EventEmitter(),
    getURL: () => url,
    isLoadingMainFrame: (): boolean => false,
    isCrashed: () => false,
    getOSProcessId: () => 7,
    mainFrame: { executeJavaScript: (): Promise<unknown> => Promise.resolve(0) },
  });
  let title = 'The guide';
  const window = Object.assign(new EventEmitter(), {
    webContents,
    isDestroyed: () => false,
    getTitle: () => title,
    setTitle: (next: string) => (title = next),
  });
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

it('a page that executes no script is reported after 5 s, and its process is killed after 15 s', async () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const { webContents, window } = failingWindow('hangs');
  webContents.mainFrame.executeJavaScript = () => new Promise(() => undefined);
  await vi.advanceTimersByTimeAsync(4000);
  expect(window.getTitle()).toBe('The guide');
  await vi.advanceTimersByTimeAsync(2000);
  expect(window.getTitle()).toBe('The guide (not responding)');
  await vi.advanceTimersByTimeAsync(8000);
  expect(kill).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(kill.mock.calls).toEqual([[7, 'SIGKILL']]);
  expect(window.getTitle()).toBe('The guide');
});

it.each([
  ['prevents its close', ({ window }) => window.emit('unresponsive')],
  ['is loading', ({ webContents }) => (webContents.isLoadingMainFrame = () => true)],
  ['waits for the dialog of the printer', ({ webContents }) => webContents.ipc.emit('shell:printing', {}, true)],
] satisfies [string, (failing: ReturnType<typeof failingWindow>) => unknown][])(
  'a page that %s is not killed',
  async (what, change) => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const failing = failingWindow('hangs');
    if (what !== 'prevents its close') {
      failing.webContents.mainFrame.executeJavaScript = () => new Promise(() => undefined);
    }
    change(failing);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(kill).not.toHaveBeenCalled();
  },
);

it('a page is not killed for the time of a suspend', async () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const { webContents } = failingWindow('hangs');
  webContents.mainFrame.executeJavaScript = () => new Promise(() => undefined);
  await vi.advanceTimersByTimeAsync(2000);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(2000);
  expect(kill).not.toHaveBeenCalled();
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
