/** Reproducible random values: the same seed gives the same lab, including its IDs. */
import { encodeTime, incrementBase32, ulid } from 'ulid';
import type { DemoClock } from './clock.ts';

/** The generator "mulberry32": short, and 32 bits of state are enough for a demo. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns the hash of a text (FNV-1a), for the seeds of streams. */
function textSeed(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01_00_01_93);
  return hash >>> 0;
}

export class Random {
  readonly #seed: number;
  readonly #next: () => number;
  readonly #clock: Pick<DemoClock, 'now'>;
  #lastUlid = { time: Number.NaN, randomPart: '' };

  constructor(seed: number, clock: Pick<DemoClock, 'now'>) {
    this.#seed = seed;
    this.#next = generator(seed);
    this.#clock = clock;
  }

  /** Returns a separate random stream, so that one manager's draws don't affect another's. */
  stream(name: string): Random {
    return new Random((this.#seed ^ textSeed(name)) >>> 0, this.#clock);
  }

  /** Returns a number from 0 to below 1. */
  fraction(): number {
    return this.#next();
  }

  /** Returns a number from `low` to below `high`. */
  between(low: number, high: number): number {
    return low + (high - low) * this.#next();
  }

  /** Returns an integer from `low` to `high`, both inclusive. */
  int(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** Returns one item of a non-empty list. */
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const item = list[Math.floor(this.#next() * list.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** Returns a normally distributed number (Box–Muller). */
  normal(mean: number, deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.#next()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.#next());
  }

  /**
   * Returns a ULID (26 characters) of the given time, by default now. ULIDs of the same millisecond that are requested
   * in sequence sort in that order.
   */
  ulid(time: number = this.#clock.now()): string {
    const wholeMs = Math.floor(time);
    const randomPart =
      wholeMs === this.#lastUlid.time
        ? incrementBase32(this.#lastUlid.randomPart)
        : ulid(wholeMs, this.#next).slice(10);
    this.#lastUlid = { time: wholeMs, randomPart };
    return encodeTime(wholeMs, 10) + randomPart;
  }
}
