/**
 * Noticing that the settings changed: a watcher on every directory where a settings file is or could appear, and a slow
 * poll for directories that don't exist yet or can't be watched. Environment and arguments can't change in a process.
 */
import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { TaskQueue } from '../../concurrency/taskQueue.ts';
import { resolved, settingsFiles } from '../parse/discovery.ts';
import { loadSettings } from './load.ts';
import type { SettingsInputs, SettingsResult } from '../schema/types.ts';

export interface WatchOptions {
  /** Called with the new result whenever something changed in effect: a value, its file, or a problem. */
  readonly onChange: (result: SettingsResult) => void;
  /** What whoever watches has read already: a change since then is one, also from before the watch began. */
  readonly since?: SettingsResult;
  /** Aborting is the same as `stop()`. */
  readonly signal?: AbortSignal;
  /** Milliseconds of quiet before files are read again; an editor's save is several events. Default 150. */
  readonly debounceMs?: number;
  /** Milliseconds between two looks at directories that can't be watched. Default 2000. */
  readonly pollMs?: number;
}

export interface SettingsWatch {
  /** Fulfilled when everything that can be watched is. */
  readonly ready: Promise<void>;
  /** Ends every watcher and timer; no `onChange` comes afterwards. May be called again. */
  stop(): Promise<void>;
}

/** Names whose coming and going matters in a directory: `..data` is how mounted configuration volumes are switched. */
const names: ReadonlySet<string> = new Set([
  ...settingsFiles.map((file) => file.name),
  '.git',
  '.madsci',
  'managers',
  'config',
  '..data',
]);

/** What a change means to others: values, where they are from (lines move with every comment), and problems. */
function digest(result: SettingsResult): string {
  const values = result.ok
    ? result.effective.map(({ name, value, origin }) => [name, value, origin.source, origin.path, origin.name])
    : result.problems;
  return JSON.stringify([values, result.ok ? result.settings : null, result.warnings]);
}

/** Device and inode of what is there, `null` when nothing is. */
async function identityOf(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(path);
    return `${dev}:${ino}`;
  } catch {
    // Gone, or not to be seen: nothing to watch.
    return null;
  }
}

/** State of the settings files in a directory that can't be watched. */
async function fingerprint(dir: string, linked: ReadonlySet<string>): Promise<string> {
  if ((await identityOf(dir)) === null) return '';
  const states = await Promise.all(
    [...names, ...linked].map(async (name) => {
      try {
        const { ino, size, mtimeMs } = await stat(join(dir, name));
        return `${ino}:${size}:${mtimeMs}`;
      } catch {
        // Not there, which is a state like any other.
        return '-';
      }
    }),
  );
  return states.join();
}

class Watch implements SettingsWatch {
  readonly ready: Promise<void>;
  readonly #inputs: SettingsInputs;
  readonly #options: WatchOptions;
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>();
  readonly #polled = new Map<string, string>();
  #dirs: readonly string[] = [];
  /** Names of files that settings files are links to. */
  #linked: ReadonlySet<string> = new Set();
  #known = '';
  #debounce: NodeJS.Timeout | null = null;
  #poll: NodeJS.Timeout | null = null;
  readonly #queue = new TaskQueue();
  #stopped = false;

  constructor(inputs: SettingsInputs, options: WatchOptions) {
    this.#inputs = inputs;
    this.#options = options;
    this.ready = this.#queue.run(() => this.#begin());
    options.signal?.addEventListener('abort', this.#abort, { once: true });
    if (options.signal?.aborted === true) {
      this.#abort();
    }
  }

  readonly #abort = (): void => void this.stop();

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#options.signal?.removeEventListener('abort', this.#abort);
    clearTimeout(this.#debounce ?? undefined);
    clearTimeout(this.#poll ?? undefined);
    this.#closeAll();
    await this.#queue.settled();
  }

  async #begin(): Promise<void> {
    const result = this.#options.since ?? (await loadSettings(this.#inputs));
    this.#known = digest(result);
    this.#dirs = result.watchedDirs;
    await this.#syncWatchers();
    // What changed between that reading and the watchers' beginning is seen only by reading once more.
    await this.#check();
    this.#pollSoon();
  }

  /** Reads again and tells of a change; watches what is to be watched now. */
  async #check(): Promise<void> {
    if (this.#stopped) {
      return;
    }
    const result = await loadSettings(this.#inputs);
    this.#dirs = result.watchedDirs;
    const targets = await Promise.all(result.files.map((file) => resolved(file)));
    this.#linked = new Set(targets.map((target) => basename(target)));
    await this.#syncWatchers();
    const now = digest(result);
    if (now !== this.#known && !this.#stopped) {
      this.#known = now;
      this.#options.onChange(result);
    }
  }

  #checkSoon(): void {
    if (this.#stopped) {
      return;
    }
    clearTimeout(this.#debounce ?? undefined);
    this.#debounce = setTimeout(() => this.#inTurn(() => this.#check()), this.#options.debounceMs ?? 150).unref();
  }

  #inTurn(task: () => Promise<void>): void {
    // A look that failed (a directory that vanished under it) is followed by the next one; it must not end the watch.
    this.#queue.run(task).catch(() => this.#checkSoon());
  }

  #pollSoon(): void {
    if (this.#stopped) {
      return;
    }
    this.#poll = setTimeout(() => {
      this.#inTurn(async () => {
        try {
          await this.#checkUnwatched();
        } finally {
          this.#pollSoon();
        }
      });
    }, this.#options.pollMs ?? 2000).unref();
  }

  async #checkUnwatched(): Promise<void> {
    let changed = await this.#syncWatchers();
    for (const dir of this.#dirs.filter((each) => !this.#watchers.has(each))) {
      const state = await fingerprint(dir, this.#linked);
      changed ||= this.#polled.has(dir) && this.#polled.get(dir) !== state;
      this.#polled.set(dir, state);
    }
    if (changed) {
      await this.#check();
    }
  }

  /** Watches every directory that exists and no other; whether a watcher was added. */
  async #syncWatchers(): Promise<boolean> {
    let added = false;
    const watched = new Set(this.#dirs);
    for (const dir of new Set([...this.#watchers.keys(), ...watched])) {
      const identity = await identityOf(dir);
      const current = this.#watchers.get(dir);
      // A directory that was removed and made again has a watcher on the old one, which sees nothing.
      if (current !== undefined && (!watched.has(dir) || current.identity !== identity)) {
        this.#close(dir);
      }
      if (!this.#stopped && identity !== null && watched.has(dir) && !this.#watchers.has(dir)) {
        added = this.#open(dir, identity) || added;
      }
    }
    return added;
  }

  #open(dir: string, identity: string): boolean {
    try {
      const watcher = watch(dir, { persistent: false }, (_, name) => {
        const own = name === null || names.has(name) || this.#linked.has(name) || name === basename(dir);
        if (own) {
          this.#checkSoon();
        }
      });
      watcher.on('error', () => {
        this.#close(dir);
        this.#checkSoon();
      });
      this.#watchers.set(dir, { watcher, identity });
      this.#polled.delete(dir);
      return true;
    } catch {
      // No more watchers to be had, or no permission: the poll looks at this directory instead.
      return false;
    }
  }

  #close(dir: string): void {
    this.#watchers.get(dir)?.watcher.close();
    this.#watchers.delete(dir);
  }

  #closeAll(): void {
    for (const dir of this.#watchers.keys()) {
      this.#close(dir);
    }
  }
}

/**
 * Watches everything the settings depend on, from the call on. It doesn't keep the process alive, and says nothing
 * when a change has no effect (a comment, the same value).
 */
export function watchSettings(inputs: SettingsInputs, options: WatchOptions): SettingsWatch {
  return new Watch(inputs, options);
}
