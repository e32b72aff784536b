/** Measures how far another machine's clock is ahead of this one's, by the `Date` header of its responses. */

/** How far a clock is ahead of this machine's, in seconds; the true value is within ± `precision`. */
export interface ClockOffset {
  readonly seconds: number;
  readonly precision: number;
}

/** Differences below this are published as 0, in seconds: they do not affect displayed times. */
const minDifference = 5;
/** The minimum change of the published value in seconds: all times on the pages depend on it. */
const minChange = 3;
/** Above this difference, in ms, the clock counts as not set. */
const maxDifferenceMs = 20 * 365 * 86_400_000;

/**
 * `null` if the response has no readable `Date`. The header has whole seconds (RFC 9110), and uvicorn renews it once a
 * second, so that it is up to 2 s old; the response was created at some time between request and response.
 * @param times when the request was sent and the head of its response received, in ms since the epoch
 */
export function clockOffset(
  date: string | undefined,
  { sentAt, receivedAt }: { readonly sentAt: number; readonly receivedAt: number },
): ClockOffset | null {
  const remote = Date.parse(date ?? '');
  if (Number.isNaN(remote) || Math.abs(remote - receivedAt) > maxDifferenceMs) return null;
  return {
    seconds: (remote + 1000 - (sentAt + receivedAt) / 2) / 1000,
    precision: (1000 + Math.max(0, receivedAt - sentAt) / 2) / 1000,
  };
}

/**
 * Narrows a clock's difference with each measurement, so that the published value does not change with every response.
 */
export class ClockEstimate {
  #range: { readonly from: number; readonly to: number } | null = null;
  #publishedSeconds: number | null = null;

  add({ seconds, precision }: ClockOffset): void {
    const measured = { from: seconds - precision, to: seconds + precision };
    const overlap =
      this.#range === null
        ? measured
        : { from: Math.max(this.#range.from, measured.from), to: Math.min(this.#range.to, measured.to) };
    // If the ranges do not overlap, one of the two clocks was changed.
    this.#range = overlap.from > overlap.to ? measured : overlap;
    const middle = (this.#range.from + this.#range.to) / 2;
    const isSmall = this.#range.from < minDifference && this.#range.to > -minDifference;
    if (this.#publishedSeconds !== null && Math.abs(this.#publishedSeconds - middle) < minChange) return;
    this.#publishedSeconds = isSmall ? 0 : Math.round(middle);
  }

  /** Whole seconds, 0 for less than 5 s; `null` before a measurement. */
  get aheadSeconds(): number | null {
    return this.#publishedSeconds;
  }
}
