/**
 * The service's HTTP client: one request within limits, to another machine or another program on this one. For bodies that
 * are streamed, see `streamedExchange.ts`.
 */
import http from 'node:http';
import https from 'node:https';
import { clock } from '../../api/time/clock.ts';
import { cleanText } from '../logging/text.ts';
import { connectionFailure } from './failure.ts';
import { names, type NameLookup } from './nameLookup.ts';

export type Exchange =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: http.IncomingHttpHeaders;
      /** At most its first `maxBytes` bytes; empty if it is not read. */
      readonly body: Buffer;
      /** Whether the body exceeds the limit. */
      readonly isTooLong?: true;
      /** When the connection was established and when the head of the response was received, in ms since the epoch. */
      readonly sentAt: number;
      readonly receivedAt: number;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Whether the caller's signal aborted it. */
      readonly isAborted?: true;
      /** Whether the whole request was sent. */
      readonly isSent?: true;
    };

export interface ExchangeOptions {
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: string;
  /** Timeout of the whole exchange, name lookup and body included, in ms. */
  readonly timeoutMs: number;
  /** Timeout of the name lookup, in ms: shorter, so that the reason can be reported. */
  readonly lookupTimeoutMs?: number;
  readonly maxBytes?: number;
  /** Whether the body of a response with this status is read. */
  readonly readsBody?: (status: number) => boolean;
  readonly signal?: AbortSignal | undefined;
  readonly lookup?: NameLookup;
}

/**
 * Starts a request on a separate connection: some managers drop a kept-alive one after each internal error, and leftover
 * bytes of one message cannot become the start of another. Redirects are not followed and no proxy is used.
 */
export function openRequest(
  url: URL,
  options: Pick<http.RequestOptions, 'method' | 'headers' | 'lookup'>,
): http.ClientRequest {
  return (url.protocol === 'https:' ? https : http).request(url, { ...options, agent: false });
}

/** Sends one request as `openRequest` does, within limits. Never rejects. */
export function exchange(
  url: URL,
  {
    method = 'GET',
    headers = {},
    content,
    timeoutMs,
    lookupTimeoutMs = 0.8 * timeoutMs,
    maxBytes = 64 * 1024,
    readsBody = () => true,
    signal,
    lookup = names,
  }: ExchangeOptions,
): Promise<Exchange> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve({ ok: false, reason: 'aborted', isAborted: true });
    let sentAt = clock.now();
    let isSent = false;
    const finish = (result: Exchange): void => {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(result);
      request.destroy();
    };
    const sentFlag = () => (isSent ? ({ isSent } as const) : {});
    const fail = (reason: string): void => finish({ ok: false, reason: cleanText(reason), ...sentFlag() });
    const onAbort = (): void => finish({ ok: false, reason: 'aborted', isAborted: true, ...sentFlag() });
    const request = openRequest(url, { method, headers, lookup: lookup.forSockets(lookupTimeoutMs) });
    request.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      const receivedAt = clock.now();
      const chunks: Buffer[] = [];
      let size = 0;
      const done = (): void => {
        const body = Buffer.concat(chunks).subarray(0, maxBytes);
        const length = size > maxBytes ? { isTooLong: true as const } : {};
        finish({ ok: true, status, headers: response.headers, body, ...length, sentAt, receivedAt });
      };
      if (!readsBody(status)) return done();
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxBytes) done();
      });
      response.on('end', done);
      response.on('aborted', () => fail('the connection was closed in the middle of the response'));
      response.on('error', (error) => fail(connectionFailure(error, url)));
    });
    // Name lookup and connection setup do not count as response time.
    request.on('socket', (socket) => socket.once('connect', () => (sentAt = clock.now())));
    request.once('finish', () => (isSent = true));
    request.on('error', (error) => fail(connectionFailure(error, url)));
    const timer = clock.setTimeout(() => fail(`timed out after ${timeoutMs / 1000} s`), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    request.end(content);
  });
}
