/** Detects that another program replaced the files of this running app, for example apt. */
import { stat } from 'node:fs/promises';
import { errorText } from '../../api/errorText.ts';
import { Poller } from '../../server/concurrency/poller.ts';
import type { Log } from '../../server/logging/log.ts';

/** The interval of the checks, in milliseconds. */
const checkIntervalMs = 5000;

export class ProgramWatch {
  readonly #file: string;
  readonly #log: Log;
  readonly #onReplaced: () => void;
  readonly #identify: (file: string) => Promise<string>;
  readonly #poller = new Poller(() => this.#check());
  /** Identity of the running program's file; `null` before the first check. */
  #runningId: string | null = null;
  #previousId: string | null = null;
  #isReplaced = false;

  /**
   * @param file absolute path of the program, which every package contains
   * @param onReplaced called once
   */
  constructor(file: string, log: Log, onReplaced: () => void, identify = identifyFile) {
    this.#file = file;
    this.#log = log;
    this.#onReplaced = onReplaced;
    this.#identify = identify;
  }

  /** Whether the program on the disk differs from the running one. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  start(): void {
    void this.#poller.start();
  }

  stop(): void {
    this.#poller.stop();
  }

  async #check(): Promise<number> {
    try {
      this.#compare(await this.#identify(this.#file));
    } catch (error) {
      // The files are being replaced, or the package was removed.
      this.#previousId = null;
      this.#log.debug(`The program can’t be read: ${errorText(error)}`);
    }
    return checkIntervalMs;
  }

  /** A package is complete when its program is the same in two checks. */
  #compare(current: string): void {
    this.#runningId ??= current;
    const isComplete = current === this.#previousId;
    this.#previousId = current;
    if (current === this.#runningId || !isComplete) return;
    this.stop();
    this.#isReplaced = true;
    this.#log.info(`${this.#file} was replaced: a restart of the app completes the update`);
    this.#onReplaced();
  }
}

/** The identity contains the inode, because a package manager can replace a file by one with the same size and time. */
async function identifyFile(file: string): Promise<string> {
  const { dev, ino, size, mtimeMs } = await stat(file);
  return [dev, ino, size, mtimeMs].join(':');
}
