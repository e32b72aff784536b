/** A file of the service's own replaced whole, for its owner alone. */
import { open, rename } from 'node:fs/promises';

export interface ReplaceOptions {
  /** Whose file it becomes; only root gives files away. */
  readonly owner?: { readonly uid: number; readonly gid: number } | null;
  /** Where it is written first; another one where several processes write the file. */
  readonly temporary?: string;
}

/**
 * A reader, or a crash, finds the old text or the new; resolves when the new one is on the disk.
 * @throws Error of the system when the folder or the disk takes nothing; the old file is as it was
 */
export async function replaceOwnFile(
  path: string,
  content: string | Uint8Array,
  { owner = null, temporary = `${path}.new` }: ReplaceOptions = {},
): Promise<void> {
  const handle = await open(temporary, 'w', 0o600);
  try {
    if (owner !== null) await handle.chown(owner.uid, owner.gid);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
}
