/** Files of the service's own: read within bounds, and replaced whole, for their owner alone. */
import { constants, open, rename, rm, stat } from 'node:fs/promises';
import { errorCode } from '../../api/errorText.ts';

/** What lies there is no file that the service wrote; the message completes "… can't be read: it …". */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError';
}

/** Larger than all that the service writes but its history. */
const maxBytes = 4 * 1024 * 1024;

/** The text of a file; `null` where there is none. @throws {ForeignFileError} Error of the system */
export async function readOwnFile(path: string, limit = maxBytes): Promise<string | null> {
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for its other end, and the end of the process for that.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new ForeignFileError('it is not a file');
      if (found.size > limit)
        throw new ForeignFileError(`it has ${Math.ceil(found.size / 1e6)} MB, which is too large`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A device, a FIFO or a folder is somebody else's and stays. @throws {ForeignFileError} Error of the system */
async function refuseForeign(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (found?.isFile() === false) throw new ForeignFileError('it is not a file');
}

export interface ReplaceOptions {
  /** Whose file it becomes; only root gives files away. */
  readonly owner?: { readonly uid: number; readonly gid: number } | null;
  /** Where it is written first; another one where several processes write the file. */
  readonly temporary?: string;
  /** Its permissions, where others than its owner may read it; `null` for those of any new file of this account. */
  readonly mode?: number | null;
}

/**
 * A reader, or a crash, finds the old text or the new; resolves when the new one is on the disk.
 * @throws {ForeignFileError} Error of the system when the folder or the disk takes nothing; the old file is as it was
 */
export async function replaceOwnFile(
  path: string,
  content: string | Uint8Array,
  { owner = null, temporary = `${path}.new`, mode = 0o600 }: ReplaceOptions = {},
): Promise<void> {
  await refuseForeign(path);
  try {
    // Opening a FIFO of that name would wait for its other end.
    await rm(temporary, { force: true });
    const handle = await open(temporary, 'wx', mode === null ? 0o666 : 0o600);
    try {
      if (owner !== null) await handle.chown(owner.uid, owner.gid);
      if (mode !== null && mode !== 0o600) await handle.chmod(mode);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    // What is left of a full disk's attempt is not to stay on it.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** What root writes for a service of another user must be readable for that one: it belongs to whoever has the folder. */
export async function ownerForRoot(folder: string): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = await stat(folder);
  return { uid, gid };
}
