/** Texts for failed reads. */
import { ManagerError } from '#api/client/managerError.ts';
import type { PollFailure } from './poll/pollState.ts';

/** Reasons for a read that the manager rejected. */
export const failureTexts = {
  status: (status: number, detail: string) => (detail === '' ? `HTTP ${status}` : `HTTP ${status}, ${detail}`),
  busy: 'busy, too many requests (HTTP 429)',
} as const;

/** Returns the failure to display; `null` for an aborted read, and for an error that isn't a `ManagerError`. */
export function toPollFailure(error: unknown): PollFailure | null {
  if (!(error instanceof ManagerError) || error.kind === 'aborted') return null;
  const { kind, status, reason, retryAfterMs } = error;
  const text =
    kind !== 'http' || status === null || status === 200
      ? reason
      : status === 429
        ? failureTexts.busy
        : failureTexts.status(status, reason);
  return { reason: text, status: kind === 'http' ? status : null, retryAfter: retryAfterMs ?? 0 };
}
