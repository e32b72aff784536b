/** The texts about a newer version and about errors during an update. */
import { errorCode, errorText } from '../../api/errorText.ts';
import { isUnprotected } from '../../api/hosts.ts';
import { quoteForShell, cleanText } from '../../server/logging/text.ts';
import type { ServiceStatus } from '../../server/status.ts';
import type { Notice } from '../ipc/contract.ts';
import type { PackageKind, UpdateState } from './updatePolicy.ts';

/** The timeouts for a response of the feed and for a download without progress, in seconds. */
export const feedTimeoutSeconds = 15;
export const stallTimeoutSeconds = 60;

/** Returns the notice for the window while there is a newer version; empty otherwise. */
export function createUpdateNotices(state: UpdateState): readonly Notice[] {
  if (state.kind === 'off' || state.kind === 'none') return [];
  const { what: status, action } = {
    available: { what: 'is available', action: 'Update…' },
    downloading: { what: 'is downloading', action: 'Cancel download' },
    ready: { what: 'is ready to install', action: 'Install…' },
  }[state.kind];
  const text = `Version ${state.version} of Lab Manager ${status}.`;
  // A separate field, because screen readers announce each change of the text.
  const progress = state.kind === 'downloading' ? { progress: state.percent } : {};
  return [{ id: 'update', severity: 'attention', text, action, isClosable: true, ...progress }];
}

/**
 * Returns a warning about a feed whose packages other parties on the network can replace; empty for a protected feed.
 */
function unprotectedFeedWarning({ feed, requiresSignature }: UpdateContext): string {
  if (feed === null || !isUnprotected(feed, requiresSignature)) return '';
  return '\n\nThe feed is read over plain http and its list is not signed, so anyone on the network can replace the package. Use https, or set LAB_UPDATE_PUBLIC_KEY.';
}

/**
 * Returns the reason why the feed is unknown although one may be set: only this app's service reports it. `null` while
 * that runs.
 */
export function unknownFeedReason(status: ServiceStatus): string | null {
  if (status.phase === 'attached')
    return `This app shows the lab manager that already runs at ${status.url}, and reads LAB_UPDATE_FEED only when it runs the service itself. Stop that one and start the app again, or update it where it is installed.`;
  if (status.phase !== 'running')
    return 'The service does not run, so it is not known whether LAB_UPDATE_FEED is set. Try again when it runs.';
  return status.demo ? 'The demo lab reads no settings, so LAB_UPDATE_FEED is ignored. Leave the demo first.' : null;
}

interface UpdateDialog {
  readonly message: string;
  readonly detail: string;
  /** The first one accepts the offer; the last one does nothing. */
  readonly buttons: readonly string[];
}

/** The titles of the failed steps, for the error dialog. */
export const failureTitles = {
  check: 'Checking for updates failed',
  download: 'Downloading the update failed',
  install: 'Installing the update failed',
} as const;

interface UpdateContext {
  /** The version of this copy. */
  readonly currentVersion: string;
  readonly kind: PackageKind;
  readonly feed: string | null;
  /** Whether the feed's list must be signed. */
  readonly requiresSignature: boolean;
  /** The result of `unknownFeedReason`. */
  readonly unknownReason: string | null;
}

/** Returns the question of Help → Check for Updates. */
export function createUpdateDialog(state: UpdateState, context: UpdateContext): UpdateDialog {
  const { currentVersion, kind, feed, requiresSignature, unknownReason: unknown } = context;
  const warning = unprotectedFeedWarning(context);
  switch (state.kind) {
    case 'off':
      return {
        message: unknown === null ? 'No update feed is set' : 'Updates can’t be checked at the moment',
        detail:
          unknown ??
          'Set LAB_UPDATE_FEED to the address of a folder with the packages; the app then checks it once a day.',
        buttons: ['OK'],
      };
    case 'none':
      return {
        message: `Version ${currentVersion} is the newest`,
        detail: `Update feed: ${feed ?? ''}${warning}`,
        buttons: ['OK'],
      };
    case 'available':
      return kind === 'none'
        ? {
            message: `Version ${state.version} is available`,
            detail: `You have ${currentVersion}. This copy can’t replace itself: get the new version from ${feed ?? ''}, and put it in the place of this one.${warning}`,
            buttons: ['Open That Address', 'Later'],
          }
        : {
            message: `Version ${state.version} is available`,
            detail: `You have ${currentVersion}. ${requiresSignature ? 'The feed’s list is signed with your key. ' : ''}It is downloaded and its hash is checked; nothing is installed without your confirmation.${warning}`,
            buttons: ['Download', 'Later'],
          };
    case 'downloading':
      return {
        message: `Version ${state.version} is downloading`,
        detail: `${state.percent} %`,
        buttons: ['Cancel Download', 'Continue'],
      };
    case 'ready':
      return kind === 'deb'
        ? {
            message: `Version ${state.version} is ready to install`,
            detail: `${checkedText(requiresSignature)} An administrator installs it with:\n\n${debCommand(state.file)}${warning}`,
            buttons: ['Copy Command', 'Later'],
          }
        : {
            message: `Version ${state.version} is ready to install`,
            detail: `${checkedText(requiresSignature)} The app and its service restart, which takes some seconds.${warning}`,
            buttons: ['Restart and Install', 'Later'],
          };
  }
}

function checkedText(requiresSignature: boolean): string {
  return `Its hash is the one in the feed’s ${requiresSignature ? 'signed list' : 'list, which isn’t signed'}.`;
}

/** Returns the shell command that installs the package. */
export function debCommand(file: string): string {
  return `sudo apt install ${quoteForShell(file)}`;
}

const textByCode: Readonly<Record<string, string>> = {
  ERR_CHECKSUM_MISMATCH:
    'the package is not the one that the feed describes (its SHA-512 differs): it was damaged on the way or changed. It was deleted',
  ERR_UPDATER_ASSET_NOT_FOUND: 'the feed has no package for this system',
};

/** Returns the reason of a failure. @param error the thrown value */
export function describeUpdateFailure(error: unknown): string {
  const code = errorCode(error) ?? '';
  const codeText = textByCode[code];
  if (codeText !== undefined) return codeText;
  const text = errorText(error);
  if (/^HTTP_ERROR_\d+/.test(code)) return `the feed responds with HTTP ${code.slice('HTTP_ERROR_'.length)}`;
  const network = /net::ERR_([A-Z_]+)/.exec(text)?.[1];
  if (network !== undefined) return `the feed can’t be reached (${network.toLowerCase().replaceAll('_', ' ')})`;
  return cleanText(text.split('\n')[0] ?? '', 300);
}
