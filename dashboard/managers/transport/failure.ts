/** What is said of a reading that failed. */
import { ManagerError } from '../../../api/client/managerError.ts';
import type { PollFailure } from './poll/pollState.ts';

/** Why there is no answer. */
export const failureTexts = {
  status: (status: number, detail: string) => (detail === '' ? `HTTP ${status}` : `HTTP ${status}, ${detail}`),
  busy: 'busy, too many requests (HTTP 429)',
} as const;

/** What is said of an error on screen; `null` for one that is nobody's answer, such as a read that was called off. */
export function pollFailureOf(error: unknown): PollFailure | null {
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
