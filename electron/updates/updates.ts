/**
 * A newer version of the app, from the feed that a person configured, by electron-updater. It looks by itself; it downloads and
 * installs nothing that nobody asked for.
 */
import { app } from 'electron';
import type { AppUpdater, CancellationToken, UpdateInfo } from 'electron-updater';
import { errorText, type Log } from '../../server/logging/log.ts';
import { withoutHidden } from '../start/secondStart.ts';
import { feedFiles, installedKind, newCancellation, newUpdater } from './newUpdater.ts';
import { inTime, stallWatched } from './patience.ts';
import { replaceAppImage } from './replaceAppImage.ts';
import { afterLook, fileElsewhere, waitBeforeLook, type PackageKind, type UpdateState } from './updatePolicy.ts';
import { feedSeconds, updateFailure } from './updateWords.ts';

/** Where newer versions are looked for, and what the list there must be signed with, if anything. */
interface Source {
  readonly feed: string;
  readonly publicKey: string | null;
}

export class Updates {
  readonly kind: PackageKind = installedKind();
  readonly #log: Log;
  readonly #onChange: () => void;
  #state: UpdateState = { kind: 'off' };
  #source: Source | null = null;
  #found: UpdateInfo | null = null;
  /** That which found, and downloads, what the state tells of. */
  #updater: AppUpdater | null = null;
  #download: CancellationToken | null = null;
  #lookTimer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(log: Log, onChange: () => void) {
    this.#log = log;
    this.#onChange = onChange;
  }

  get state(): UpdateState {
    return this.#state;
  }

  get feed(): string | null {
    return this.#source?.feed ?? null;
  }

  /** Whether its list must be signed. */
  get isSigned(): boolean {
    return this.#source !== null && this.#source.publicKey !== null;
  }

  /**
   * What the settings name now. A download from another feed, or by another key, is ended.
   * @param feed `null` for none: then nobody is ever asked
   * @param publicKey what its list must be signed with, as `refuseUnsigned` takes it
   */
  setFeed(feed: string | null, publicKey: string | null): void {
    const source = feed === null ? null : { feed, publicKey };
    if (JSON.stringify(source) === JSON.stringify(this.#source)) return;
    this.#source = source;
    this.#found = null;
    this.#updater = null;
    this.#download?.cancel();
    this.#set(source === null ? { kind: 'off' } : { kind: 'none' });
    this.#planLook(waitBeforeLook(false));
  }

  /** Looks now. @throws Error in words */
  async look(): Promise<UpdateState> {
    const source = this.#source;
    if (source === null) return this.#state;
    const { feed, publicKey } = source;
    try {
      const updater = await newUpdater(this.kind, feed, this.#log);
      const answer = await inTime(updater.checkForUpdates(), feedSeconds);
      // Another feed was set meanwhile.
      if (source !== this.#source) return this.#state;
      const found = answer?.isUpdateAvailable === true ? answer.updateInfo : null;
      refuseElsewhere(feed, found);
      if (found !== null && publicKey !== null) {
        // Loaded when it is needed, as electron-updater is.
        const { listName, refuseUnsigned } = await import('./signedList.ts');
        const name = listName(process.platform, process.arch);
        await inTime(refuseUnsigned(found, name, publicKey, feedFiles(updater, feed)), feedSeconds);
        if (source !== this.#source) return this.#state;
      }
      const next = afterLook(this.#state, found?.version ?? null);
      if (next.kind !== this.#state.kind) this.#log.info(`Newest version at ${feed}: ${found?.version ?? 'this one'}`);
      if (next.kind !== 'downloading') this.#found = found;
      if (next !== this.#state) this.#updater = updater;
      this.#set(next);
      return next;
    } catch (error) {
      if (source !== this.#source) return this.#state;
      throw this.#failed(`Updates can’t be looked for at ${feed}`, error);
    } finally {
      if (source === this.#source) this.#planLook(waitBeforeLook(true));
    }
  }

  /** Downloads what was found, and checks its hash. @throws Error in words, with nothing kept of it */
  async download(): Promise<void> {
    const [state, source, updater] = [this.#state, this.#source, this.#updater];
    if (state.kind !== 'available' || updater === null) return;
    const { version } = state;
    this.#set({ kind: 'downloading', version, percent: 0 });
    const token = await newCancellation();
    this.#download = token;
    if (source !== this.#source) token.cancel();
    const isWanted = () => source === this.#source;
    try {
      const [file] = await stallWatched(updater, token, (percent) => {
        if (isWanted()) this.#set({ kind: 'downloading', version, percent });
      });
      if (file === undefined || !isWanted()) throw new Error('nothing was downloaded');
      this.#log.info(`Version ${version} was downloaded to ${file}, and its hash is the feed’s`);
      this.#set({ kind: 'ready', version, file });
    } catch (error) {
      if (isWanted()) this.#set({ kind: 'available', version });
      throw this.#failed(
        `Version ${version} was not downloaded`,
        isWanted() ? error : new Error('the feed was changed meanwhile', { cause: error }),
      );
    } finally {
      if (this.#download === token) this.#download = null;
    }
  }

  /**
   * Puts an AppImage in its place; other packages are installed at the end.
   * @throws Error in words: nothing was changed, and it can be downloaded again
   */
  async place(): Promise<void> {
    const { APPIMAGE: appImage } = process.env;
    if (this.#state.kind !== 'ready' || this.kind !== 'appimage' || appImage === undefined) return;
    const { version, file } = this.#state;
    try {
      await replaceAppImage(file, hashOf(this.#found, file), appImage);
    } catch (error) {
      this.#log.warn(errorText(error));
      this.#set({ kind: 'available', version });
      throw error;
    }
    this.#log.info(`Version ${version} is in the place of ${appImage}`);
  }

  /** What comes after everything of ours has stopped: the new version is installed, and started when the app has ended. */
  async finish(): Promise<void> {
    const { APPIMAGE: appImage } = process.env;
    if (this.kind === 'appimage' && appImage !== undefined) {
      // Whoever restarts it sits before it.
      return app.relaunch({ execPath: appImage, args: withoutHidden(process.argv.slice(1)) });
    }
    this.#updater?.quitAndInstall(false, true);
  }

  /** Looks no more. */
  stop(): void {
    this.#isStopped = true;
    this.#planLook(0);
  }

  #planLook(ms: number): void {
    if (this.#lookTimer) clearTimeout(this.#lookTimer);
    this.#lookTimer = null;
    if (this.#isStopped || this.#source === null) return;
    this.#lookTimer = setTimeout(() => {
      // What fails by itself is in the log; it is tried again tomorrow.
      this.look().catch(() => undefined);
    }, ms);
  }

  #failed(what: string, error: unknown): Error {
    const failure = new Error(`${what}: ${updateFailure(error)}`, { cause: error });
    this.#log.warn(errorText(failure));
    return failure;
  }

  #set(state: UpdateState): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    this.#onChange();
  }
}

/** @throws Error where the list leads away from the feed */
function refuseElsewhere(feed: string, found: UpdateInfo | null): void {
  if (found === null) return;
  // A list without files may have one by its older name.
  const files = Array.isArray(found.files) ? found.files.map(({ url }) => url) : [];
  const elsewhere = fileElsewhere(feed, [...files, found.path ?? '.']);
  if (elsewhere !== null) throw new Error(`its list names a package that is not in the feed’s folder: ${elsewhere}`);
}

/** What the feed says of the downloaded package. @throws Error where it says nothing */
function hashOf(found: UpdateInfo | null, file: string): string {
  const hash = found?.files.find(({ url }) => decodeURIComponent(url).endsWith(file.split('/').at(-1) ?? file))?.sha512;
  if (hash === undefined)
    throw new Error('The feed says nothing of the downloaded package any more. Check for updates again');
  return hash;
}
