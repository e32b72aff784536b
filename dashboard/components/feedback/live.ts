/** What is read again and again, as those who show it need it. */
import type { ComputedRef } from 'vue';
import type { RouteLocationRaw } from 'vue-router';

export interface Live<Body> {
  /** Whose answer it is: `Workcell Manager`. */
  readonly who: string;
  /** The last good answer. */
  readonly data: ComputedRef<Body | undefined>;
  /** When it came, ms since the epoch; `null` before the first. */
  readonly receivedAt: ComputedRef<number | null>;
  /** Between two readings, in ms; 0 where it is read once. */
  readonly interval: ComputedRef<number>;
  /** Why the last request failed, in words; `null` when it didn't. */
  readonly failure: ComputedRef<string | null>;
  /** The status of an answer that said no; `null` when there was no such answer. */
  readonly refusedWith: ComputedRef<number | null>;
  /** When the first failure in a row happened. */
  readonly failingSince: ComputedRef<number | null>;
  /** When it is asked next, after a failure. */
  readonly nextTry: ComputedRef<number | null>;
  readonly fetching: ComputedRef<boolean>;
  /** Whether what is shown may no longer be so. */
  readonly stale: ComputedRef<boolean>;
  readonly address: ComputedRef<string | null>;
  readonly retry: () => void;
  /**
   * Asks at once, and resolves with that answer, whatever was on its way before.
   * @throws AnswerError or ManagerError with the reason in words
   */
  readonly refresh: () => Promise<Body>;
}

/** What a page shows where there is no such object. */
export interface MissingObject {
  readonly title: string;
  readonly body: string;
  readonly link?: { readonly title: string; readonly to: RouteLocationRaw };
}
