/**
 * The managers' responses over time, and whether a text on a page agrees with them: it must have been true within the
 * allowed age, and no text about the same subject may describe an earlier moment than the previous one.
 */

/** The manager's response about one subject, in a period in ms. */
interface Interval {
  from: number;
  /** `Infinity` for the current one. */
  to: number;
  readonly text: string;
  /** Its position in the order of the states. */
  readonly position: number;
}

/** The times at which a request was sent and its response received, in ms. */
export interface ResponseTimes {
  readonly requestedAt: number;
  readonly receivedAt: number;
}

export interface Sentence {
  /** `Overview` */
  readonly page: string;
  /** `workflow 01J…`, `node arm` */
  readonly subject: string;
  readonly text: string;
  /** The time at which it was read on the page, in ms. */
  readonly at: number;
}

export interface Contradiction extends Sentence {
  readonly kind: 'never so' | 'too old' | 'back in time';
  /** The managers' responses around that time. */
  readonly truth: string;
}

/** The tolerance between a state and its record, and between the clocks of page and recorder, in ms. */
const slackMs = 300;

export class ExpectedStates {
  readonly #intervals = new Map<string, Interval[]>();
  /** By page and subject: the earliest position of a state that matches the page's last text. */
  readonly #cursors = new Map<string, number>();
  /** By subject: the time of the last request. */
  readonly #requestedAt = new Map<string, number>();
  /** The times of the last request and of the previous one, for any subject. */
  #latest: { readonly requestedAt: number | null; readonly before: number | null } = {
    requestedAt: null,
    before: null,
  };
  readonly #retentionMs: number;

  /** @param retentionMs how long old states are kept: longer than the maximum age of a text */
  constructor(retentionMs = 120_000) {
    this.#retentionMs = retentionMs;
  }

  /**
   * Records a response, whose text is accepted from the previous request until a response with another text.
   * @param between short-lived states before this response, which are accepted too
   */
  record(
    subject: string,
    text: string,
    { requestedAt, receivedAt: received }: ResponseTimes,
    between: readonly string[] = [],
  ): void {
    const intervals = this.#intervals.get(subject) ?? [];
    const last = intervals.find(({ to }) => to === Number.POSITIVE_INFINITY);
    if (requestedAt !== this.#latest.requestedAt) this.#latest = { requestedAt, before: this.#latest.requestedAt };
    // A new subject appeared after the last response without it.
    const previous = this.#requestedAt.get(subject);
    if (previous !== undefined && requestedAt < previous)
      return this.#recordLate(intervals, text, requestedAt, received);
    // Responses are recorded in the order of their arrival.
    const before = previous ?? Math.min(requestedAt, this.#latest.before ?? requestedAt);
    this.#requestedAt.set(subject, requestedAt);
    if (last?.text === text) return;
    if (last !== undefined) {
      for (const passing of between)
        intervals.push({ from: before, to: received, text: passing, position: last.position + 0.5 });
      last.to = received;
    }
    intervals.push({ from: before, to: Number.POSITIVE_INFINITY, text, position: (last?.position ?? 0) + 1 });
    this.#intervals.set(
      subject,
      intervals.filter(({ to }) => to > received - this.#retentionMs),
    );
  }

  /**
   * Records the response to an earlier request after that to a later one: its state began earlier, or was short-lived.
   */
  #recordLate(intervals: Interval[], text: string, requestedAt: number, received: number): void {
    const same = intervals.find((interval) => interval.text === text && interval.to >= requestedAt);
    if (same !== undefined) same.from = Math.min(same.from, requestedAt);
    else {
      const earlier = intervals.filter(({ from }) => from <= requestedAt);
      const position = Math.max(0, ...earlier.map((interval) => interval.position));
      intervals.push({ from: requestedAt, to: received, text, position: position + 0.5 });
      // The state that other responses show before and after it is two states.
      const around = earlier.find((interval) => interval.position === position && interval.to > received);
      if (around === undefined) return;
      intervals.push({ ...around, from: requestedAt, position: position + 0.75 });
      around.to = received;
    }
  }

  /** Returns the last recorded text about the subject. */
  currentText(subject: string): string | null {
    return this.#intervals.get(subject)?.findLast(({ to }) => to === Number.POSITIVE_INFINITY)?.text ?? null;
  }

  /** Returns whether a matching text was true at some time in the last `allowedMs`. */
  wasTrue(subject: string, matches: (text: string) => boolean, at: number, allowedMs: number): boolean {
    return (this.#intervals.get(subject) ?? []).some(
      ({ from, to, text }) => matches(text) && to >= at - allowedMs - slackMs && from <= at + slackMs,
    );
  }

  /** @param allowedMs the maximum age of the text; `Infinity` if the page marks it as stale @returns `null` if it is true */
  judge(sentence: Sentence, allowedMs: number): Contradiction | null {
    const { page, subject, text, at } = sentence;
    const intervals = this.#intervals.get(subject);
    // A subject without a record (yet) cannot be judged.
    if (intervals === undefined) return null;
    const against = (kind: Contradiction['kind']): Contradiction => ({
      ...sentence,
      kind,
      truth: this.describeTruth(subject, at),
    });
    const key = `${page}\n${subject}`;
    const cursor = this.#cursors.get(key) ?? Number.NEGATIVE_INFINITY;
    const candidates = intervals.filter((interval) => interval.text === text && interval.from <= at + slackMs);
    if (candidates.length === 0) return against('never so');
    const notEarlier = candidates.filter(({ position }) => position >= cursor);
    if (notEarlier.length === 0) return against('back in time');
    this.#cursors.set(key, Math.min(...notEarlier.map(({ position }) => position)));
    return notEarlier.some(({ to }) => to >= at - allowedMs - slackMs) ? null : against('too old');
  }

  /** Returns the last recorded texts about the subject, each with its period relative to `at`. */
  describeTruth(subject: string, at: number): string {
    return (this.#intervals.get(subject) ?? [])
      .slice(-6)
      .map(
        ({ from, to, text }) => `${text} (${((from - at) / 1000).toFixed(1)} s to ${((to - at) / 1000).toFixed(1)} s)`,
      )
      .join(', ');
  }
}
