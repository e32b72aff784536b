/** Retries a failed start: when the port is free, or after a delay. Only one wait is active. */
import { clock } from '#api/time/clock.ts';
import { isPortInUse } from '../../net/portOwner.ts';

/** Interval of the checks whether the port is free, in milliseconds. */
const portCheckIntervalMs = 2000;
/** Retry delay after a failure that no settings file explains, in milliseconds. */
const retryDelayMs = 10_000;

export class StartRetry {
  readonly #retry: () => void;
  #timer: NodeJS.Timeout | null = null;
  /** Identifies the current wait: a port check that outlasts its wait is ignored. */
  #wait = 0;

  /** @param retry repeats the start */
  constructor(retry: () => void) {
    this.#retry = retry;
  }

  scheduleRetry(): void {
    this.stop();
    this.#timer = clock.setTimeout(this.#retry, retryDelayMs);
  }

  retryWhenPortFree(port: number): void {
    this.stop();
    const wait = this.#wait;
    this.#timer = clock.setTimeout(() => {
      void Promise.all([isPortInUse('127.0.0.1', port), isPortInUse('::1', port)]).then((used) => {
        if (wait !== this.#wait) return;
        if (used.includes(true)) this.retryWhenPortFree(port);
        else this.#retry();
      });
    }, portCheckIntervalMs);
  }

  stop(): void {
    this.#wait += 1;
    if (this.#timer) clock.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
