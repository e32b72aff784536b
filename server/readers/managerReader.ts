/** Polls a manager while the lab has it. */
import { startTimeout } from '../../api/time/clock.ts';
import { Poller } from '../concurrency/poller.ts';
import { requestJson, type JsonResult, type RequestOptions } from '../net/requestJson.ts';
import { ensureTrailingSlash } from '../../api/hosts.ts';

const timeoutMs = 8000;
/** Retry interval after a failed reading, in ms. */
const retryMs = 30_000;
/** Interval of the checks for an address while the lab has no such manager, or after its address changed, in ms. */
const noManagerMs = 1000;

interface ManagerRequest extends RequestOptions {
  readonly path: string;
  /** Time until the next request, in ms. */
  readonly intervalMs: number;
  /** Minimum time until the next request, also after a failure, in ms. */
  readonly minIntervalMs?: number;
}

export interface ManagerReaderOptions {
  /** Current address of the manager, `null` if the lab has none. */
  readonly address: () => string | null;
  /** The next request or, if none is due, the time until the next call, in ms. */
  readonly next: () => ManagerRequest | number;
  /** @returns `false` if the request has failed or the response has an unexpected form */
  readonly onResult: (result: JsonResult, address: string) => boolean;
  readonly request?: typeof requestJson | undefined;
}

export class ManagerReader {
  readonly #options: ManagerReaderOptions;
  readonly #poller = new Poller((signal) => this.#read(signal));

  constructor(options: ManagerReaderOptions) {
    this.#options = options;
  }

  /** @param ms until the first reading */
  startIn(ms: number): void {
    this.#poller.startIn(ms);
  }

  stop(): void {
    this.#poller.stop();
  }

  /** Reads once, besides the polling. Never rejects; a response after `ms` is dropped. */
  async readWithin(ms: number): Promise<void> {
    const { signal, clear } = startTimeout(ms);
    await this.#read(signal).finally(clear);
  }

  /** @returns the time until the next reading, in ms */
  async #read(signal: AbortSignal): Promise<number> {
    const { address, next, onResult, request = requestJson } = this.#options;
    const [manager, due] = [address(), next()];
    if (manager === null) return noManagerMs;
    if (typeof due === 'number') return due;
    const { path, intervalMs, minIntervalMs = 0, ...options } = due;
    const result = await request(new URL(path, ensureTrailingSlash(manager)).href, timeoutMs, signal, options);
    // Drops the response of a manager that the lab no longer has.
    if (signal.aborted || manager !== address()) return noManagerMs;
    return Math.max(onResult(result, manager) ? intervalMs : retryMs, minIntervalMs);
  }
}
