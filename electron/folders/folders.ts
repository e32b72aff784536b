/**
 * The folders of the app and what is wrong with them. A folder that can't be written to costs what would be kept in it,
 * never the app: it says which folder, why and what to do, and Chromium's own files go to a temporary folder.
 */
import { accessSync, constants, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { writeFailure } from '../../server/settings/load/settingsFile.ts';

export interface FolderProblem {
  readonly path: string;
  /** What the folder is for: `settings and window position`. */
  readonly use: string;
  /** `writing there is not permitted` */
  readonly reason: string;
}

/** Why files can't be made in a folder, which is made when it isn't there; `null` when they can. */
export function whyUnwritable(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    // Only writing shows a read-only mount or a quota.
    const probe = mkdtempSync(join(folder, '.write-test-'));
    try {
      writeFileSync(join(probe, 'file'), 'x');
    } finally {
      rmSync(probe, { recursive: true, force: true });
    }
    return null;
  } catch (error) {
    // A folder that is there and full can still be read, and Chromium copes with it.
    return writeFailure(error);
  }
}

/** The home directory; the system's record where HOME is not set, `/` where there is neither. */
export function homeDirectory(): string {
  if (process.env['HOME'] !== '' || process.platform === 'win32') return homedir();
  try {
    return userInfo().homedir;
  } catch {
    return '/'; // An account without a record: whatever is kept in its home is refused there, with the reason.
  }
}

/**
 * A folder of this user's own below the system's temporary one, the same at each start, so that a second start finds the
 * first; a fresh one where somebody else has that name.
 * @param configDir the configuration folder that can't be used
 */
export function temporaryProfile(configDir: string): string {
  const user = process.getuid?.() ?? 'user';
  const name = createHash('sha256').update(configDir).digest('hex').slice(0, 8);
  const folder = join(tmpdir(), `lab-manager-${user}-${name}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const isOwn = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
    if ((isOwn || process.platform === 'win32') && whyUnwritable(folder) === null) return folder;
  } catch {
    // Not ours to use: below is one that nobody else can have.
  }
  return mkdtempSync(join(tmpdir(), 'lab-manager-'));
}

/** What to do about a file of the last run that can't be read, as a sentence for window and tray. */
export function fileSentence({ path, use, reason }: FolderProblem): string {
  return `Lab Manager can’t read ${path}: ${reason}. ${use} of the last run are missing. Move that file away, then start Lab Manager again.`;
}

/** What to do about a folder, as a sentence for window, tray and log. */
export function folderSentence({ path, use, reason }: FolderProblem): string {
  return `Lab Manager can’t write to ${path}: ${reason}. ${use} will not be kept after it quits. Make the folder writable for your account, then start Lab Manager again.`;
}
