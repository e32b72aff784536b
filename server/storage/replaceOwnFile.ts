/** The service's own files: read with a size limit, and replaced atomically, accessible only to their owner. */
import { chown, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../api/errorText.ts';
import { retryWhileLocked } from './lockedFiles.ts';

/** The service did not write the file; the message completes "… can't be read: it …". */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError';
}

/** Larger than all files that the service writes, except its history. */
const maxBytes = 4 * 1024 * 1024;

/** The text of a file; `null` if it does not exist. @throws {ForeignFileError} {LockedFileError} Error of the system */
export async function readOwnFile(path: string, limit = maxBytes): Promise<string | null> {
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for its other end, and so would the end of the process.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
    const handle = await retryWhileLocked('open', () => open(path, flags));
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new ForeignFileError('it is not a file');
      if (stats.size > limit)
        throw new ForeignFileError(`it has ${Math.ceil(stats.size / 1e6)} MB, which is too large`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Identifies the version of a file; `null` if it does not exist. @throws Error of the system */
export async function fileVersion(path: string): Promise<string | null> {
  try {
    const { ino, mtimeMs, size } = await stat(path);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Refuses to replace a device, a FIFO or a folder.
 * @returns the mode of the file; `null` if it does not exist
 * @throws {ForeignFileError} Error of the system
 */
async function assertRegularFile(path: string): Promise<number | null> {
  const stats = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (stats?.isFile() === false) throw new ForeignFileError('it is not a file');
  return stats?.mode ?? null;
}

export interface ReplaceOptions {
  /** The new owner of the file; only root can change it. */
  readonly owner?: { readonly uid: number; readonly gid: number } | null;
  /** Path of the temporary file; set it if several processes write the file. */
  readonly temporary?: string;
  /** Its permissions, if others than its owner may read it; `null` for the defaults of a new file of this account. */
  readonly mode?: number | null;
}

/**
 * Replaces a file atomically, also in a crash; resolves when the new text is on disk.
 * @throws {ForeignFileError} {LockedFileError} Error of the system if the folder or the disk rejects the write; the old
 *   file is unchanged then
 */
export async function replaceOwnFile(
  path: string,
  content: string | Uint8Array,
  { owner = null, temporary = `${path}.new`, mode = 0o600 }: ReplaceOptions = {},
): Promise<void> {
  const currentMode = await assertRegularFile(path);
  try {
    // Opening a FIFO with the name of the temporary file would wait for its other end.
    const create = () => open(temporary, 'wx', mode === null ? 0o666 : 0o600);
    const handle = await create().catch(async (error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
      await rm(temporary, { force: true });
      return create();
    });
    try {
      if (owner !== null) await handle.chown(owner.uid, owner.gid);
      if (mode !== null && mode !== 0o600) await handle.chmod(mode);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const replace = () => rename(temporary, path);
    // For a read-only file, which a retry cannot replace, Windows returns the same error code as for an open one.
    const isReadOnly = currentMode !== null && (currentMode & 0o200) === 0;
    await (isReadOnly ? replace() : retryWhileLocked('replace', replace));
  } catch (error) {
    // Remove the partial file of a write to a full disk.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** As `replaceOwnFile`; creates the file's folder, which is accessible only to its owner, if it is missing. */
export async function replaceInOwnFolder(
  path: string,
  content: string | Uint8Array,
  options: Pick<ReplaceOptions, 'owner'> = {},
): Promise<void> {
  try {
    await replaceOwnFile(path, content, options);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    const folder = dirname(path);
    const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
    if (isNew && options.owner != null) await chown(folder, options.owner.uid, options.owner.gid);
    await replaceOwnFile(path, content, options);
  }
}

/** The owner for a file that root writes: that of the folder, so that the service can read it. `null` without root. */
export async function ownerForRoot(folder: string): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = await stat(folder);
  return { uid, gid };
}
