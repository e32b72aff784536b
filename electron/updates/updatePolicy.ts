/** How this copy of the app can be brought to a newer version, and when it is looked for one. Pure. */

/**
 * `none`: it can't replace itself. On macOS too: there electron-updater hands the package to Squirrel and returns, and the app
 * has ended before that has taken it.
 */
export type PackageKind = 'appimage' | 'deb' | 'windows' | 'none';

export interface InstalledAs {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  /** The AppImage that was started, and where its files are mounted: variables of its runtime, which its children inherit. */
  readonly appImage: string | undefined;
  readonly appDir: string | undefined;
  /** Whole path of the program that runs. */
  readonly program: string;
  /** What the package says of itself, `deb`; `null` where it says nothing. */
  readonly packageType: string | null;
}

export function packageKind({
  platform,
  isPackaged,
  appImage,
  appDir,
  program,
  packageType,
}: InstalledAs): PackageKind {
  if (!isPackaged) return 'none';
  if (platform === 'win32') return 'windows';
  if (platform !== 'linux') return 'none';
  // Not of an AppImage that only started this one.
  const isMounted = appDir !== undefined && appDir.length > 1 && program.startsWith(`${appDir}/`);
  if (isMounted && appImage?.startsWith('/')) return 'appimage';
  return packageType === 'deb' ? 'deb' : 'none';
}

/** After the start, so that the lab comes first, and then once a day, in milliseconds. */
const firstCheckMs = 10_000;
const checkIntervalMs = 24 * 60 * 60_000;

/** How long to wait before it is looked again. @param checkedBefore whether it was since the start, or since the feed changed */
export function nextCheckDelay(checkedBefore: boolean): number {
  return checkedBefore ? checkIntervalMs : firstCheckMs;
}

/** What is known of a newer version. */
export type UpdateState =
  /** Nobody configured a feed. */
  | { readonly kind: 'off' }
  /** None is known; it was looked for, or will be. */
  | { readonly kind: 'none' }
  | { readonly kind: 'available'; readonly version: string }
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  /** Downloaded, and its hash is the feed's. */
  | { readonly kind: 'ready'; readonly version: string; readonly file: string };

/** The folder that a feed's address names, with or without a slash at its end. */
export function feedFolder(feed: string): URL {
  const folder = new URL(feed);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return folder;
}

/** The first of the list's files that is not below the feed's address, as a whole address; `null` where all are. */
export function findExternalFile(feed: string, files: readonly string[]): string | null {
  const base = feedFolder(feed);
  for (const file of files) {
    if (!URL.canParse(file, base.href)) return file;
    const { href, origin, pathname } = new URL(file, base);
    if (origin !== base.origin || !pathname.startsWith(base.pathname)) return href;
  }
  return null;
}

/** What a look that found `version` makes of the state: what was downloaded stays while it is still the newest. */
export function stateAfterCheck(state: UpdateState, version: string | null): UpdateState {
  const isBusy = state.kind === 'downloading' || (state.kind === 'ready' && state.version === version);
  if (isBusy) return state;
  return version === null ? { kind: 'none' } : { kind: 'available', version };
}
