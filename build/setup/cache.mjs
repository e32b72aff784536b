// @ts-check
/** Files and folders that are fetched once and kept in the user's cache. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Returns the cached target; fetches it if it is missing.
 * @param {string} target absolute path of the file or folder
 * @param {(folder: string) => Promise<string>} fetch receives an empty folder, and resolves with the absolute path of the
 * file or folder that becomes the target
 * @returns {Promise<string>} the target
 */
export async function ensureCached(target, fetch) {
  if (!existsSync(target)) await replaceCached(target, fetch);
  return target;
}

/**
 * Fetches the target and replaces an existing one. A failed or interrupted download leaves the target unchanged.
 * @param {string} target @param {(folder: string) => Promise<string>} fetch as above
 */
export async function replaceCached(target, fetch) {
  // Next to the target, because a rename works only within one file system.
  const folder = `${target}.tmp-${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const fetched = await fetch(folder);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true });
    renameSync(fetched, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
