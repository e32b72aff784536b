/** Whether settings, state and log have space on the disk, and how much of it the log takes. */
import { statfs, readdir, stat } from 'node:fs/promises';
import { nothingToDo, type Check, type Finding, type Folder, opening } from './check.ts';
import { dirname, join } from 'node:path';
import { errorCode } from '../../../api/errorText.ts';

const spaceWhy = 'On a full disk no setting is saved, the history has holes, and the log ends where it is needed.';

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
  return `Less than ${spaceLimits[limit] / mib} MB of disk space is left: ${places}. ${makeSpace} ${spaceWhy}`;
}

export function diskSpaceVerdict(folders: readonly Measured[]): Finding {
  const text = (found: typeof folders) =>
    found
      .map(({ use, path, free }) => `${use} (${path}) ${free === null ? 'unknown' : `${Math.floor(free / mib)} MB`}`)
      .join('; ');
  const low = lowSpace(folders);
  if (low !== null)
    return {
      result: low.limit,
      what: `Little space is left: ${text(low.folders)}.`,
      why: spaceWhy,
      whatToDo: makeSpace,
    };
  if (folders.every(({ free }) => free === null))
    return {
      result: 'unknown',
      what: 'The system does not tell how much space is left.',
      why: spaceWhy,
      whatToDo: nothingToDo,
    };
  return { result: 'ok', what: `Space left: ${text(folders)}.`, why: spaceWhy, whatToDo: nothingToDo };
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

const logWhy =
  'The log is rotated at 5 MB; one that takes much more is not rotated, or something else writes into its folder.';

/** More than this is told, in bytes. */
export const maxLogBytes = 100 * mib;

export function logSizeVerdict(path: string, files: number, bytes: number): Finding {
  const what = `${files} ${files === 1 ? 'file' : 'files'}, ${(bytes / mib).toFixed(1)} MB, in ${path}.`;
  return bytes > maxLogBytes
    ? {
        result: 'warning',
        what,
        why: logWhy,
        whatToDo: 'Look what is there, and delete files that nobody needs.',
        fix: opening('open-log-folder', 'Open log folder'),
      }
    : { result: 'ok', what, why: logWhy, whatToDo: nothingToDo };
}

export const logSize: Check = {
  id: 'log-size',
  title: 'Size of the log',
  async run({ folders }) {
    const path = folders.find(({ use }) => use === 'log')?.path ?? '';
    const files = await logFilesIn(path);
    return logSizeVerdict(
      path,
      files.length,
      files.reduce((sum, { bytes }) => sum + bytes, 0),
    );
  },
};

export interface LogFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** When it was changed last, in ms since the epoch. */
  readonly changedAt: number;
}

/** `path`, or the nearest folder above that is there. @throws where none can be seen */
async function existingFolder(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      if ((await stat(folder)).isDirectory()) return folder;
    } catch (error) {
      const code = errorCode(error);
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || folder === dirname(folder)) throw error;
    }
  }
}

/** The log files of a folder, the newest first; none where there is no such folder. Links are left alone. */
export async function logFilesIn(folder: string): Promise<readonly LogFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile() && /\.log(\.\w+)?$/.test(entry.name))
      .map(async ({ name }): Promise<LogFile | null> => {
        const path = join(folder, name);
        // Rotated away meanwhile.
        const found = await stat(path).catch(() => null);
        return found && { name, path, bytes: found.size, changedAt: found.mtimeMs };
      }),
  );
  return files.filter((file) => file !== null).toSorted((a, b) => b.changedAt - a.changedAt);
}
