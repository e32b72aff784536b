/** The response times of one manager in the last two hours, one entry per minute, in bounded memory. */

const minuteMs = 60_000;
/** Retention of a minute, in ms. */
const retentionMs = 121 * minuteMs;

interface Minute {
  readonly start: number;
  readonly latencies: number[];
}

export class Latencies {
  readonly #minutes: Minute[] = [];
  /** Cached because it is read with each status; `undefined` until it is next computed. */
  #usualMs: number | null | undefined;

  /** Records a check that ended at `now` (ms since the epoch). */
  record(now: number, latencyMs: number | null): void {
    const start = Math.floor(now / minuteMs) * minuteMs;
    let minute = this.#minutes.at(-1);
    if (minute === undefined || minute.start < start) {
      minute = { start, latencies: [] };
      this.#minutes.push(minute);
    }
    if (latencyMs !== null && minute.latencies.length < minuteMs / 1000) {
      minute.latencies.push(latencyMs);
      this.#usualMs = undefined;
    }
    while ((this.#minutes[0]?.start ?? now) < now - retentionMs) {
      this.#minutes.shift();
      this.#usualMs = undefined;
    }
  }

  /** The usual latency of this manager, in ms: the median of its minutes. */
  usualMs(): number | null {
    // `null` is cached too: managers that have not responded for two hours have no usual latency.
    if (this.#usualMs === undefined)
      this.#usualMs = median(this.#minutes.flatMap(({ latencies }) => median(latencies) ?? []));
    return this.#usualMs;
  }
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upperMedian = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upperMedian : ((sorted[middle - 1] as number) + upperMedian) / 2;
}
