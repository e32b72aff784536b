/**
 * What the managers answered over time, and whether a sentence on a page goes with it: what it says must have been so within
 * the allowed age, and no sentence about the same thing may tell of an earlier moment than the one before it. Pure.
 */

/** The manager's answer about one thing, from a moment on, in ms. */
interface Interval {
  readonly from: number;
  /** `Infinity` for the present. */
  to: number;
  readonly text: string;
  /** Its place in the order in which things were so. */
  readonly place: number;
}

/** When an answer was asked for, and when it was here, in ms. */
export interface Answered {
  readonly asked: number;
  readonly received: number;
}

export interface Sentence {
  /** `Overview` */
  readonly page: string;
  /** `workflow 01J…`, `node arm` */
  readonly about: string;
  readonly text: string;
  /** When it was read on the page, in ms. */
  readonly at: number;
}

export interface Contradiction extends Sentence {
  readonly kind: 'never so' | 'too old' | 'back in time';
  /** What the managers said around that time. */
  readonly truth: string;
}

/** Between what was so and its being noted here, and between the two clocks of page and recorder, in ms. */
const slackMs = 300;

export class Truth {
  readonly #intervals = new Map<string, Interval[]>();
  /** By page and thing: the earliest place in the order that its last sentence can tell of. */
  readonly #cursors = new Map<string, number>();
  /** By thing: when it was last asked for. */
  readonly #asked = new Map<string, number>();
  /** When anything was last asked for, and the time before. */
  #latest: { readonly asked: number | null; readonly before: number | null } = { asked: null, before: null };
  readonly #keepMs: number;

  /** @param keepMs how long the past is kept: more than any sentence may be old */
  constructor(keepMs = 120_000) {
    this.#keepMs = keepMs;
  }

  /**
   * Notes an answer: it was so at some time between its question and its coming, and from the question before it on, up to
   * the next answer that says otherwise. What may have been so for a moment in between, `between`, may be told, too.
   */
  note(about: string, text: string, { asked: requests, received }: Answered, between: readonly string[] = []): void {
    const known = this.#intervals.get(about) ?? [];
    const last = known.find(({ to }) => to === Number.POSITIVE_INFINITY);
    if (requests !== this.#latest.asked) this.#latest = { asked: requests, before: this.#latest.asked };
    // Something new came after the answer in which it wasn't.
    const before = this.#asked.get(about) ?? this.#latest.before ?? requests;
    this.#asked.set(about, requests);
    if (last?.text === text) return;
    if (last !== undefined) {
      for (const passing of between) known.push({ from: before, to: received, text: passing, place: last.place + 0.5 });
      last.to = received;
    }
    known.push({ from: before, to: Number.POSITIVE_INFINITY, text, place: (last?.place ?? 0) + 1 });
    this.#intervals.set(
      about,
      known.filter(({ to }) => to > received - this.#keepMs),
    );
  }

  /** What was said of it last. */
  of(about: string): string | null {
    return this.#intervals.get(about)?.findLast(({ to }) => to === Number.POSITIVE_INFINITY)?.text ?? null;
  }

  /** Whether it was so at some time in the last `allowedMs`. */
  wasSo(about: string, fits: (text: string) => boolean, at: number, allowedMs: number): boolean {
    return (this.#intervals.get(about) ?? []).some(
      ({ from, to, text }) => fits(text) && to >= at - allowedMs - slackMs && from <= at + slackMs,
    );
  }

  /** `null` where the sentence is true. `allowedMs`: how old it may be; `Infinity` where the page says that it is old. */
  judge(sentence: Sentence, allowedMs: number): Contradiction | null {
    const { page, about, text, at } = sentence;
    const known = this.#intervals.get(about);
    // What the recorder doesn't know (yet) can't be judged.
    if (known === undefined) return null;
    const against = (kind: Contradiction['kind']): Contradiction => ({
      ...sentence,
      kind,
      truth: this.#describeTruth(about, at),
    });
    const key = `${page}\n${about}`;
    const cursor = this.#cursors.get(key) ?? Number.NEGATIVE_INFINITY;
    const candidates = known.filter((each) => each.text === text && each.from <= at + slackMs);
    if (candidates.length === 0) return against('never so');
    const fitting = candidates.filter(({ place }) => place >= cursor);
    if (fitting.length === 0) return against('back in time');
    this.#cursors.set(key, Math.min(...fitting.map(({ place }) => place)));
    return fitting.some(({ to }) => to >= at - allowedMs - slackMs) ? null : against('too old');
  }

  #describeTruth(about: string, at: number): string {
    return (this.#intervals.get(about) ?? [])
      .slice(-6)
      .map(
        ({ from, to, text }) => `${text} (${((from - at) / 1000).toFixed(1)} s to ${((to - at) / 1000).toFixed(1)} s)`,
      )
      .join(', ');
  }
}
