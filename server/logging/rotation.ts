/** How every log file of ours is rotated: five files of 5 MB. */
import { existsSync, renameSync } from 'node:fs';

/** The desktop app's log, beside the service's. */
export const desktopLogName = 'desktop.log';
/** A log file is rotated beyond this size, in bytes. */
export const maxLogFileBytes = 5 * 1024 * 1024;
/** `lab-manager.1.log`, the newest of them, to `lab-manager.4.log`. */
const olderFiles = 4;

/** Whole paths of a log file and of those before it, the newest first, whether or not they are there. */
export function rotatedPaths(path: string): readonly string[] {
  return Array.from({ length: olderFiles + 1 }, (_, age) => (age === 0 ? path : path.replace(/\.log$/, `.${age}.log`)));
}

/** What electron-log gives of a file that is too large. */
interface FullLogFile {
  readonly path: string;
  clear(): void;
}

/** Moves each file one further, the oldest away. */
export function rotateLog(file: FullLogFile): void {
  const paths = rotatedPaths(file.path);
  try {
    for (let age = olderFiles; age > 0; age -= 1) {
      const [from = '', to = ''] = [paths[age - 1], paths[age]];
      if (existsSync(from)) renameSync(from, to);
    }
  } catch {
    // In a folder in which nothing may be renamed the file begins anew, rather than fill the disk.
    file.clear();
  }
}
