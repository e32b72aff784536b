/**
 * One call of an endpoint, from the request to the typed result: timeout, abort, retry after a 429, and the mapping of
 * failures to errors. Source: MADSci 0.8.1's errors, CORS and rate limits.
 */
import { clock } from '../time/clock.ts';
import { doublingDelay, pause } from '../time/pause.ts';
import { recordMetadata } from './responseMetadata.ts';
import { readRelayFailure, readRelayReason } from './relayFailure.ts';
import { parseValidRecords } from './invalidRecords.ts';
import { readConnectionFailure } from './connection.ts';
import { isRead, type Endpoint, type ServerKey } from './endpoint.ts';
import { ManagerError, readReason, serverName, type ManagerErrorFields } from './managerError.ts';
import { buildRequest, type CallInput, type WireRequest } from './request.ts';
import { missingIn07, type LabVersion } from '../version.ts';
import { parseExactJson, UnsupportedJsonError } from '../exactJson.ts';

export interface Exchange {
  readonly server: ServerKey;
  /** The endpoint's name in the table. */
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly input: CallInput;
  readonly baseUrl: string;
  /** The manager's own address, if `baseUrl` is that of the relay. */
  readonly relayedTo: string | null;
  readonly fetch: typeof globalThis.fetch;
  /** The reason why it must not be sent; `null` if it may. */
  readonly refusalReason: string | null;
  readonly version: LabVersion | null;
  readonly timeoutMs: number;
  readonly maxRetryMs: number;
  readonly cacheControl: string | null;
  readonly sendsCookies: boolean;
  readonly signal: AbortSignal | undefined;
  /** Whether the request outlives the page. */
  readonly keepalive?: boolean | undefined;
  /** Reads a response of bytes as a stream. */
  readonly receive?: ((response: Response) => Promise<Blob>) | undefined;
}

type Failure = Omit<ManagerErrorFields, 'manager' | 'endpoint' | 'purpose' | 'address'>;

function createError({ server, name, endpoint, baseUrl, relayedTo }: Exchange, failure: Failure): ManagerError {
  return new ManagerError({
    manager: server,
    endpoint: name,
    purpose: endpoint.purpose,
    address: relayedTo ?? baseUrl,
    isRelayed: relayedTo !== null,
    ...failure,
  });
}

/** The error for the server that the request was sent to: the lab manager, if it should have relayed the request. */
function createServerError(call: Exchange, failure: Failure): ManagerError {
  return createError(call.relayedTo === null ? call : { ...call, server: 'lab', relayedTo: null }, failure);
}

/** Executes the call. Every rejection is a `ManagerError`. */
export async function exchange(call: Exchange): Promise<unknown> {
  const request = prepare(call);
  const isRetryable = isRead(call.endpoint);
  let remainingRetryMs = call.maxRetryMs;
  let refusals = 0;
  let remainingConnections = isRetryable ? 2 : 1;
  for (;;) {
    try {
      return await attempt(call, request);
    } catch (error) {
      if (!(error instanceof ManagerError) || !isRetryable) throw error;
      if (error.status === 429) {
        refusals += 1;
        const pauseMs = error.retryAfterMs ?? doublingDelay(refusals, 1000, Number.POSITIVE_INFINITY);
        if (pauseMs > remainingRetryMs) throw error;
        if (!(await pause(pauseMs, call.signal))) throw createAbortError(call);
        remainingRetryMs -= pauseMs;
      } else if (remainingConnections > 1 && readConnectionFailure(error.cause)?.kind === 'dropped') {
        // After a plain 500 a manager drops the connection without notice; the next request on it fails once.
        remainingConnections -= 1;
      } else throw error;
    }
  }
}

function prepare(call: Exchange): WireRequest {
  const { endpoint, name, version, refusalReason } = call;
  if (refusalReason !== null) throw createError(call, { kind: 'not-sent', reason: refusalReason });
  if (version === '0.7' && endpoint.since !== undefined)
    throw createError(call, { kind: 'not-sent', reason: describeMissingFeature(name) });
  try {
    return buildRequest(endpoint, call.baseUrl, call.input, version);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw createError(call, { kind: 'not-sent', reason: error.message, cause: error });
  }
}

function describeMissingFeature(name: string): string {
  const reasons: Readonly<Record<string, string>> = missingIn07;
  return reasons[name] ?? 'MADSci 0.7 does not offer this.';
}

/** Bypasses the browser's cache. */
const neverCached = { cache: 'no-store' } as const;
/** Uses the browser's cache if the server confirms it. */
const revalidatedCache = { cache: 'no-cache' } as const;

/** One request and its complete response, within the timeout. */
async function attempt(call: Exchange, request: WireRequest): Promise<unknown> {
  const { signal, timeoutMs, endpoint } = call;
  if (signal?.aborted) throw createAbortError(call);
  const controller = new AbortController();
  const stop = () => {
    clock.clearTimeout(timer);
    controller.abort();
  };
  signal?.addEventListener('abort', stop, { once: true });
  let hasTimedOut = false;
  const timer = clock.setTimeout(() => {
    hasTimedOut = true;
    stop();
  }, timeoutMs);
  try {
    const response = await call.fetch(request.url, {
      method: request.method,
      headers:
        call.cacheControl === null ? request.headers : { ...request.headers, 'cache-control': call.cacheControl },
      body: request.body,
      signal: controller.signal,
      ...(call.keepalive === true && { keepalive: true }),
      credentials: call.sendsCookies ? 'same-origin' : 'omit',
      ...(endpoint.isRevalidated === true ? revalidatedCache : neverCached),
    });
    if (endpoint.response === 'blob' && response.ok) return await (call.receive?.(response) ?? response.blob());
    return readResponse(call, response, await response.text());
  } catch (error) {
    if (error instanceof ManagerError) throw error;
    if (signal?.aborted) throw createAbortError(call);
    if (hasTimedOut)
      throw createError(call, { kind: 'timeout', reason: `timed out after ${formatSeconds(timeoutMs)}`, cause: error });
    throw await createConnectionError(call, error);
  } finally {
    clock.clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** The typed value of a complete response. */
function readResponse(call: Exchange, response: Response, text: string): unknown {
  const { endpoint } = call;
  const { status } = response;
  const parsedBody = parseBody(text);
  const body = parsedBody.ok ? parsedBody.value : undefined;
  if (!response.ok) {
    const relayFailure = readRelayFailure(response.headers);
    const reason =
      (relayFailure === null ? null : readRelayReason(body)) ?? readReason(body === undefined ? text : body);
    if (relayFailure !== null && relayFailure !== 'http')
      throw createError(call, { kind: relayFailure, reason: reason ?? response.statusText });
    if (status === 404 && endpoint.empty404 !== undefined && reason === endpoint.empty404) return [];
    throw (relayFailure === null ? createError : createServerError)(call, {
      kind: 'http',
      status,
      reason: reason ?? response.statusText,
      retryAfterMs: status === 429 ? parseRetryAfter(response) : null,
    });
  }
  if (!parsedBody.ok) throw createError(call, { kind: 'not-understood', status, reason: parsedBody.problem });
  if (endpoint.refusal?.safeParse(body).success)
    throw createError(call, { kind: 'http', status, reason: readReason(body) ?? 'without a reason' });
  if (endpoint.response === 'blob') return body;
  const parsed = parseValidRecords(endpoint.response, body, endpoint.lists ?? []);
  if (parsed.ok) {
    recordMetadata(parsed.data, response.headers);
    return parsed.data;
  }
  throw createError(call, {
    kind: 'not-understood',
    status,
    reason: formatFirstIssue(parsed.error),
    cause: parsed.error,
  });
}

function parseBody(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string } {
  try {
    return { ok: true, value: parseExactJson(text) };
  } catch (error) {
    // Writing the object back would delete one of the two values.
    return { ok: false, problem: error instanceof UnsupportedJsonError ? error.message : 'the answer is not JSON' };
  }
}

function formatFirstIssue(error: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}) {
  const [issue] = error.issues;
  const where = issue?.path.map(String).join('.');
  return `${where ? `${where}: ` : ''}${issue?.message ?? 'unknown'}`;
}

/** `Retry-After` in milliseconds; null if it is missing, or hidden from a page of another origin. */
function parseRetryAfter(response: Response): number | null {
  const text = response.headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function createAbortError(call: Exchange): ManagerError {
  return createError(call, { kind: 'aborted', reason: 'the request was cancelled', cause: call.signal?.reason });
}

/** The error for a request without a response. */
async function createConnectionError(call: Exchange, error: unknown): Promise<ManagerError> {
  const failure = readConnectionFailure(error);
  if (failure !== null)
    return createServerError(call, {
      kind: failure.kind === 'not-established' ? 'unreachable' : 'unreadable',
      reason: failure.reason,
      cause: error,
    });
  // A browser reports no difference between an unreachable server and an unreadable response: a plain 500 has no CORS
  // headers. A second request without reading the response distinguishes them.
  const presence = await probePresence(call);
  if (call.signal?.aborted) return createAbortError(call);
  if (presence === 'unreachable')
    return createServerError(call, { kind: 'unreachable', reason: 'no connection', cause: error });
  const reason =
    presence === 'responding'
      ? `${serverName(call.relayedTo === null ? call.server : 'lab')} is running, but the request failed or the page is not allowed to read the response`
      : 'the connection ended without a readable answer, and the server does not answer now';
  return createServerError(call, { kind: 'unreadable', reason, cause: error });
}

const probeTimeoutMs = 2000;

/**
 * Checks whether a server responds at the address, readable or not; `timed-out`: it accepts the connection but does
 * not respond in time.
 */
async function probePresence(call: Exchange): Promise<'responding' | 'timed-out' | 'unreachable'> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  let hasTimedOut = false;
  const timer = clock.setTimeout(() => {
    hasTimedOut = true;
    stop();
  }, probeTimeoutMs);
  call.signal?.addEventListener('abort', stop, { once: true });
  try {
    await call.fetch(`${call.baseUrl.replace(/\/+$/, '')}/health`, { mode: 'no-cors', signal: controller.signal });
    return 'responding';
  } catch {
    return hasTimedOut ? 'timed-out' : 'unreachable';
  } finally {
    clock.clearTimeout(timer);
    call.signal?.removeEventListener('abort', stop);
  }
}

function formatSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
