import { beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import type { AppPaths } from '../folders/appPaths.ts';
import { CrashWatch } from './crashWatch.ts';
import { markRun } from './lastRun.ts';

const electron = vi.hoisted(() => ({ ready: Promise.resolve(), setReady: (): void => undefined }));
vi.mock('electron', () => ({
  app: { on: () => undefined, whenReady: () => electron.ready, getPath: () => '/nowhere' },
  crashReporter: { start: () => undefined },
}));
vi.mock('./lastRun.ts', () => ({ markRun: vi.fn(async () => undefined), clearRun: vi.fn(async () => undefined) }));

beforeEach(() => {
  vi.mocked(markRun).mockClear();
  electron.ready = new Promise((resolve) => (electron.setReady = resolve));
});

function startedWatch(): CrashWatch {
  const watch = new CrashWatch({ logDir: '/logs', installation: { version: '1' } } as unknown as AppPaths, silentLog);
  watch.start();
  return watch;
}

it('the crash watch marks the run once the app is ready, when signals have their handlers', async () => {
  startedWatch();
  expect(markRun).not.toHaveBeenCalled();
  electron.setReady();
  await vi.waitFor(() => expect(markRun).toHaveBeenCalledOnce());
});

it('the crash watch does not mark a run that ends before the app is ready', async () => {
  const watch = startedWatch();
  watch.end();
  electron.setReady();
  await electron.ready;
  await Promise.resolve();
  expect(markRun).not.toHaveBeenCalled();
});
