/** A file of the service's own replaced whole, for its owner alone. */
import { open, rename } from 'node:fs/promises';

/**
 * A reader, or a crash, finds the old text or the new; resolves when the new one is on the disk. One process writes it.
 * @throws Error of the system when the folder or the disk takes nothing; the old file is as it was
 */
export async function replaceOwnFile(path: string, content: string | Uint8Array): Promise<void> {
  const next = `${path}.new`;
  const handle = await open(next, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, path);
}
