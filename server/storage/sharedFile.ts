/**
 * Changes of a file that several processes write: each one reads what the previous one has written. The lock is a separate
 * file, because `flock` of the ID registry (`identity/fileLock.ts`) needs a program that macOS lacks.
 */
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { clock } from '../../api/time/clock.ts';
import { pause } from '../../api/time/pause.ts';
import { errorCode } from '../../api/errorText.ts';
import { ownerForRoot, replaceOwnFile } from './replaceOwnFile.ts';
import { failedWriteText, describeWriteErrors } from './writeAccess.ts';

/** A lock of this age, in ms, belongs to a process that ended without removing it: a change takes less time. */
const staleAfterMs = 5000;
const retryIntervalMs = 20;
/** Timeout for acquiring the lock, in ms. */
const lockTimeoutMs = 10_000;
/** Opening a file that is being deleted fails on Windows with EPERM, EACCES or EBUSY. */
const lockedCodes = new Set<string | null>(
  process.platform === 'win32' ? ['EEXIST', 'EPERM', 'EACCES', 'EBUSY'] : ['EEXIST'],
);

/**
 * Replaces the content of a file while no other process changes it. Its folder is created if it does not exist.
 * @param change reads the current content and returns the new one
 * @param toText the text of a content
 * @returns the new content
 * @throws Error with a user-facing message, or what `change` throws; the file is unchanged then
 */
export async function changeSharedFile<Content>(
  path: string,
  change: () => Promise<Content>,
  toText: (content: Content) => string,
): Promise<Content> {
  const folder = dirname(path);
  const lock = `${path}.lock`;
  await describeWriteErrors(path, () => mkdir(folder, { recursive: true, mode: 0o700 }));
  await acquireLock(path, lock);
  try {
    const content = await change();
    await describeWriteErrors(path, async () =>
      replaceOwnFile(path, toText(content), { owner: await ownerForRoot(folder) }),
    );
    return content;
  } finally {
    await rm(lock, { force: true });
  }
}

async function acquireLock(path: string, lock: string): Promise<void> {
  const deadline = clock.monotonic() + lockTimeoutMs;
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      return;
    } catch (error) {
      if (!lockedCodes.has(errorCode(error))) throw new Error(await failedWriteText(path, error), { cause: error });
      if (clock.monotonic() >= deadline)
        throw new Error(
          `${path} is being changed by another program. Try again; if no other program runs, remove ${lock}`,
          {
            cause: error,
          },
        );
    }
    if (await isStale(lock)) await rm(lock, { force: true });
    else await pause(retryIntervalMs);
  }
}

async function isStale(lock: string): Promise<boolean> {
  const lockStats = await stat(lock).catch(() => null);
  // A clock that was set back gives the lock a time in the future.
  return lockStats !== null && Math.abs(clock.now() - lockStats.mtimeMs) > staleAfterMs;
}
