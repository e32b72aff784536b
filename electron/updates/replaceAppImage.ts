/** Replaces the running AppImage by a downloaded one, atomically, so that the file is always complete. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorCode, errorText } from '../../api/errorText.ts';
import { cleanText } from '../../server/logging/text.ts';

/**
 * @param file the downloaded package @param sha512 the feed's hash of it, in base64
 * @param target absolute path of the running AppImage
 * @throws Error with a user-facing message; the running AppImage is unchanged then
 */
export async function replaceAppImage(file: string, sha512: string, target: string): Promise<void> {
  const temporaryFile = `${target}.${randomBytes(4).toString('hex')}.new`;
  try {
    await copyFile(file, temporaryFile);
    // The copy is verified, because the download may have changed since its check.
    const hash = createHash('sha512');
    await pipeline(createReadStream(temporaryFile), hash);
    if (hash.digest('base64') !== sha512) throw new ChangedPackage();
    const currentStats = await stat(target).catch(() => null);
    const handle = await open(temporaryFile, 'r');
    try {
      await handle.chmod(((currentStats?.mode ?? 0o755) & 0o777) | 0o100);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporaryFile, target);
  } catch (error) {
    await rm(temporaryFile, { force: true });
    throw new Error(`The new version can’t be put in the place of ${target}: ${describeFailure(error, file, target)}`, {
      cause: error,
    });
  }
}

class ChangedPackage extends Error {}

/**
 * Returns the reason and the remedy.
 * @param file the downloaded package @param target absolute path of the running AppImage
 */
export function describeFailure(error: unknown, file: string, target: string): string {
  if (error instanceof ChangedPackage)
    return 'the downloaded file is no longer the package in the feed (its SHA-512 differs). Download it again';
  if (!existsSync(file)) return 'the downloaded file is missing. Download it again';
  const code = errorCode(error) ?? '';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `you may not write to ${dirname(target)}. Move the AppImage to a folder that you may write to, and start it from there`;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full. Free some space on it, and try again';
  if (code === 'ENOENT') return 'that folder no longer exists. Start the AppImage from its current location';
  return cleanText(errorText(error), 300);
}
