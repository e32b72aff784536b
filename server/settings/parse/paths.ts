/** Paths as people write them in settings: `~`, relative ones, and the lab's own `.madsci/`. */
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** `~` and `~/x` with the home directory in place of the tilde; `~user` is left alone. */
export function expandHome(path: string, homeDir: string): string {
  return path === '~' ? homeDir : /^~[/\\]/.test(path) ? join(homeDir, path.slice(2)) : path;
}

/** Where relative paths of a source start, and what `~` and `.madsci/` stand for. */
export interface PathBase {
  readonly baseDir: string;
  readonly homeDir: string;
  readonly madsciDir: string;
}

/** The absolute path that a written one means. */
export function resolveWritten(path: string, base: PathBase): string {
  if (/^\.madsci(?:[/\\]|$)/.test(path)) {
    return resolve(base.madsciDir, path.replace(/^\.madsci[/\\]*/, ''));
  }
  return resolve(base.baseDir, expandHome(path, base.homeDir));
}

async function exists(path: string, accept: 'directory' | 'any'): Promise<boolean> {
  try {
    return accept === 'any' ? Boolean(await stat(path)) : (await stat(path)).isDirectory();
  } catch {
    // Whatever the reason it can't be seen, it can't be used either.
    return false;
  }
}

/**
 * The lab's `.madsci` directory: the nearest existing one from the start directory up (ten parents, not above the home
 * directory), else beside the nearest `.git`, else the one in the home directory. It need not exist.
 * Unlike the search for settings files, this one goes on past a `.git`. Source: MADSci 0.8.1.
 */
export async function madsciDirectory(start: string | null, homeDir: string): Promise<string> {
  const maxParents = 10;
  let besideGit: string | null = null;
  let dir = start;
  for (let level = 0; dir !== null && level <= maxParents; level += 1) {
    const here = join(dir, '.madsci');
    if (await exists(here, 'directory')) {
      return here;
    }
    besideGit ??= (await exists(join(dir, '.git'), 'any')) ? here : null;
    const parent = dirname(dir);
    dir = parent === dir || dir === homeDir ? null : parent;
  }
  return besideGit ?? join(homeDir, '.madsci');
}
