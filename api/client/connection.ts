/** What a failed `fetch` says about the connection: Node gives a code, browsers give none. */

/** What fetch in Node says of a connection that was there and broke. */
const dropped: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was dropped',
  EPIPE: 'the connection was dropped',
  UND_ERR_SOCKET: 'the connection was dropped',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer broke off',
};

/** What it says when there is no connection. */
const absent: Readonly<Record<string, string>> = {
  ERR_INVALID_URL: 'this is not an address',
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be resolved',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no network',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
};

/** The code of the error or of what caused it: Node nests it, browsers give none. */
function codeOf(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string') return code;
    const [first] = at instanceof AggregateError ? (at.errors as unknown[]) : [];
    if (first instanceof Error) return codeOf(first);
  }
  return null;
}

export interface ConnectionFailure {
  /** `absent`: there was no connection; `dropped`: there was one, and it broke; `other`: the code is the reason. */
  readonly what: 'absent' | 'dropped' | 'other';
  readonly reason: string;
}

/** What is known of the failure; null where the error says nothing, as in a browser. */
export function readConnectionFailure(error: unknown): ConnectionFailure | null {
  const code = codeOf(error);
  if (code === null) return null;
  const reason = absent[code] ?? dropped[code];
  if (reason === undefined) return { what: 'other', reason: code };
  return { what: code in absent ? 'absent' : 'dropped', reason };
}
