/**
 * How the lab manager's relay reports that a manager did not answer, so that a client can tell it from the manager's own
 * errors.
 */

/** The response header with the kind of failure. */
export const relayFailureHeader = 'Lab-Relay-Failure';

/** `unreachable`: nothing was sent; `timeout` and `lost`: the manager may have executed the request. */
export type RelayFailure = 'unreachable' | 'timeout' | 'lost';
