/**
 * Updates the app from the configured feed, with electron-updater. Checks are automatic; downloads and installations
 * start only on request.
 */
import { app } from 'electron';
import type { CancellationToken, UpdateInfo } from 'electron-updater';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import { sameJson } from '../../api/sameJson.ts';
import type { Log } from '../../server/logging/log.ts';
import type { Notice } from '../ipc/contract.ts';
import { dropHiddenFlag } from '../start/startOptions.ts';
import {
  detectInstalledKind,
  createCancellationToken,
  openFeed,
  type FeedClient,
  type FeedSource,
} from './feedClient.ts';
import { withTimeout } from '../../server/concurrency/boundedWait.ts';
import { downloadWithStallTimeout } from './timeouts.ts';
import { replaceAppImage } from './replaceAppImage.ts';
import {
  stateAfterCheck,
  feedFolder,
  findExternalFile,
  nextCheckDelay,
  type PackageKind,
  type UpdateState,
} from './updatePolicy.ts';
import { feedTimeoutSeconds, describeUpdateFailure, createUpdateNotices } from './updateTexts.ts';

export class Updates {
  readonly kind: PackageKind = detectInstalledKind();
  readonly #log: Log;
  readonly #onChange: () => void;
  #state: UpdateState = { kind: 'off' };
  #source: FeedSource | null = null;
  /** The version of the current state, and the client that found it and downloads it. */
  #foundUpdate: { readonly info: UpdateInfo; readonly client: FeedClient } | null = null;
  /** The pending check: concurrent requests share it. */
  #check: { readonly source: FeedSource; readonly done: Promise<UpdateState> } | null = null;
  /** The client with a running request. */
  #activeClient: FeedClient | null = null;
  #downloadToken: CancellationToken | null = null;
  #cancelledToken: CancellationToken | null = null;
  #checkTimer: NodeJS.Timeout | null = null;
  /** The text of the notice that the user has closed. */
  #closedNoticeText: string | null = null;
  #isStopped = false;

  constructor(log: Log, onChange: () => void) {
    this.#log = log;
    this.#onChange = onChange;
  }

  get state(): UpdateState {
    return this.#state;
  }

  /** The notices about the update, unless closed by the user. */
  get notices(): readonly Notice[] {
    return createUpdateNotices(this.#state).filter(({ text }) => text !== this.#closedNoticeText);
  }

  /** Hides the notice until its text changes. */
  closeNotice(): void {
    this.#closedNoticeText = createUpdateNotices(this.#state)[0]?.text ?? null;
    this.#onChange();
  }

  get feed(): string | null {
    return this.#source?.feed ?? null;
  }

  /** Whether the feed's list must be signed. */
  get requiresSignature(): boolean {
    return this.#source !== null && this.#source.publicKey !== null;
  }

  /**
   * Sets the feed of the settings. A check or download from another feed, or with another key, is cancelled.
   * @param feed `null` for none: then no server is contacted
   * @param publicKey the key that must have signed its list, in the format of `readUpdateList`
   */
  setFeed(feed: string | null, publicKey: string | null): void {
    const source = feed === null ? null : { feed, publicKey };
    if (sameJson(source, this.#source)) return;
    this.#source = source;
    this.#foundUpdate = null;
    this.#downloadToken?.cancel();
    this.#activeClient?.end();
    this.#activeClient = null;
    this.#setState(source === null ? { kind: 'off' } : { kind: 'none' });
    this.#scheduleCheck(nextCheckDelay(false));
  }

  /** Checks now, unless a download is running. @throws Error with a user-facing message */
  check(): Promise<UpdateState> {
    const source = this.#source;
    if (source === null || this.#state.kind === 'downloading') return Promise.resolve(this.#state);
    if (this.#check?.source === source) return this.#check.done;
    const done = this.#checkSource(source).finally(() => {
      if (this.#check?.done === done) this.#check = null;
    });
    this.#check = { source, done };
    return done;
  }

  async #checkSource(source: FeedSource): Promise<UpdateState> {
    const { feed } = source;
    let client: FeedClient | null = null;
    try {
      client = await openFeed(this.kind, source, this.#log);
      this.#assertCurrent(source);
      this.#activeClient = client;
      client.start();
      const result = await withTimeout(client.updater.checkForUpdates(), feedTimeoutSeconds * 1000, () => {
        throw new Error(`the feed does not answer within ${feedTimeoutSeconds} s`);
      });
      this.#assertCurrent(source);
      const info = result?.isUpdateAvailable === true ? result.updateInfo : null;
      if (info !== null) expectPackageSizes(feed, info, client);
      const next = stateAfterCheck(this.#state, info?.version ?? null);
      if (next.kind !== this.#state.kind) this.#log.info(`Newest version at ${feed}: ${info?.version ?? 'this one'}`);
      if (next !== this.#state) this.#foundUpdate = info === null ? null : { info, client };
      this.#setState(next);
      return next;
    } catch (error) {
      // The remaining requests of the client are no longer needed.
      if (source === this.#source) client?.end();
      throw this.#reportFailure(`Updates can’t be checked for at ${feed}`, error, source, client);
    } finally {
      if (source === this.#source) {
        this.#activeClient = null;
        this.#scheduleCheck(nextCheckDelay(true));
      }
    }
  }

  /** @throws Error when the feed was changed or removed */
  #assertCurrent(source: FeedSource): void {
    if (source !== this.#source) throw new Error('The feed was changed or removed');
  }

  /**
   * Downloads the found version and verifies its hash.
   * @returns whether the download is complete; false if it was cancelled, or no update is available
   * @throws Error with a user-facing message; no part of the download is kept
   */
  async download(): Promise<boolean> {
    // A check and a download would share one session.
    await this.#check?.done.catch(() => undefined);
    const [state, source, foundUpdate] = [this.#state, this.#source, this.#foundUpdate];
    if (state.kind !== 'available' || source === null || foundUpdate === null) return false;
    const { version } = state;
    const { updater } = foundUpdate.client;
    this.#setState({ kind: 'downloading', version, percent: 0 });
    const token = await createCancellationToken();
    this.#downloadToken = token;
    const isCurrent = () => source === this.#source;
    if (!isCurrent()) token.cancel();
    this.#activeClient = foundUpdate.client;
    foundUpdate.client.start();
    try {
      const [file] = await downloadWithStallTimeout(updater, token, (percent) => {
        if (isCurrent()) this.#setState({ kind: 'downloading', version, percent });
      });
      if (file === undefined || !isCurrent()) throw new Error('nothing was downloaded');
      this.#log.info(`Version ${version} was downloaded to ${file}, and its hash is the feed’s`);
      this.#setState({ kind: 'ready', version, file });
      return true;
    } catch (error) {
      if (isCurrent()) this.#setState({ kind: 'available', version });
      if (this.#cancelledToken === token) {
        this.#log.info(`The download of version ${version} was cancelled`);
        return false;
      }
      throw this.#reportFailure(`Version ${version} was not downloaded`, error, source, foundUpdate.client);
    } finally {
      if (this.#downloadToken === token) this.#downloadToken = null;
      if (isCurrent()) this.#activeClient = null;
    }
  }

  /** Cancels the running download; no part of it is kept. */
  cancel(): void {
    this.#cancelledToken = this.#downloadToken;
    this.#downloadToken?.cancel();
  }

  /**
   * Replaces an AppImage; other packages are installed when the app ends.
   * @throws Error with a user-facing message: nothing was changed, and the download can be repeated
   */
  async installAppImage(): Promise<void> {
    const { APPIMAGE: appImage } = process.env;
    if (this.#state.kind !== 'ready' || this.kind !== 'appimage' || appImage === undefined) return;
    const { version, file } = this.#state;
    try {
      await replaceAppImage(file, findHash(this.#foundUpdate?.info ?? null, file), appImage);
    } catch (error) {
      this.#log.warn(errorText(error));
      this.#setState({ kind: 'available', version });
      throw error;
    }
    this.#log.info(`Version ${version} is in the place of ${appImage}`);
  }

  /** Runs after all processes have stopped: installs the new version, except an AppImage, and starts it afterwards. */
  async finish(): Promise<void> {
    const { APPIMAGE: appImage } = process.env;
    if (this.kind === 'appimage' && appImage !== undefined) {
      // The user requested the restart, so the window opens.
      return app.relaunch({ execPath: appImage, args: dropHiddenFlag(process.argv.slice(1)) });
    }
    this.#foundUpdate?.client.updater.quitAndInstall(false, true);
  }

  /** Stops checking and cancels running work. */
  stop(): void {
    this.#isStopped = true;
    this.#downloadToken?.cancel();
    this.#activeClient?.end();
    clock.clearTimeout(this.#checkTimer);
  }

  #scheduleCheck(ms: number): void {
    clock.clearTimeout(this.#checkTimer);
    this.#checkTimer = null;
    if (this.#isStopped || this.#source === null) return;
    this.#checkTimer = clock.setTimeout(() => {
      // While a download runs, there is no check that would schedule the next one.
      this.#scheduleCheck(nextCheckDelay(true));
      // The error of an automatic check is logged.
      this.check().catch(() => undefined);
    }, ms);
  }

  /** @param client if its guard has rejected a response, that is the reason of the failure */
  #reportFailure(failedStep: string, error: unknown, source: FeedSource, client: FeedClient | null): Error {
    const reason =
      source === this.#source
        ? (client?.guard.refusal ?? describeUpdateFailure(error))
        : this.#source === null
          ? 'the feed was removed meanwhile'
          : 'the feed was changed meanwhile';
    const failure = new Error(`${failedStep}: ${reason}`, { cause: error });
    this.#log.warn(errorText(failure));
    return failure;
  }

  #setState(state: UpdateState): void {
    if (sameJson(state, this.#state)) return;
    this.#state = state;
    this.#onChange();
  }
}

/** Registers the size that the list gives for each package. @throws Error for a file outside the feed */
function expectPackageSizes(feed: string, { files }: UpdateInfo, { guard }: FeedClient): void {
  const urls = files.map(({ url }) => url);
  const externalFile = findExternalFile(feed, urls);
  if (externalFile !== null)
    throw new Error(`its list names a package that is not in the feed’s folder: ${externalFile}`);
  for (const { url, size } of files) guard.expectSize(new URL(url, feedFolder(feed)).href, size ?? 0);
}

/** Returns the feed's hash of the downloaded package. @throws Error if there is none */
function findHash(update: UpdateInfo | null, file: string): string {
  const hash = update?.files.find(({ url }) =>
    decodeURIComponent(url).endsWith(file.split('/').at(-1) ?? file),
  )?.sha512;
  if (hash === undefined) throw new Error('The feed no longer lists the downloaded package. Check for updates again');
  return hash;
}
