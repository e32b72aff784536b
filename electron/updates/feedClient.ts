/** electron-updater, set up for one feed: it decides nothing by itself, and reaches the feed directly, as the lab is reached. */
import { app, type Session } from 'electron';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import type { Log } from '../../server/logging/log.ts';
import { FeedGuard } from './feedGuard.ts';
import type { FeedFile } from './signedList.ts';
import { feedFolder, packageKind, type PackageKind } from './updatePolicy.ts';

/** How the copy that runs was installed. */
export function installedKind(): PackageKind {
  const { APPIMAGE: appImage, APPDIR: appDir } = process.env;
  return packageKind({
    platform: process.platform,
    isPackaged: app.isPackaged,
    appImage,
    appDir,
    program: process.execPath,
    packageType: packageType(),
  });
}

/** One feed, as it is asked for a newer version. */
export interface FeedClient {
  readonly updater: AppUpdater;
  readonly guard: FeedGuard;
  /** Reads a file of the feed as `updater` does. */
  readonly read: FeedFile;
  /** Starts a check or a download: what is requested from now on, the guard decides on. */
  start(): void;
  /** Ends every request. */
  end(): void;
}

/** A new updater each time: an older one hands out its look that still hangs, at whichever feed. */
export async function openFeed(kind: PackageKind, feed: string, log: Log): Promise<FeedClient> {
  const updater = updaterFor(kind, await updaterModule());
  updater.logger = { ...log, debug: (text: string) => log.debug(text) };
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  // A copy that can't replace itself looks for a newer version all the same.
  updater.forceDevUpdateConfig = kind === 'none';
  // Packages are built without the file of it: the feed is the lab's.
  const config = join(app.getPath('userData'), 'app-update.yml');
  writeFileSync(config, 'updaterCacheDirName: lab-manager-updates\n');
  updater.updateConfigPath = config;
  updater.setFeedURL({ provider: 'generic', url: feed });
  await updater.netSession.setProxy({ mode: 'direct' });
  const guard = new FeedGuard(feed);
  return {
    updater,
    guard,
    read: fileReader(updater.netSession, feed),
    start: () => {
      guard.start();
      guardRequests(updater.netSession, guard);
    },
    // Only updates use this session.
    end: () => void updater.netSession.closeAllConnections(),
  };
}

/** electron-updater itself follows redirects anywhere, without an end, and takes bodies of any length. */
function guardRequests({ webRequest }: Session, guard: FeedGuard): void {
  webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !guard.allowsRequest(url) }));
  // A compressed body is longer than its stated length.
  webRequest.onBeforeSendHeaders(({ requestHeaders }, decide) =>
    decide({ requestHeaders: { ...requestHeaders, 'Accept-Encoding': 'identity' } }),
  );
  webRequest.onBeforeRedirect(({ url, redirectURL }) => guard.redirected(url, redirectURL));
  webRequest.onHeadersReceived(({ url, statusCode, responseHeaders = {} }, decide) =>
    decide({ cancel: !guard.allowsBody(url, statusCode, responseHeaders) }),
  );
}

function fileReader(session: Session, feed: string): FeedFile {
  const base = feedFolder(feed);
  return async (name) => {
    const response = await session.fetch(new URL(name, base).href, { headers: { 'cache-control': 'no-cache' } });
    if (response.status === 404) throw new Error(`the feed has no ${name}`);
    if (!response.ok) throw new Error(`the feed responds with HTTP ${response.status} for ${name}`);
    return Buffer.from(await response.arrayBuffer());
  };
}

/** What ends a download. */
export async function newCancellation() {
  return new (await updaterModule()).CancellationToken();
}

/** A CommonJS module, whose exports are what is imported by default. Loaded when it is needed: a lab without a feed never does. */
async function updaterModule() {
  return (await import('electron-updater')).default;
}

/** By the kind of package, not by electron-updater's own guess, which takes a file that a package may have from another one. */
function updaterFor(kind: PackageKind, library: Awaited<ReturnType<typeof updaterModule>>): AppUpdater {
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

/** What the package says that it is: the Debian package has it beside the program. */
function packageType(): string | null {
  const file = join(process.resourcesPath, 'package-type');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}
