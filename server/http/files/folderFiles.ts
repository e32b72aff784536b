/**
 * The files of a served folder. Symbolic links may point anywhere; only files that are actually inside the folder are
 * served.
 */
import { constants, open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { finished } from 'node:stream';
import { errorCode } from '#api/errorText.ts';

/** An opened file inside the folder; content is read from this descriptor, even if the path changes. */
export interface OpenFile {
  /** From the folder's root, with a leading slash. */
  readonly path: string;
  readonly handle: FileHandle;
  readonly stats: Stats;
}

export class FolderFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The file at `path` (decoded, from the folder's root, with a leading slash), its index page for `…/`; or `null`. It is
   * closed when the response has ended for any reason, also if that was before the file was open.
   */
  async open(path: string, response: ServerResponse): Promise<OpenFile | null> {
    const file = path.endsWith('/') ? `${path}index.html` : path;
    // On Windows a colon separates the name of a stream: `index.html::$DATA` is the file with another extension.
    if (process.platform === 'win32' && file.includes(':')) return null;
    try {
      // Without O_NONBLOCK, opening a FIFO would wait.
      const handle = await open(join(this.#root, file), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const stats = await handle.stat();
        if (stats.isFile() && (await this.#isInside(handle, stats, join(this.#root, file)))) {
          finished(response, () => void handle.close().catch(() => undefined));
          return { path: file, handle, stats };
        }
      } catch (error) {
        await handle.close();
        throw error;
      }
      await handle.close();
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return null;
  }

  /** Checks the descriptor, not the path: a link that changes in between must not lead outside. */
  async #isInside(handle: FileHandle, stats: Stats, path: string): Promise<boolean> {
    const root = await realpath(this.#root);
    const isBelowRoot = (realTarget: string) => realTarget.startsWith(root.endsWith(sep) ? root : root + sep);
    if (process.platform === 'linux') return isBelowRoot(await readlink(`/proc/self/fd/${handle.fd}`));
    const realTarget = await realpath(path);
    const { ino, dev } = await stat(realTarget);
    return (
      isBelowRoot(realTarget) &&
      !isHiddenOnWindows(relative(root, realTarget)) &&
      ino === stats.ino &&
      dev === stats.dev
    );
  }
}

/** On Windows each file also has a short name: `ENV~1` is `.env`, which `classifyPath` does not recognize. */
function isHiddenOnWindows(path: string): boolean {
  return process.platform === 'win32' && path.split(sep).some((name) => name.startsWith('.'));
}

export async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isFileError(error)) return false;
    throw error;
  }
}

/**
 * Error codes of a path without a file; any other error (no permission, too many open files, a lost disk) is a server
 * error.
 */
const missingFileCodes: ReadonlySet<string | null> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EINVAL',
  'EISDIR',
  'ENXIO',
]);

function isMissing(error: unknown): boolean {
  return missingFileCodes.has(errorCode(error));
}

/** Whether it is a file system error, as opposed to an error of this program's code. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
