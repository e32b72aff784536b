/**
 * Detects changes of the settings: a watcher on every directory where a settings file is or could appear, and a slow poll
 * for directories that do not exist or cannot be watched. Environment and arguments cannot change in a process.
 */
import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { clock } from '#api/time/clock.ts';
import { TaskQueue } from '../../concurrency/taskQueue.ts';
import { resolvePath, settingsFiles, startFolderNames } from '../parse/discovery.ts';
import { loadSettings } from './load.ts';
import type { SettingsInputs, SettingsResult } from '../schema/types.ts';

export interface WatchOptions {
  /** The result of the caller's last read, so that changes between that read and the start of the watch are reported. */
  readonly lastResult: SettingsResult;
  /** Called with the new result after each effective change: of a value, its file, or a problem. */
  readonly onChange: (result: SettingsResult) => void;
  /** Milliseconds without events before files are read, and before a change is confirmed. Default 150. */
  readonly debounceMs?: number;
  /** Poll interval of directories that cannot be watched, in milliseconds. Default 2000. */
  readonly pollMs?: number;
}

/** Names in a directory whose changes are relevant; `..data` is the link by which mounted volumes switch their content. */
const relevantNames: ReadonlySet<string> = new Set([
  ...settingsFiles.map((file) => file.name),
  '.git',
  '.madsci',
  ...startFolderNames,
  '..data',
]);

/** The relevant content of a result: values, their origins and problems. Without line numbers, which change with every comment. */
function digest(result: SettingsResult): string {
  const values = result.ok
    ? result.effective.map(({ name, value, origin }) => [name, value, origin.source, origin.path, origin.name])
    : result.problems;
  return JSON.stringify([values, result.ok ? result.settings : null, result.warnings]);
}

/** Device and inode of a path, `null` if it does not exist. */
async function readIdentity(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(path);
    return `${dev}:${ino}`;
  } catch {
    // Missing or unreadable: nothing to watch.
    return null;
  }
}

/**
 * Watches the settings files from its creation on. It does not keep the process alive, and does not report changes without
 * effect (a comment, the same value).
 */
export class SettingsWatch {
  /** Fulfilled when all watchers are active. */
  readonly ready: Promise<void>;
  readonly #inputs: SettingsInputs;
  readonly #options: WatchOptions;
  /** `watcher`: `null` for a directory that cannot be watched, which is read at each poll. */
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher | null; readonly identity: string }>();
  #dirs: readonly string[];
  /** The names of the files to which settings files link. */
  #linkTargetNames: ReadonlySet<string> = new Set();
  #knownDigest: string;
  /** The digest of a changed result, which the next read must confirm. */
  #unconfirmedDigest: string | null = null;
  #debounce: NodeJS.Timeout | null = null;
  #poll: NodeJS.Timeout | null = null;
  readonly #queue = new TaskQueue();
  #isStopped = false;

  constructor(inputs: SettingsInputs, options: WatchOptions) {
    this.#inputs = inputs;
    this.#options = options;
    this.#knownDigest = digest(options.lastResult);
    this.#dirs = options.lastResult.watchedDirs;
    this.ready = this.#queue.run(() => this.#begin());
  }

  /** Ends every watcher and timer; `onChange` is not called afterwards. May be called repeatedly. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clock.clearTimeout(this.#debounce ?? undefined);
    clock.clearTimeout(this.#poll ?? undefined);
    for (const dir of this.#watchers.keys()) this.#close(dir);
    await this.#queue.settled();
  }

  async #begin(): Promise<void> {
    await this.#syncWatchers();
    // The watchers report no change from before their start.
    await this.#check();
    this.#schedulePoll();
  }

  /**
   * Reads again and updates the watched directories. A change is reported once two consecutive reads agree, because a
   * file that another program has truncated and not yet written is valid and empty.
   */
  async #check(): Promise<void> {
    if (this.#isStopped) {
      return;
    }
    const result = await loadSettings(this.#inputs);
    this.#dirs = result.watchedDirs;
    const targets = await Promise.all(result.files.map((file) => resolvePath(file)));
    this.#linkTargetNames = new Set(targets.map((target) => basename(target)));
    await this.#syncWatchers();
    const currentDigest = digest(result);
    if (currentDigest === this.#knownDigest) {
      this.#unconfirmedDigest = null;
    } else if (currentDigest !== this.#unconfirmedDigest) {
      this.#unconfirmedDigest = currentDigest;
      this.#scheduleCheck();
    } else if (!this.#isStopped) {
      this.#knownDigest = currentDigest;
      this.#unconfirmedDigest = null;
      this.#options.onChange(result);
    }
  }

  #scheduleCheck(): void {
    if (this.#isStopped) {
      return;
    }
    clock.clearTimeout(this.#debounce ?? undefined);
    this.#debounce = clock
      .setTimeout(() => this.#enqueue(() => this.#check()), this.#options.debounceMs ?? 150)
      .unref();
  }

  #enqueue(task: () => Promise<void>): void {
    // A failed check, for example of a directory that is removed meanwhile, must not end the watch.
    this.#queue.run(task).catch(() => this.#scheduleCheck());
  }

  #schedulePoll(): void {
    if (this.#isStopped) {
      return;
    }
    this.#poll = clock
      .setTimeout(() => {
        this.#enqueue(async () => {
          try {
            if (await this.#syncWatchers()) await this.#check();
          } finally {
            this.#schedulePoll();
          }
        });
      }, this.#options.pollMs ?? 2000)
      .unref();
  }

  /** Watches exactly the existing directories; returns whether one was added or removed, or cannot be watched. */
  async #syncWatchers(): Promise<boolean> {
    let isReadDue = false;
    const watched = new Set(this.#dirs);
    for (const dir of new Set([...this.#watchers.keys(), ...watched])) {
      const identity = await readIdentity(dir);
      const current = this.#watchers.get(dir);
      // A removed and recreated directory has a watcher on the old one, which gets no events.
      if (current && (current.watcher === null || current.identity !== identity || !watched.has(dir))) {
        this.#close(dir);
        isReadDue = true;
      }
      if (!this.#isStopped && identity !== null && watched.has(dir) && !this.#watchers.has(dir)) {
        isReadDue = true;
        this.#open(dir, identity);
      }
    }
    return isReadDue;
  }

  #open(dir: string, identity: string): void {
    try {
      const watcher = watch(dir, { persistent: false }, (_, name) => {
        const isRelevant =
          name === null || relevantNames.has(name) || this.#linkTargetNames.has(name) || name === basename(dir);
        if (isRelevant) {
          this.#scheduleCheck();
        }
      });
      watcher.on('error', () => {
        this.#close(dir);
        this.#scheduleCheck();
      });
      this.#watchers.set(dir, { watcher, identity });
    } catch {
      // No more watchers available, or no permission.
      this.#watchers.set(dir, { watcher: null, identity });
    }
  }

  #close(dir: string): void {
    this.#watchers.get(dir)?.watcher?.close();
    this.#watchers.delete(dir);
  }
}
