/** Checks the free disk space for settings, state and log, and the size of the log. */
import { statfs, readdir, stat } from 'node:fs/promises';
import { finding, type Check, type Finding, type Folder } from './check.ts';
import { dirname, join } from 'node:path';
import { errorCode } from '#api/errorText.ts';
import { plural } from '#api/countText.ts';

const spaceWhy = 'On a full disk settings cannot be saved, and the history and the log have gaps.';

const makeSpace = 'Free space on that disk.';

const mib = 1024 * 1024;
/** Limits of the free space, in bytes. */
export const spaceLimits = { warning: 1024 * mib, problem: 100 * mib } as const;

/** `free` in bytes; `null` if unknown. */
export type MeasuredFolder = Folder & { readonly free: number | null };

/** The folders on nearly full disks, and the lowest limit that one of them is below. */
export interface LowSpace {
  readonly limit: keyof typeof spaceLimits;
  readonly folders: readonly MeasuredFolder[];
}

/** `null` if every disk has enough space. */
export function lowSpace(folders: readonly MeasuredFolder[]): LowSpace | null {
  const below = (limit: number) => folders.filter(({ free }) => free !== null && free < limit);
  const low = below(spaceLimits.warning);
  if (low.length === 0) return null;
  return { limit: below(spaceLimits.problem).length > 0 ? 'problem' : 'warning', folders: low };
}

/**
 * Describes low space without measured values, because screen readers announce each change of a notice.
 */
export function lowSpaceText({ limit, folders }: LowSpace): string {
  const folderList = folders.map(({ use, path }) => `${use} (${path})`).join(', ');
  return `Less than ${spaceLimits[limit] / mib} MB of disk space is left: ${folderList}. ${makeSpace} ${spaceWhy}`;
}

export function diskSpaceFinding(folders: readonly MeasuredFolder[]): Finding {
  const describe = (listed: typeof folders) =>
    listed
      .map(({ use, path, free }) => `${use} (${path}) ${free === null ? 'unknown' : `${Math.floor(free / mib)} MB`}`)
      .join('; ');
  const low = lowSpace(folders);
  if (low !== null) return finding(low.limit, `Little free space: ${describe(low.folders)}.`, makeSpace);
  if (folders.every(({ free }) => free === null))
    return finding('unknown', 'The system does not report its free space.');
  return finding('ok', `Space left: ${describe(folders)}.`);
}

async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(await existingFolder(path));
    return bavail * bsize;
  } catch {
    return null; // Unknown, which the finding reports.
  }
}

/** Each folder with the free bytes of its disk. Never rejects. */
export function measureFreeSpace(folders: readonly Folder[]): Promise<readonly MeasuredFolder[]> {
  return Promise.all(folders.map(async (folder) => ({ ...folder, free: await freeBytes(folder.path) })));
}

export const diskSpace: Check = {
  id: 'disk-space',
  title: 'Disk space',
  guide: 'troubleshooting.html#disk-space-size-of-the-log',
  why: spaceWhy,
  run: async ({ folders }) => diskSpaceFinding(await measureFreeSpace(folders)),
};

/** Logs above this size are reported, in bytes. */
export const maxLogBytes = 100 * mib;

export function logSizeFinding(path: string, files: number, bytes: number): Finding {
  const what = `${plural(files, 'file')}, ${(bytes / mib).toFixed(1)} MB, in ${path}.`;
  return bytes > maxLogBytes
    ? finding('warning', what, 'Check the files there, and delete those that are not needed.', {
        id: 'open-log-folder',
        label: 'Open log folder',
        command: null,
      })
    : finding('ok', what);
}

export const logSize: Check = {
  id: 'log-size',
  title: 'Size of the log',
  guide: 'troubleshooting.html#disk-space-size-of-the-log',
  why: 'The log is rotated at 5 MB; one that takes much more is not rotated, or something else writes into its folder.',
  async run({ folders }) {
    const path = folders.find(({ use }) => use === 'log')?.path ?? '';
    const files = await logFilesIn(path);
    return logSizeFinding(
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
  /** Time of its last change, in ms since the epoch. */
  readonly changedAt: number;
}

/** `path`, or its nearest existing parent folder. @throws if none is readable */
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

/** The log files of a folder, the newest first; empty if the folder does not exist. Links are ignored. */
export async function logFilesIn(folder: string): Promise<readonly LogFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile() && /\.log(\.\w+)?$/.test(entry.name))
      .map(async ({ name }): Promise<LogFile | null> => {
        const path = join(folder, name);
        // `null` if the file was rotated meanwhile.
        const stats = await stat(path).catch(() => null);
        return stats && { name, path, bytes: stats.size, changedAt: stats.mtimeMs };
      }),
  );
  return files.filter((file) => file !== null).toSorted((a, b) => b.changedAt - a.changedAt);
}
