/** A start that came to nothing is tried again: when the port is free, or after a while. One wait at a time. */
import { isPortInUse } from '../../net/portOwner.ts';

/** How often a taken port is looked at, in milliseconds: who has freed it needn't press a button here. */
const portCheckIntervalMs = 2000;
/** After a failure that no settings file explains, it is tried again this much later, in milliseconds. */
const failedMs = 10_000;

export class StartRetry {
  readonly #again: () => void;
  #timer: NodeJS.Timeout | null = null;
  /** Counts waits: a look at the port that was under way when its wait ended says nothing any more. */
  #wait = 0;

  /** @param again starts once more */
  constructor(again: () => void) {
    this.#again = again;
  }

  soon(): void {
    this.stop();
    this.#timer = setTimeout(this.#again, failedMs);
  }

  whenFree(port: number): void {
    this.stop();
    const wait = this.#wait;
    this.#timer = setTimeout(() => {
      void Promise.all([isPortInUse('127.0.0.1', port), isPortInUse('::1', port)]).then((used) => {
        if (wait !== this.#wait) return;
        if (used.includes(true)) this.whenFree(port);
        else this.#again();
      });
    }, portCheckIntervalMs);
  }

  stop(): void {
    this.#wait += 1;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
