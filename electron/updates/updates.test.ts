/** The course of looks and downloads, with an updater whose answers come when the test says so. */
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { Updates } from './updates.ts';

interface Later<Result> {
  readonly promise: Promise<Result>;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}
interface Played extends EventEmitter {
  readonly feed: string;
  readonly looked: Later<unknown>;
  readonly downloaded: Later<readonly string[]>;
  /** Files of the feed, by name. */
  files(name: string): Promise<Buffer>;
  checkForUpdates(): Promise<unknown>;
  downloadUpdate(token: { onCancel: () => void }): Promise<readonly string[]>;
}

const { made, later } = vi.hoisted(() => ({
  made: [] as Played[],
  later<Result>(): Later<Result> {
    let [resolve, reject] = [(_result: Result): void => undefined, (_error: Error): void => undefined];
    const promise = new Promise<Result>((resolved, rejected) => ([resolve, reject] = [resolved, rejected]));
    return { promise, resolve, reject };
  },
}));
vi.mock('electron', () => ({ app: {} }));
vi.mock('./newUpdater.ts', () => ({
  installedKind: () => 'appimage',
  feedFiles: (updater: Played) => (name: string) => updater.files(name),
  newCancellation: () => {
    const token = { onCancel: (): void => undefined, cancel: () => token.onCancel() };
    return Promise.resolve(token);
  },
  newUpdater: (_kind: string, feed: string) => {
    const [looked, downloaded] = [later<unknown>(), later<readonly string[]>()];
    const updater: Played = Object.assign(new EventEmitter(), {
      feed,
      looked,
      downloaded,
      files: (name: string) => Promise.reject(new Error(`the feed has no ${name}`)),
      checkForUpdates: () => looked.promise,
      downloadUpdate: (token: { onCancel: () => void }) => {
        token.onCancel = () => downloaded.reject(new Error('cancelled'));
        return downloaded.promise;
      },
    });
    made.push(updater);
    return Promise.resolve(updater);
  },
}));

const found = (version: string, changes: object = {}) => ({
  isUpdateAvailable: true,
  updateInfo: { version, files: [{ url: `lab-manager-${version}.AppImage`, sha512: 'x' }], ...changes },
});
let updates: Updates;
beforeEach(() => {
  vi.useFakeTimers();
  made.length = 0;
  updates = new Updates(silentLog, () => undefined);
});
afterEach(() => {
  updates.stop();
  vi.useRealTimers();
});

/** Lets the look that is planned begin. */
async function lookBegins(): Promise<Played> {
  await vi.runOnlyPendingTimersAsync();
  const updater = made.at(-1);
  if (!updater) throw new Error('nobody looked');
  return updater;
}

async function available(feed: string): Promise<Played> {
  updates.setFeed(feed, null);
  const updater = await lookBegins();
  updater.looked.resolve(found('2.0.0'));
  await vi.waitFor(() => expect(updates.state).toEqual({ kind: 'available', version: '2.0.0' }));
  return updater;
}

it('asks each feed anew, and hears nothing more of the one before', async () => {
  updates.setFeed('http://a/', null);
  const first = await lookBegins();
  updates.setFeed('http://b/', null);
  first.looked.resolve(found('3.0.0'));
  const second = await lookBegins();
  expect([first.feed, second.feed, updates.state.kind]).toEqual(['http://a/', 'http://b/', 'none']);
  second.looked.resolve({ isUpdateAvailable: false });
  await vi.advanceTimersByTimeAsync(0);
  expect([updates.state.kind, vi.getTimerCount()]).toEqual(['none', 1]);
});

it('plans no look after it was stopped, or switched off', async () => {
  updates.setFeed('http://a/', null);
  const first = await lookBegins();
  updates.setFeed(null, null);
  first.looked.resolve(found('3.0.0'));
  await vi.advanceTimersByTimeAsync(0);
  expect([updates.state.kind, vi.getTimerCount()]).toEqual(['off', 0]);
  updates.setFeed('http://b/', null);
  const second = await lookBegins();
  updates.stop();
  second.looked.resolve(found('3.0.0'));
  await vi.advanceTimersByTimeAsync(0);
  expect([made.length, vi.getTimerCount()]).toEqual([2, 0]);
});

it.each([
  ['a file', { files: [{ url: 'http://elsewhere/x.AppImage' }] }],
  ['the older name of it', { files: undefined, path: 'http://elsewhere/x.AppImage' }],
])('refuses a list of which %s leads elsewhere', async (_name, changes) => {
  updates.setFeed('http://a/lab/', null);
  const looking = updates.look();
  await vi.waitFor(() => expect(made).toHaveLength(1));
  made[0]?.looked.resolve(found('2.0.0', changes));
  await expect(looking).rejects.toThrow(/not in the feed’s folder: http:\/\/elsewhere\/x\.AppImage/);
  expect(updates.state).toEqual({ kind: 'none' });
});

it('takes nothing of a feed whose list must be signed and isn’t, also where the key was set later', async () => {
  const key = 'MCowBQYDK2VwAyEAVBuZPaCYXtLmVfNnVvaqgsgvWWQqUyGGX7fzx2DEg0E=';
  await available('http://a/');
  updates.setFeed('http://a/', key);
  expect([updates.state.kind, updates.isSigned]).toEqual(['none', true]);
  const looking = updates.look();
  await vi.waitFor(() => expect(made).toHaveLength(2));
  made[1]?.looked.resolve(found('2.0.0'));
  await expect(looking).rejects.toThrow(/can’t be looked for at http:\/\/a\/: the feed has no latest/);
  expect(updates.state).toEqual({ kind: 'none' });
});

it('ends a download when the feed is changed, and takes nothing of it', async () => {
  const updater = await available('http://a/');
  const downloading = updates.download();
  const refused = expect(downloading).rejects.toThrow(/2\.0\.0 was not downloaded: the feed was changed/);
  await vi.waitFor(() => expect(updater.listenerCount('download-progress')).toBe(1));
  updater.emit('download-progress', { percent: 12.7 });
  expect(updates.state).toMatchObject({ kind: 'downloading', percent: 12 });
  updates.setFeed('http://b/', null);
  updater.emit('download-progress', { percent: 50 });
  await refused;
  expect(updates.state).toEqual({ kind: 'none' });
});

it('offers the download again where the package can’t be put in its place', async () => {
  vi.stubEnv('APPIMAGE', '/nowhere/lab-manager.AppImage');
  const updater = await available('http://a/');
  updater.downloaded.resolve(['/nowhere/lab-manager-2.0.0.AppImage']);
  await updates.download();
  expect(updates.state.kind).toBe('ready');
  await expect(updates.place()).rejects.toThrow(/is gone\. Download it again/);
  expect(updates.state).toEqual({ kind: 'available', version: '2.0.0' });
  vi.unstubAllEnvs();
});
