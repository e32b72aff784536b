/** Rotates all log files of the project: five files of 5 MB. */
import { existsSync, renameSync } from 'node:fs';

/** The desktop app's log, separate from the service's. */
export const desktopLogName = 'desktop.log';
/** Maximum size of a log file in bytes before it is rotated. */
export const maxLogFileBytes = 5 * 1024 * 1024;
/** `lab-manager.1.log`, the newest of them, to `lab-manager.4.log`. */
const olderFiles = 4;

/** Full paths of a log file and its older versions, the newest first, even if missing. */
export function rotatedPaths(path: string): readonly string[] {
  return Array.from({ length: olderFiles + 1 }, (_, age) => (age === 0 ? path : path.replace(/\.log$/, `.${age}.log`)));
}

/** The part of electron-log's file object that rotation uses. */
interface FullLogFile {
  readonly path: string;
  clear(): void;
}

/** Renames each file to the next number and drops the oldest. */
export function rotateLog(file: FullLogFile): void {
  const paths = rotatedPaths(file.path);
  try {
    for (let age = olderFiles; age > 0; age -= 1) {
      const [from = '', to = ''] = [paths[age - 1], paths[age]];
      if (existsSync(from)) renameSync(from, to);
    }
  } catch {
    // If renaming is not permitted in the folder, clear the file rather than fill the disk.
    file.clear();
  }
}
