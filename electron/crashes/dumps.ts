/**
 * Crashpad's minidumps, which stay on this machine because they contain memory. Only names, sizes and times are listed,
 * never the content.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CrashDump } from '../../server/diagnostics/checks/check.ts';

/** The number of dumps that are kept; older ones are deleted. */
export const maxDumps = 10;
/**
 * Crashpad's folders: dumps being written, waiting for an upload, and completed; on Windows Crashpad has only `reports`.
 */
const folders = ['new', 'pending', 'completed', 'reports'] as const;

/** Returns the dumps below the folder, the newest first; empty if there are none. */
export async function listDumps(folder: string): Promise<readonly (CrashDump & { readonly path: string })[]> {
  const dumpsByFolder = await Promise.all(
    folders.map(async (name) => {
      const entries = await readdir(join(folder, name), { withFileTypes: true }).catch(() => []);
      const dumps = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.dmp'));
      return Promise.all(
        dumps.map(async (entry) => {
          const path = join(folder, name, entry.name);
          const stats = await stat(path).catch(() => null);
          return stats && { path, name: entry.name, bytes: stats.size, at: stats.mtime.toISOString() };
        }),
      );
    }),
  );
  return dumpsByFolder
    .flat()
    .filter((dump) => dump !== null)
    .toSorted((a, b) => b.at.localeCompare(a.at));
}

/**
 * Deletes the dumps that a logout caused: it kills the app's processes, and a page may crash.
 * @param since in ms since the epoch; older dumps are kept
 */
export async function discardDumps(folder: string, since: number): Promise<void> {
  const recentDumps = (await listDumps(folder)).filter(({ at }) => Date.parse(at) >= since);
  await Promise.all(recentDumps.map(({ path }) => rm(path, { force: true })));
}

/** Deletes all but the newest `maxDumps` dumps. */
export async function pruneDumps(folder: string): Promise<void> {
  const old = (await listDumps(folder)).slice(maxDumps);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}
