/**
 * The app's folders and their problems. With an unwritable folder the app still runs, without saving its files: a
 * notice names the folder, the reason and the remedy, and Chromium's files go to a temporary folder.
 */
import { accessSync, constants, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { writeFailure } from '../../server/storage/writeAccess.ts';
import { openInOtherProgram } from '../../server/storage/lockedFiles.ts';

export interface FolderProblem {
  readonly path: string;
  /** What the app stores in it: `settings and window position`. */
  readonly use: string;
  /** `writing there is not permitted` */
  readonly reason: string;
}

/** Creates the folder if missing, and returns why files can't be created in it; `null` when they can. */
export function unwritableReason(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    // Only writing a file reveals a read-only mount or a quota.
    const probe = mkdtempSync(join(folder, '.write-test-'));
    try {
      writeFileSync(join(probe, 'file'), 'x');
    } finally {
      rmSync(probe, { recursive: true, force: true });
    }
    return null;
  } catch (error) {
    return writeFailure(error);
  }
}

/**
 * Returns the home directory; if HOME is empty, the one in the system's user database, or `/` without an entry there.
 */
export function homeDirectory(): string {
  if (process.env['HOME'] !== '' || process.platform === 'win32') return homedir();
  try {
    return userInfo().homedir;
  } catch {
    return '/'; // The account has no entry. Writing below `/` fails, and the failure is reported.
  }
}

/**
 * Returns a folder below the system's temporary one that only this user can read. Its name is the same at each start;
 * if another user owns that name, a new folder is created.
 * @param configDir the configuration folder that isn't usable
 */
export function temporaryProfile(configDir: string): string {
  const folder = privateFolder(tmpdir(), configDir);
  if (folder !== null && unwritableReason(folder) === null) return folder;
  return mkdtempSync(join(tmpdir(), 'lab-manager-'));
}

/**
 * Returns the folder of the lock that lets a second start find the first one: below the session's runtime folder, which
 * is also used where its variable is missing, else below the temporary one. The app's own folders can become read-only
 * or full while it runs.
 * @param configDir another configuration folder belongs to another app
 */
export function lockFolder(configDir: string): string | null {
  const parents = [process.env['XDG_RUNTIME_DIR'], `/run/user/${process.getuid?.()}`, tmpdir()];
  for (const parent of parents) {
    const folder = parent ? privateFolder(parent, configDir) : null;
    if (folder !== null) return folder;
  }
  return null;
}

/** Returns the folder for a configuration folder below `parent`; `null` if other users can read or replace it. */
function privateFolder(parent: string, configDir: string): string | null {
  const user = process.getuid?.() ?? 'user';
  const name = createHash('sha256').update(configDir).digest('hex').slice(0, 8);
  const folder = join(parent, `lab-manager-${user}-${name}`);
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const existing = lstatSync(folder);
    const isPrivate = existing.isDirectory() && existing.uid === process.getuid?.() && (existing.mode & 0o077) === 0;
    return isPrivate || process.platform === 'win32' ? folder : null;
  } catch {
    return null;
  }
}

/** Returns the remedy for an unreadable file of the last run, as a sentence for window and tray. */
export function fileProblemText({ path, use, reason }: FolderProblem): string {
  const advice = reason === openInOtherProgram ? 'Close that program' : 'Move that file away';
  return `Lab Manager can’t read ${path}: ${reason}. ${use} of the last run are missing. ${advice}, then start Lab Manager again.`;
}

/** Returns the remedy for an unwritable folder, as a sentence for window, tray and log. */
export function folderProblemText({ path, use, reason }: FolderProblem): string {
  return `Lab Manager can’t write to ${path}: ${reason}. ${use} will not be kept after it quits. Make the folder writable for your account (on a read-only disk: mount it writable), then start Lab Manager again.`;
}
