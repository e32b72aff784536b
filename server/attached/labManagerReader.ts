/** Polls another lab manager, and reports since when there is no usable response. */
import { signal, type ReadonlySignal } from '@preact/signals-core';
import { clock } from '../../api/time/clock.ts';
import { settingsResponse, type SettingsResponse } from '../../api/lab/settings.ts';
import { Poller } from '../concurrency/poller.ts';
import type { Log } from '../logging/log.ts';
import { requestJson } from '../net/requestJson.ts';

const defaultIntervalMs = 5000;
const timeoutMs = 5000;

/** Since when another lab manager sends no usable response (ms since the epoch), and why. */
export interface LostConnection {
  readonly since: number;
  readonly reason: string;
}

/** The result of a reading: the function that applies it, or why it is unusable. */
export type ReadResult = { readonly apply: (wasLost: boolean) => void } | { readonly reason: string };

interface LabManagerReading {
  /** @param timeoutMs for each request */
  readonly read: (signal: AbortSignal, timeoutMs: number) => Promise<ReadResult>;
  /** Polling intervals after one and more failures in a row, in ms; the last one repeats. By default, the polling interval. */
  readonly retryMs?: readonly number[];
}

export class LabManagerReader extends Poller {
  /** Polling interval, in ms. */
  intervalMs = defaultIntervalMs;
  readonly #lost = signal<LostConnection | null>(null);
  /** When the connection was lost, by the monotonic clock. */
  #lostAt = 0;
  #failures = 0;

  /** @param url the base address of the lab manager, for the log */
  constructor(url: string, log: Log, { read, retryMs = [] }: LabManagerReading) {
    super(async (stopping) => {
      const response = await read(stopping, timeoutMs);
      if (stopping.aborted) return this.intervalMs;
      const before = this.#lost.value;
      if ('apply' in response) {
        if (before !== null) log.info(`The lab manager at ${url} answers again`);
        this.#failures = 0;
        this.#lost.value = null;
        response.apply(before !== null);
        return this.intervalMs;
      }
      this.#failures += 1;
      const nextMs = retryMs[Math.min(this.#failures, retryMs.length) - 1] ?? this.intervalMs;
      if (before?.reason === response.reason) return nextMs;
      log.warn(`The lab manager at ${url} can't be used: ${response.reason}`);
      if (before === null) this.#lostAt = clock.monotonic();
      this.#lost.value = { since: before?.since ?? clock.now(), reason: response.reason };
      return nextMs;
    });
  }

  /** Since when there is no usable response, and why; `null` if the last response was usable. */
  get lost(): ReadonlySignal<LostConnection | null> {
    return this.#lost;
  }

  /** The number of failed readings in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** When the connection was lost, by the monotonic clock, in ms; `null` while it is not lost. */
  get lostAt(): number | null {
    return this.#lost.value === null ? null : this.#lostAt;
  }
}

/** Reads `/settings` at a base address; `null` if nothing or another program responds. Never rejects. */
export async function readServedSettings(url: string, stopping?: AbortSignal): Promise<SettingsResponse | null> {
  const response = await requestJson(`${url}settings`, timeoutMs, stopping);
  const parsed = response.ok ? settingsResponse.safeParse(response.body) : null;
  return parsed?.success ? parsed.data : null;
}
