/**
 * The header and the body by which the lab manager's relay marks its own error responses, to distinguish them from the
 * manager's errors.
 */
import * as z from 'zod/mini';
import type { ManagerErrorKind } from './managerError.ts';

/** The response header with the kind of failure. */
export const relayFailureHeader = 'Lab-Relay-Failure';

/**
 * `refused`: the lab manager does not pass the request on; `unreachable`: nothing was sent; `timeout` and `lost`: the manager
 * may have executed the request.
 */
export type RelayFailure = 'refused' | 'unreachable' | 'timeout' | 'lost';

const kinds = {
  refused: 'http',
  unreachable: 'unreachable',
  timeout: 'timeout',
  lost: 'unreadable',
} as const satisfies Readonly<Record<RelayFailure, ManagerErrorKind>>;

/** The kind of error that the relay reports; `null` for a response of the manager itself. */
export function readRelayFailure(headers: Headers): (typeof kinds)[RelayFailure] | null {
  const failure = headers.get(relayFailureHeader);
  return failure !== null && Object.hasOwn(kinds, failure) ? kinds[failure as RelayFailure] : null;
}

/**
 * The body of a failure of the relay, with its reason. The body also has a `detail`: a whole sentence with the manager and
 * its address, for clients that do not name them themselves.
 */
const relayFailureBody = z.object({ reason: z.string() });

/** Returns the reason in the relay's body; `null` if the body has only a `detail`. */
export function readRelayReason(body: unknown): string | null {
  const parsed = relayFailureBody.safeParse(body);
  return parsed.success ? parsed.data.reason : null;
}
