/** Detects that another program replaced the files of this running app, for example apt. */
import { stat } from 'node:fs/promises';
import { errorText } from '../../api/errorText.ts';
import { Poller } from '../../server/concurrency/poller.ts';
import type { Log } from '../../server/logging/log.ts';

/** The interval of the checks, in milliseconds. */
const checkMs = 5000;

export class ProgramWatch {
  readonly #file: string;
  readonly #log: Log;
  readonly #onReplaced: () => void;
  readonly #identify: (file: string) => Promise<string>;
  readonly #poller = new Poller(() => this.#check());
  /** The file of the running program; `null` before the first check. */
  #own: string | null = null;
  #previous: string | null = null;
  #isReplaced = false;

  /**
   * @param file absolute path of the program, which every package contains
   * @param onReplaced called once
   */
  constructor(file: string, log: Log, onReplaced: () => void, identify = identityOf) {
    this.#file = file;
    this.#log = log;
    this.#onReplaced = onReplaced;
    this.#identify = identify;
  }

  /** Whether the program on the disk is another one than the running one. */
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
      this.#previous = null;
      this.#log.debug(`The program can’t be read: ${errorText(error)}`);
    }
    return checkMs;
  }

  /** A package is complete when its program is the same in two checks. */
  #compare(current: string): void {
    this.#own ??= current;
    const isComplete = current === this.#previous;
    this.#previous = current;
    if (current === this.#own || !isComplete) return;
    this.stop();
    this.#isReplaced = true;
    this.#log.info(`${this.#file} was replaced: a restart of the app completes the update`);
    this.#onReplaced();
  }
}

/** A package manager creates new files, so that the identity also changes with the same content and time. */
async function identityOf(file: string): Promise<string> {
  const { dev, ino, size, mtimeMs } = await stat(file);
  return [dev, ino, size, mtimeMs].join(':');
}
