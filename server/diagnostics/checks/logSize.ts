/** How much the log takes. */
import { nothingToDo, opening, type Check, type Finding } from './check.ts';
import { logFilesIn } from './folders.ts';

const why =
  'The log is rotated at 5 MB; one that takes much more is not rotated, or something else writes into its folder.';

const mib = 1024 * 1024;
/** More than this is told, in bytes. */
export const mostLogBytes = 100 * mib;

export function logSizeVerdict(path: string, files: number, bytes: number): Finding {
  const what = `${files} ${files === 1 ? 'file' : 'files'}, ${(bytes / mib).toFixed(1)} MB, in ${path}.`;
  return bytes > mostLogBytes
    ? {
        result: 'warning',
        what,
        why,
        whatToDo: 'Look what is there, and delete files that nobody needs.',
        fix: opening('open-log-folder', 'Open log folder'),
      }
    : { result: 'ok', what, why, whatToDo: nothingToDo };
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
