/** The files of a served folder. Symbolic links may point anywhere; only what really lies in the folder is there. */
import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

export class FolderFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The file at `path` (decoded, from the folder's root, with a leading slash), its index page for `…/`; or `null`. */
  async find(path: string): Promise<string | null> {
    const file = path.endsWith('/') ? `${path}index.html` : path;
    return (await this.#isInside(join(this.#root, file))) ? file : null;
  }

  async #isInside(file: string): Promise<boolean> {
    try {
      const [root, real] = await Promise.all([realpath(this.#root), realpath(file)]);
      return real.startsWith(root.endsWith(sep) ? root : root + sep) && (await stat(real)).isFile();
    } catch (error) {
      if (isNotThere(error)) return false;
      throw error;
    }
  }
}

export async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isFileError(error)) return false;
    throw error;
  }
}

/** What a path that leads nowhere ends in; any other error (no permission, too many open files, a lost disk) is ours. */
const nowhere: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL']);

function isNotThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && nowhere.has(error.code);
}

/** An error of the file system, as against one of ours. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
