/** Classifies a failed `fetch`: Node provides an error code, browsers do not. */

/** Codes of `fetch` in Node for an established connection that broke. */
const dropReasons: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was dropped',
  EPIPE: 'the connection was dropped',
  UND_ERR_SOCKET: 'the connection was dropped',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer broke off',
};

/** A request that is not sent because the browser would block it: to an http address, from a page loaded over https. */
export const mixedContentFailure = {
  code: 'ERR_MIXED_CONTENT',
  reason: 'the browser blocks requests to http from a page that was loaded over https',
} as const;

/** Codes for a connection that could not be established. */
const connectReasons: Readonly<Record<string, string>> = {
  ERR_INVALID_URL: 'this is not an address',
  [mixedContentFailure.code]: mixedContentFailure.reason,
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be resolved',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no network',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
};

/** The code of the error or of its cause: Node nests it, browsers provide none. */
function findCode(error: unknown): string | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code } = current as { code?: unknown };
    if (typeof code === 'string') return code;
    const [first] = current instanceof AggregateError ? (current.errors as unknown[]) : [];
    if (first instanceof Error) return findCode(first);
  }
  return null;
}

export interface ConnectionFailure {
  /** `not-established`: no connection could be established; `dropped`: an established one broke; `other`: the code is the reason. */
  readonly kind: 'not-established' | 'dropped' | 'other';
  readonly reason: string;
}

/** Describes the connection failure; null if the error has no details, as in a browser. */
export function readConnectionFailure(error: unknown): ConnectionFailure | null {
  const code = findCode(error);
  if (code === null) return null;
  const reason = connectReasons[code] ?? dropReasons[code];
  if (reason === undefined) return { kind: 'other', reason: code };
  return { kind: code in connectReasons ? 'not-established' : 'dropped', reason };
}
