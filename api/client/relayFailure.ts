/**
 * The header by which the lab manager's relay reports that a manager did not respond. It distinguishes such failures from
 * the manager's own errors.
 */
import type { ManagerErrorKind } from './managerError.ts';

/** The response header with the kind of failure. */
export const relayFailureHeader = 'Lab-Relay-Failure';

/** `unreachable`: nothing was sent; `timeout` and `lost`: the manager may have executed the request. */
export type RelayFailure = 'unreachable' | 'timeout' | 'lost';

const kinds = { unreachable: 'unreachable', timeout: 'timeout', lost: 'unreadable' } as const satisfies Readonly<
  Record<RelayFailure, ManagerErrorKind>
>;

/** The kind of error that the relay reports; `null` for an answer of the manager itself. */
export function relayFailureOf(headers: Headers): ManagerErrorKind | null {
  const failure = headers.get(relayFailureHeader);
  return failure !== null && Object.hasOwn(kinds, failure) ? kinds[failure as RelayFailure] : null;
}
