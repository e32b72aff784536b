import { beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import { CrashWatch } from './crashWatch.ts';
import { writeRun } from './lastRun.ts';

const electron = vi.hoisted(() => ({ ready: Promise.resolve(), setReady: (): void => undefined }));
vi.mock('electron', () => ({
  app: { on: () => undefined, whenReady: () => electron.ready, getPath: () => '/nowhere' },
  crashReporter: { start: () => undefined },
}));
vi.mock('./lastRun.ts', () => ({ writeRun: vi.fn(async () => undefined), clearRun: vi.fn(async () => undefined) }));

beforeEach(() => {
  vi.mocked(writeRun).mockClear();
  electron.ready = new Promise((resolve) => (electron.setReady = resolve));
});

function startWatch(): CrashWatch {
  const watch = new CrashWatch({ logDir: '/logs', installation: { version: '1' } } as unknown as AppPaths, silentLog);
  watch.start();
  return watch;
}

it('the crash watch writes the run file only when the app is ready, because then signals are handled', async () => {
  startWatch();
  expect(writeRun).not.toHaveBeenCalled();
  electron.setReady();
  await vi.waitFor(() => expect(writeRun).toHaveBeenCalledOnce());
});

it('the crash watch writes no run file if the app ends before it is ready', async () => {
  const watch = startWatch();
  watch.end();
  electron.setReady();
  await electron.ready;
  await Promise.resolve();
  expect(writeRun).not.toHaveBeenCalled();
});
