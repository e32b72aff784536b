/** A polled query as components consume it. */
import type { ComputedRef } from 'vue';
import type { RouteLocationRaw } from 'vue-router';

export interface LiveQuery<Body> {
  /** The source of the data: `Workcell Manager`. */
  readonly source: string;
  /** The last successful response. */
  readonly data: ComputedRef<Body | undefined>;
  /** When the data was received, ms since the epoch; `null` before the first response. */
  readonly receivedAt: ComputedRef<number | null>;
  /** The refresh interval, in ms; 0 if the data is read only once. */
  readonly interval: ComputedRef<number>;
  /** The reason for the last request's failure; `null` if it succeeded. */
  readonly failure: ComputedRef<string | null>;
  /** The status of an error response; `null` if there was none. */
  readonly errorStatus: ComputedRef<number | null>;
  /** When the first failure in a row happened. */
  readonly failingSince: ComputedRef<number | null>;
  /** When the next retry is due, after a failure. */
  readonly nextRetryAt: ComputedRef<number | null>;
  readonly isFetching: ComputedRef<boolean>;
  /** Whether the data is stale. */
  readonly stale: ComputedRef<boolean>;
  readonly address: ComputedRef<string | null>;
  readonly retry: () => void;
  /**
   * Sends a request at once and resolves with its response, independent of earlier requests.
   * @throws ManagerError with the reason as text, and DOMException if the read is cancelled
   */
  readonly refresh: () => Promise<Body>;
}

/** Returns whether the query has its data, or a reason for which it has none yet. */
export function isSettled({ data, failure, address }: LiveQuery<unknown>): boolean {
  return data.value !== undefined || failure.value !== null || address.value === null;
}

/** The text for an object that doesn't exist. */
export interface MissingObject {
  readonly title: string;
  readonly body: string;
  readonly link?: { readonly title: string; readonly to: RouteLocationRaw };
}
