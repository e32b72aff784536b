/** Describes failed exchanges in the terms of lab users instead of error codes. */
import { cleanText } from '../logging/text.ts';

/** The host and port of an address as configured, `lab-pc:8003`; without the port if it is implied. */
function hostAndPort(url: URL): string {
  return url.host;
}

interface NodeError extends Error {
  code?: string;
  address?: string;
  port?: number;
  hostname?: string;
  errors?: NodeError[];
}

const connectionTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed before a response arrived',
  EPIPE: 'the connection was closed before a response arrived',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'network unreachable',
  EHOSTDOWN: 'the host is down',
  EADDRNOTAVAIL: 'address not available',
  EACCES: 'not permitted by this machine',
  EPERM: 'not permitted by this machine',
  EMFILE: 'this machine has too many open files',
  ENFILE: 'this machine has too many open files',
};

const tlsTexts: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'a certificate of the chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate issuer is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate issuer is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate issuer is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  CERT_REVOKED: 'the certificate was revoked',
};

/** The reason for `error` of a request to `url`: `Failed to connect: connection refused (127.0.0.1:8003)`. */
export function connectionFailure(error: unknown, url: URL): string {
  const first = firstError(error);
  const code = first.code ?? '';
  const location = describeLocation(first, url);
  if (code === 'ELOOKUPTIMEOUT') return `name lookup timed out: ${url.hostname}`;
  if (code === 'ENOTFOUND' || code === 'EAI_NONAME') return `host not found: ${url.hostname}`;
  if (code.startsWith('EAI_')) return `host not found: ${url.hostname} (the name server did not answer: ${code})`;
  if (code in tlsTexts) return `TLS: ${tlsTexts[code]} (${code}, ${location})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    return `TLS: ${location} does not speak TLS, which https requires, or refuses our version (${code})`;
  }
  if (code.startsWith('HPE_')) return `answered with something that is not HTTP (${location})`;
  if (code in connectionTexts) return `Failed to connect: ${connectionTexts[code]} (${location})`;
  return `Failed to connect: ${first.message || code || 'unknown error'} (${location})`;
}

/** The reason for an unexpected status; redirects are not followed. */
export function statusReason(status: number, target: string | undefined): string {
  const redirected = status >= 300 && status < 400 && target !== undefined;
  return redirected ? `HTTP ${status} (redirects to ${excerpt(target)}; redirects are not followed)` : `HTTP ${status}`;
}

/** The start of a foreign text on one line. */
export function excerpt(foreign: Buffer | string): string {
  return cleanText(foreign.toString(), 81) || '(nothing)';
}

/** Node reports one error per tried address; the first one represents all. */
function firstError(error: unknown): NodeError {
  const nodeError = (error instanceof Error ? error : new Error(String(error))) as NodeError;
  return nodeError.errors?.[0]
    ? { ...nodeError.errors[0], message: nodeError.errors[0].message, name: nodeError.name }
    : nodeError;
}

/** The configured host, and its resolved address if that differs. */
function describeLocation(error: NodeError, url: URL): string {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const withPort = url.port === '' ? `${hostAndPort(url)}:${url.protocol === 'https:' ? 443 : 80}` : hostAndPort(url);
  const resolved = error.address;
  if (resolved === undefined || resolved === host || host === 'localhost') return withPort;
  return `${withPort} = ${resolved}`;
}
