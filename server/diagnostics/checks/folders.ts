/** Folders and log files that are looked at. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../../api/errorText.ts';

export interface LogFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** When it was changed last, in ms since the epoch. */
  readonly changedAt: number;
}

/** `path`, or the nearest folder above that is there. @throws where none can be seen */
export async function existingFolder(path: string): Promise<string> {
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
