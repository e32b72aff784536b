/** How much space is left where settings, state and log are kept. */
import { statfs } from 'node:fs/promises';
import { nothingToDo, type Check, type Finding, type Folder } from './check.ts';
import { existingFolder } from './folders.ts';

const why = 'On a full disk no setting is saved, the history has holes, and the log ends where it is needed.';

const makeSpace = 'Make space on that disk.';

const mib = 1024 * 1024;
/** Less than this is left, in bytes. */
export const spaceLimits = { warning: 1024 * mib, problem: 100 * mib } as const;

/** `free` in bytes; `null` where it can't be known. */
export type Measured = Folder & { readonly free: number | null };

/** Folders on a disk that is nearly full; the limit that the fullest is below. */
export interface LowSpace {
  readonly limit: keyof typeof spaceLimits;
  readonly folders: readonly Measured[];
}

/** `null` where every disk has space. */
export function lowSpace(folders: readonly Measured[]): LowSpace | null {
  const below = (limit: number) => folders.filter(({ free }) => free !== null && free < limit);
  const low = below(spaceLimits.warning);
  if (low.length === 0) return null;
  return { limit: below(spaceLimits.problem).length > 0 ? 'problem' : 'warning', folders: low };
}

/** The same sentence while the figures change: a notice is read out at each change. */
export function lowSpaceText({ limit, folders }: LowSpace): string {
  const places = folders.map(({ use, path }) => `${use} (${path})`).join(', ');
  return `Less than ${spaceLimits[limit] / mib} MB of disk space is left: ${places}. ${makeSpace} ${why}`;
}

export function diskSpaceVerdict(folders: readonly Measured[]): Finding {
  const words = (found: typeof folders) =>
    found
      .map(({ use, path, free }) => `${use} (${path}) ${free === null ? 'unknown' : `${Math.floor(free / mib)} MB`}`)
      .join('; ');
  const low = lowSpace(folders);
  if (low !== null)
    return { result: low.limit, what: `Little space is left: ${words(low.folders)}.`, why, whatToDo: makeSpace };
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

/** Each folder with the bytes that are left on its disk. Never rejects. */
export function withFreeSpace(folders: readonly Folder[]): Promise<readonly Measured[]> {
  return Promise.all(folders.map(async (folder) => ({ ...folder, free: await freeBytes(folder.path) })));
}

export const diskSpace: Check = {
  id: 'disk-space',
  title: 'Disk space',
  run: async ({ folders }) => diskSpaceVerdict(await withFreeSpace(folders)),
};
