/** Decides how this copy of the app can be updated, and when it checks for a newer version. */
import { tryParseUrl } from '../../api/url.ts';

/**
 * `none`: the copy can't replace itself. This includes macOS: electron-updater passes the package to Squirrel and
 * returns, and the app would end before Squirrel has received it.
 */
export type PackageKind = 'appimage' | 'deb' | 'windows' | 'none';

export interface InstallationInput {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  /**
   * The started AppImage, and the mount point of its files: variables of its runtime, which child processes inherit.
   */
  readonly appImage: string | undefined;
  readonly appDir: string | undefined;
  /** Absolute path of the running program. */
  readonly program: string;
  /** The type in the package, `deb`; `null` if it has none. */
  readonly packageType: string | null;
}

export function detectPackageKind({
  platform,
  isPackaged,
  appImage,
  appDir,
  program,
  packageType,
}: InstallationInput): PackageKind {
  if (!isPackaged) return 'none';
  if (platform === 'win32') return 'windows';
  if (platform !== 'linux') return 'none';
  // False if this program is only a child process of an AppImage.
  const isMounted = appDir !== undefined && appDir.length > 1 && program.startsWith(`${appDir}/`);
  if (isMounted && appImage?.startsWith('/')) return 'appimage';
  return packageType === 'deb' ? 'deb' : 'none';
}

/** The first check follows the start with a delay, so that the lab loads first; then once a day, in milliseconds. */
const firstCheckMs = 10_000;
const checkIntervalMs = 24 * 60 * 60_000;

/**
 * Returns the delay before the next check.
 * @param checkedBefore whether there was a check since the start, or since the feed changed
 */
export function nextCheckDelay(checkedBefore: boolean): number {
  return checkedBefore ? checkIntervalMs : firstCheckMs;
}

/** The state of the update. */
export type UpdateState =
  /** No feed is configured. */
  | { readonly kind: 'off' }
  /** No newer version is known, after a check or before the first. */
  | { readonly kind: 'none' }
  | { readonly kind: 'available'; readonly version: string }
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  /** Downloaded, and its hash matches the feed's. */
  | { readonly kind: 'ready'; readonly version: string; readonly file: string };

/** Returns the folder of a feed's address, with a slash at the end. */
export function feedFolder(feed: string): URL {
  const folder = new URL(feed);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return folder;
}

/**
 * Returns the first of the list's files that is not below the feed's address, as an absolute address; `null` if all
 * are.
 */
export function findExternalFile(feed: string, files: readonly string[]): string | null {
  const base = feedFolder(feed);
  for (const file of files) {
    const url = tryParseUrl(file, base.href);
    if (url === null) return file;
    if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return url.href;
  }
  return null;
}

/**
 * Returns the state after a check that found `version`: a running or finished download of the newest version is kept.
 */
export function stateAfterCheck(state: UpdateState, version: string | null): UpdateState {
  const isBusy = state.kind === 'downloading' || (state.kind === 'ready' && state.version === version);
  if (isBusy) return state;
  return version === null ? { kind: 'none' } : { kind: 'available', version };
}
