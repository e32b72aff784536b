/** A file of the service's own replaced whole, for its owner alone. */
import { open, rename, rm } from 'node:fs/promises';

export interface ReplaceOptions {
  /** Whose file it becomes; only root gives files away. */
  readonly owner?: { readonly uid: number; readonly gid: number } | null;
  /** Where it is written first; another one where several processes write the file. */
  readonly temporary?: string;
  /** Its permissions, where others than its owner may read it. */
  readonly mode?: number;
}

/**
 * A reader, or a crash, finds the old text or the new; resolves when the new one is on the disk.
 * @throws Error of the system when the folder or the disk takes nothing; the old file is as it was
 */
export async function replaceOwnFile(
  path: string,
  content: string | Uint8Array,
  { owner = null, temporary = `${path}.new`, mode = 0o600 }: ReplaceOptions = {},
): Promise<void> {
  try {
    const handle = await open(temporary, 'w', 0o600);
    try {
      if (owner !== null) await handle.chown(owner.uid, owner.gid);
      if (mode !== 0o600) await handle.chmod(mode);
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
