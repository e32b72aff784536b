/**
 * Configures electron-updater for one feed, so that it starts nothing automatically and reaches the feed without a
 * proxy.
 */
import { app, type Session } from 'electron';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater, ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider';
import type { Log } from '../../server/logging/log.ts';
import { FeedGuard } from './feedGuard.ts';
import type { FeedFile } from './updateList.ts';
import { feedFolder, detectPackageKind, type PackageKind } from './updatePolicy.ts';

/** Returns how the running copy was installed. */
export function detectInstalledKind(): PackageKind {
  const { APPIMAGE: appImage, APPDIR: appDir } = process.env;
  return detectPackageKind({
    platform: process.platform,
    isPackaged: app.isPackaged,
    appImage,
    appDir,
    program: process.execPath,
    packageType: packageType(),
  });
}

/** The feed of newer versions, and the key that must have signed its list, if any. */
export interface FeedSource {
  readonly feed: string;
  /** In the format of `readUpdateList`. */
  readonly publicKey: string | null;
}

/** A client of one feed. */
export interface FeedClient {
  readonly updater: AppUpdater;
  readonly guard: FeedGuard;
  /** Prepares a check or a download; from now on the guard filters all requests. */
  start(): void;
  /** Aborts a running check; a download is cancelled by its token. */
  end(): void;
}

/** Creates a new updater each time, because an existing one returns its pending check even if the feed has changed. */
export async function openFeed(kind: PackageKind, source: FeedSource, log: Log): Promise<FeedClient> {
  const library = await updaterModule();
  const updater = createUpdater(kind, library);
  updater.logger = { ...log, debug: (text: string) => log.debug(text) };
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  // A copy that can't replace itself still checks for a newer version.
  updater.forceDevUpdateConfig = kind === 'none';
  // Packages contain no update configuration, because the feed is a setting of the lab.
  const config = join(app.getPath('userData'), 'app-update.yml');
  writeFileSync(config, 'updaterCacheDirName: lab-manager-updates\n');
  updater.updateConfigPath = config;
  let abortController = new AbortController();
  const read: FeedFile = (name) =>
    readFeedFile(updater.netSession, new URL(name, feedFolder(source.feed)), abortController.signal);
  updater.setFeedURL({ provider: 'custom', updateProvider: providerFor(library, source, read) });
  await updater.netSession.setProxy({ mode: 'direct' });
  const guard = new FeedGuard(source.feed);
  return {
    updater,
    guard,
    start: () => {
      abortController = new AbortController();
      guard.start();
      guardRequests(updater.netSession, guard);
    },
    end: () => abortController.abort(),
  };
}

/** Reads and verifies the list itself, because electron-updater's providers have no size limit and can't be aborted. */
function providerFor(library: Library, { feed, publicKey }: FeedSource, read: FeedFile) {
  return class FeedProvider extends library.Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtimeOptions: ProviderRuntimeOptions) {
      super(runtimeOptions);
    }

    override async getLatestVersion(): Promise<UpdateInfo> {
      // Loaded on demand, like electron-updater.
      const { listName, readUpdateList } = await import('./updateList.ts');
      const list = await readUpdateList(read, listName(process.platform, process.arch), publicKey);
      return { ...list, path: '', sha512: '', releaseDate: '' };
    }

    override resolveFiles({ files }: UpdateInfo): ResolvedUpdateFileInfo[] {
      return files.map((info) => ({ url: new URL(info.url, feedFolder(feed)), info }));
    }
  };
}

/** electron-updater itself follows any number of redirects to any host, and accepts bodies of any length. */
function guardRequests({ webRequest }: Session, guard: FeedGuard): void {
  webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !guard.allowsRequest(url) }));
  // A compressed body is longer after decompression than its stated length.
  webRequest.onBeforeSendHeaders(({ requestHeaders }, decide) =>
    decide({ requestHeaders: { ...requestHeaders, 'Accept-Encoding': 'identity' } }),
  );
  webRequest.onBeforeRedirect(({ url, redirectURL }) => guard.recordRedirect(url, redirectURL));
  webRequest.onHeadersReceived(({ url, statusCode, responseHeaders = {} }, decide) =>
    decide({ cancel: !guard.allowsBody(url, statusCode, responseHeaders) }),
  );
}

async function readFeedFile(session: Session, url: URL, signal: AbortSignal): Promise<Buffer | null> {
  const response = await session.fetch(url.href, { headers: { 'cache-control': 'no-cache' }, signal });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`the feed responds with HTTP ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Returns a token that can cancel a download. */
export async function createCancellationToken() {
  return new (await updaterModule()).CancellationToken();
}

type Library = Awaited<ReturnType<typeof updaterModule>>;

/** A CommonJS module, whose exports are the default import. Loaded on demand: a lab without a feed doesn't need it. */
async function updaterModule() {
  return (await import('electron-updater')).default;
}

/**
 * Chosen by the kind of package, because electron-updater's detection reads a file that may come from another package.
 */
function createUpdater(kind: PackageKind, library: Library): AppUpdater {
  switch (kind) {
    case 'windows':
      return new library.NsisUpdater();
    case 'deb':
      return new library.DebUpdater();
    case 'appimage':
    case 'none':
      return new library.AppImageUpdater();
  }
}

/** Returns the package's type from its file; the Debian package has one next to the program. */
function packageType(): string | null {
  const file = join(process.resourcesPath, 'package-type');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}
