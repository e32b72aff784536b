/** How much space is left where settings, state and log are kept. */
import { statfs } from 'node:fs/promises';
import { nothingToDo, type Check, type Finding, type Folder } from '../check.ts';
import { existingFolder } from '../folders.ts';

const why = 'On a full disk no setting is saved, the history has holes, and the log ends where it is needed.';

const mib = 1024 * 1024;
/** Less than this is left, in bytes. */
export const spaceLimits = { warning: 1024 * mib, problem: 100 * mib } as const;

/** `free` in bytes; `null` where it can't be known. */
export function diskSpaceVerdict(folders: readonly (Folder & { readonly free: number | null })[]): Finding {
  const words = (found: typeof folders) =>
    found
      .map(({ use, path, free }) => `${use} (${path}) ${free === null ? 'unknown' : `${Math.floor(free / mib)} MB`}`)
      .join('; ');
  const below = (limit: number) => folders.filter(({ free }) => free !== null && free < limit);
  const full = below(spaceLimits.warning);
  if (full.length > 0)
    return {
      result: below(spaceLimits.problem).length > 0 ? 'problem' : 'warning',
      what: `Little space is left: ${words(full)}.`,
      why,
      whatToDo: 'Make space on that disk.',
    };
  if (folders.every(({ free }) => free === null))
    return { result: 'unknown', what: 'The system does not tell how much space is left.', why, whatToDo: nothingToDo };
  return { result: 'ok', what: `Space left: ${words(folders)}.`, why, whatToDo: nothingToDo };
}

async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(await existingFolder(path));
    return bavail * bsize;
  } catch {
    return null; // Not told, which the verdict says.
  }
}

export const diskSpace: Check = {
  id: 'disk-space',
  title: 'Disk space',
  run: async ({ folders }) =>
    diskSpaceVerdict(
      await Promise.all(folders.map(async (folder) => ({ ...folder, free: await freeBytes(folder.path) }))),
    ),
};
