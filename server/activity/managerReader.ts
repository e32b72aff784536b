/** Reads one path of a manager again and again, as long as the lab has the manager. */
import { Poller } from '../concurrency/poller.ts';
import { requestJson, type RequestOptions } from '../net/askJson.ts';
import { baseUrl } from '../../api/hosts.ts';
import type { JsonObject } from '../net/foreignJson.ts';

const timeoutMs = 8000;
/** Between two readings after a failed one, in ms. */
const failedMs = 30_000;
/** Where the lab has no such manager, or another one by now, in ms. */
const addressMs = 1000;

/** What is read. */
export interface ManagerReading {
  readonly path: () => string;
  readonly requestOptions?: () => RequestOptions;
  /** Between two readings, in ms. */
  readonly everyMs: number;
}

export interface ManagerReaderOptions extends ManagerReading {
  /** Address of the manager now, `null` where the lab has none. */
  readonly address: () => string | null;
  /** It is never read more often than this, in ms. */
  readonly minIntervalMs?: (() => number) | undefined;
  /** @returns `false` where the answer is not what was requested */
  readonly onAnswer: (body: JsonObject, address: string) => boolean;
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

  /** @returns the time until the next reading, in ms */
  async #read(signal: AbortSignal): Promise<number> {
    const { address, path, requestOptions, everyMs, onAnswer, onFailure, request = requestJson } = this.#options;
    const manager = address();
    if (manager === null) return addressMs;
    const answer = await request(new URL(path(), baseUrl(manager)).href, timeoutMs, signal, requestOptions?.());
    // The answer of a manager that the lab no longer has is dropped.
    if (signal.aborted || manager !== address()) return addressMs;
    if (answer.ok && onAnswer(answer.body, manager)) return everyMs;
    onFailure?.(answer.ok ? 'not understood' : answer.reason);
    return failedMs;
  }
}
