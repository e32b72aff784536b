/** Sequences of checks and downloads, with an updater whose responses the test triggers. */
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { FeedGuard } from './feedGuard.ts';
import { Updates } from './updates.ts';

interface Deferred<Result> {
  readonly promise: Promise<Result>;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}
interface FakeUpdater extends EventEmitter {
  readonly feed: string;
  readonly key: string | null;
  readonly guard: FeedGuard;
  /** The number of aborted requests. */
  ended: number;
  readonly checked: Deferred<unknown>;
  readonly downloaded: Deferred<readonly string[]>;
  checkForUpdates(): Promise<unknown>;
  downloadUpdate(token: { onCancel: () => void }): Promise<readonly string[]>;
}

const { fakeUpdaters, defer } = vi.hoisted(() => ({
  fakeUpdaters: [] as FakeUpdater[],
  defer<Result>(): Deferred<Result> {
    let [resolve, reject] = [(_result: Result): void => undefined, (_error: Error): void => undefined];
    const promise = new Promise<Result>((resolved, rejected) => ([resolve, reject] = [resolved, rejected]));
    return { promise, resolve, reject };
  },
}));
vi.mock('electron', () => ({ app: {} }));
vi.mock('./feedClient.ts', () => ({
  detectInstalledKind: () => 'appimage',
  createCancellationToken: () => {
    const token = { onCancel: (): void => undefined, cancel: () => token.onCancel() };
    return Promise.resolve(token);
  },
  openFeed: (_kind: string, { feed, publicKey }: { feed: string; publicKey: string | null }) => {
    const [checked, downloaded] = [defer<unknown>(), defer<readonly string[]>()];
    const updater: FakeUpdater = Object.assign(new EventEmitter(), {
      feed,
      key: publicKey,
      guard: new FeedGuard(feed),
      ended: 0,
      checked,
      downloaded,
      checkForUpdates: () => checked.promise,
      downloadUpdate: (token: { onCancel: () => void }) => {
        token.onCancel = () => downloaded.reject(new Error('cancelled'));
        return downloaded.promise;
      },
    });
    fakeUpdaters.push(updater);
    return Promise.resolve({
      updater,
      guard: updater.guard,
      start: () => updater.guard.start(),
      end: () => {
        updater.ended += 1;
        checked.reject(new Error('net::ERR_ABORTED'));
      },
    });
  },
}));

const foundUpdate = (version: string, changes: object = {}) => ({
  isUpdateAvailable: true,
  updateInfo: { version, files: [{ url: `lab-manager-${version}.AppImage`, sha512: 'x', size: 3 }], ...changes },
});
let updates: Updates;
beforeEach(() => {
  vi.useFakeTimers();
  fakeUpdaters.length = 0;
  updates = new Updates(silentLog, () => undefined);
});
afterEach(() => {
  updates.stop();
  vi.useRealTimers();
});

async function startCheck(): Promise<FakeUpdater> {
  await vi.runOnlyPendingTimersAsync();
  const updater = fakeUpdaters.at(-1);
  if (!updater) throw new Error('no check was started');
  return updater;
}

async function findUpdate(feed: string): Promise<FakeUpdater> {
  updates.setFeed(feed, null);
  const updater = await startCheck();
  updater.checked.resolve(foundUpdate('2.0.0'));
  await vi.waitFor(() => expect(updates.state).toEqual({ kind: 'available', version: '2.0.0' }));
  return updater;
}

it('a changed feed is checked again, and results of the previous feed are ignored', async () => {
  updates.setFeed('http://a/', null);
  const first = await startCheck();
  updates.setFeed('http://b/', null);
  first.checked.resolve(foundUpdate('3.0.0'));
  const second = await startCheck();
  expect([first.feed, second.feed, updates.state.kind]).toEqual(['http://a/', 'http://b/', 'none']);
  second.checked.resolve({ isUpdateAvailable: false });
  await vi.advanceTimersByTimeAsync(0);
  expect([updates.state.kind, vi.getTimerCount()]).toEqual(['none', 1]);
});

it('no check is scheduled after updates are stopped or switched off', async () => {
  updates.setFeed('http://a/', null);
  const first = await startCheck();
  updates.setFeed(null, null);
  first.checked.resolve(foundUpdate('3.0.0'));
  await vi.advanceTimersByTimeAsync(0);
  expect([updates.state.kind, vi.getTimerCount()]).toEqual(['off', 0]);
  updates.setFeed('http://b/', null);
  const second = await startCheck();
  updates.stop();
  second.checked.resolve(foundUpdate('3.0.0'));
  await vi.advanceTimersByTimeAsync(0);
  expect([fakeUpdaters.length, vi.getTimerCount()]).toEqual([2, 0]);
});

it('the next check is scheduled although a download runs when one is due', async () => {
  await findUpdate('http://a/');
  await vi.advanceTimersByTimeAsync(86_400_000 - 5000);
  const downloading = updates.download();
  const rejection = expect(downloading).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(5000);
  expect(updates.state.kind).toBe('downloading');
  fakeUpdaters[0]?.downloaded.reject(new Error('cancelled'));
  await rejection;
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(fakeUpdaters).toHaveLength(2);
});

it('a list with a file outside of the feed is rejected', async () => {
  updates.setFeed('http://a/lab/', null);
  const checking = updates.check();
  await vi.waitFor(() => expect(fakeUpdaters).toHaveLength(1));
  fakeUpdaters[0]?.checked.resolve(
    foundUpdate('2.0.0', { files: [{ url: 'http://elsewhere/x.AppImage', sha512: 'x', size: 3 }] }),
  );
  await expect(checking).rejects.toThrow(/not in the feed’s folder: http:\/\/elsewhere\/x\.AppImage/);
  expect(updates.state).toEqual({ kind: 'none' });
});

it('setting a key drops the found version, and the next check uses the key', async () => {
  const key = 'MCowBQYDK2VwAyEAVBuZPaCYXtLmVfNnVvaqgsgvWWQqUyGGX7fzx2DEg0E=';
  await findUpdate('http://a/');
  updates.setFeed('http://a/', key);
  expect([updates.state.kind, updates.requiresSignature]).toEqual(['none', true]);
  const checking = updates.check();
  await vi.waitFor(() => expect(fakeUpdaters).toHaveLength(2));
  expect([fakeUpdaters[0]?.key, fakeUpdaters[1]?.key]).toEqual([null, key]);
  fakeUpdaters[1]?.checked.reject(new Error('latest-linux.yml is not signed'));
  await expect(checking).rejects.toThrow(/can’t be checked for at http:\/\/a\/: latest-linux\.yml is not signed/);
  expect(updates.state).toEqual({ kind: 'none' });
});

it('changing the feed ends a download and discards it', async () => {
  const updater = await findUpdate('http://a/');
  const downloading = updates.download();
  const rejection = expect(downloading).rejects.toThrow(/2\.0\.0 was not downloaded: the feed was changed/);
  await vi.waitFor(() => expect(updater.listenerCount('download-progress')).toBe(1));
  updater.emit('download-progress', { percent: 12.7 });
  expect(updates.state).toMatchObject({ kind: 'downloading', percent: 12 });
  updates.setFeed('http://b/', null);
  updater.emit('download-progress', { percent: 50 });
  await rejection;
  expect(updates.state).toEqual({ kind: 'none' });
});

it('a download is offered again when the package can’t be installed', async () => {
  vi.stubEnv('APPIMAGE', '/nowhere/lab-manager.AppImage');
  const updater = await findUpdate('http://a/');
  updater.downloaded.resolve(['/nowhere/lab-manager-2.0.0.AppImage']);
  await updates.download();
  expect(updates.state.kind).toBe('ready');
  await expect(updates.installAppImage()).rejects.toThrow(/is missing\. Download it again/);
  expect(updates.state).toEqual({ kind: 'available', version: '2.0.0' });
  vi.unstubAllEnvs();
});

it.each([
  ['removed', null],
  ['changed', 'http://b/'],
] as const)('a check fails immediately when the feed is %s', async (change, next) => {
  updates.setFeed('http://a/', null);
  const checking = updates.check();
  const refused = expect(checking).rejects.toThrow(
    `Updates can’t be checked for at http://a/: the feed was ${change} meanwhile`,
  );
  await vi.waitFor(() => expect(fakeUpdaters).toHaveLength(1));
  updates.setFeed(next, null);
  await refused;
  expect([fakeUpdaters[0]?.ended, fakeUpdaters.length, updates.state.kind]).toEqual([
    1,
    1,
    next === null ? 'off' : 'none',
  ]);
});

it('the requests of a check are aborted after its timeout', async () => {
  updates.setFeed('http://a/', null);
  const updater = await startCheck();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(updater.ended).toBe(1);
});

it('simultaneous checks share one request', async () => {
  updates.setFeed('http://a/', null);
  const checks = [updates.check(), updates.check()];
  await vi.waitFor(() => expect(fakeUpdaters).toHaveLength(1));
  fakeUpdaters[0]?.checked.resolve(foundUpdate('2.0.0'));
  expect((await Promise.all(checks)).map(({ kind }) => kind)).toEqual(['available', 'available']);
});

it('the reason why a response was rejected replaces the network error', async () => {
  updates.setFeed('http://a/', null);
  const checking = updates.check();
  await vi.waitFor(() => expect(fakeUpdaters).toHaveLength(1));
  fakeUpdaters[0]?.guard.allowsRequest('http://elsewhere/latest-linux.yml');
  fakeUpdaters[0]?.checked.reject(new Error('net::ERR_BLOCKED_BY_CLIENT'));
  await expect(checking).rejects.toThrow(
    /the feed redirects to http:\/\/elsewhere\. If it has moved, set LAB_UPDATE_FEED/,
  );
});

it('a download is limited to the size in the list', async () => {
  const { guard } = await findUpdate('http://b/');
  const allowsLength = (bytes: number) =>
    guard.allowsBody('http://b/lab-manager-2.0.0.AppImage', 200, { 'Content-Length': [String(bytes)] });
  expect([allowsLength(3), allowsLength(4)]).toEqual([true, false]);
});

it('a cancelled download is not a failure and is offered again', async () => {
  const updater = await findUpdate('http://a/');
  const downloading = updates.download();
  await vi.waitFor(() => expect(updater.listenerCount('download-progress')).toBe(1));
  updates.cancel();
  expect(await downloading).toBe(false);
  expect(updates.state).toEqual({ kind: 'available', version: '2.0.0' });
});

it('a closed notice stays hidden until its content changes', async () => {
  const updater = await findUpdate('http://a/');
  expect(updates.notices).toHaveLength(1);
  updates.closeNotice();
  expect(updates.notices).toEqual([]);
  const downloading = updates.download();
  await vi.waitFor(() => expect(updates.notices[0]?.text).toContain('is downloading'));
  updater.downloaded.resolve(['/cache/lab-manager-2.0.0.AppImage']);
  await downloading;
  expect(updates.notices[0]?.text).toContain('is ready to install');
});
