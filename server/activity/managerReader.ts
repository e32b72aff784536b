/** Polls one path of a manager while the lab has that manager. */
import { startTimeout } from '../../api/time/clock.ts';
import { Poller } from '../concurrency/poller.ts';
import { requestJson, type RequestOptions } from '../net/requestJson.ts';
import { ensureTrailingSlash } from '../../api/hosts.ts';
import type { JsonObject } from '../net/foreignJson.ts';

const timeoutMs = 8000;
/** Retry interval after a failed reading, in ms. */
const retryMs = 30_000;
/** Interval of the checks for an address while the lab has no such manager, or after its address changed, in ms. */
const noManagerMs = 1000;

export interface ManagerReaderOptions {
  readonly path: () => string;
  readonly requestOptions?: () => RequestOptions;
  /** Polling interval, in ms. */
  readonly intervalMs: number;
  /** Current address of the manager, `null` if the lab has none. */
  readonly address: () => string | null;
  /** Minimum polling interval, in ms. */
  readonly minIntervalMs?: (() => number) | undefined;
  /** @returns `false` if the response has an unexpected form */
  readonly onResponse: (body: JsonObject, address: string) => boolean;
  readonly onFailure?: (reason: string) => void;
  readonly request?: typeof requestJson | undefined;
}

export class ManagerReader {
  readonly #options: ManagerReaderOptions;
  readonly #poller = new Poller(async (signal) => {
    const nextMs = await this.#read(signal);
    return Math.max(nextMs, this.#options.minIntervalMs?.() ?? 0);
  });

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
    const { address, path, requestOptions, intervalMs, onResponse, onFailure, request = requestJson } = this.#options;
    const manager = address();
    if (manager === null) return noManagerMs;
    const response = await request(
      new URL(path(), ensureTrailingSlash(manager)).href,
      timeoutMs,
      signal,
      requestOptions?.(),
    );
    // Drops the response of a manager that the lab no longer has.
    if (signal.aborted || manager !== address()) return noManagerMs;
    if (response.ok && onResponse(response.body, manager)) return intervalMs;
    onFailure?.(response.ok ? 'not understood' : response.reason);
    return retryMs;
  }
}
