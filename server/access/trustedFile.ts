/** Files whose content grants access: they are used only if no other account can have written them. */
import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Stats } from 'node:fs';
import { errorCode } from '../../api/errorText.ts';
import { ForeignFileError } from '../storage/replaceOwnFile.ts';

/** @throws {ForeignFileError} if another account may have written the file; Error of the system */
export async function refuseUntrusted(path: string): Promise<void> {
  const stats = await statIfExists(path);
  if (stats === null) return;
  if (stats.isSymbolicLink()) throw new ForeignFileError('it is a link');
  const uid = process.getuid?.();
  if (uid === undefined || !stats.isFile()) return;
  if ((stats.mode & 0o022) !== 0)
    throw new ForeignFileError('other accounts may write to it; check its content, then run chmod 600 on it');
  // Root's command line writes files for the account of the service, which owns the folder.
  const writer = uid === 0 ? (await stat(dirname(path))).uid : uid;
  if (stats.uid !== 0 && stats.uid !== writer) throw new ForeignFileError('it belongs to another account');
}

/** Identifies the version of a file and of the access to it; `null` if it does not exist. @throws Error of the system */
export async function fileFingerprint(path: string): Promise<string | null> {
  const stats = await statIfExists(path);
  return stats && [stats.ino, stats.mtimeMs, stats.ctimeMs, stats.size, stats.mode, stats.uid].join(' ');
}

async function statIfExists(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
