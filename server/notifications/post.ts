/** One message to one webhook. */
import http from 'node:http';
import https from 'node:https';
import { connectionFailure } from '../net/failure.ts';
import { names } from '../net/nameLookup.ts';
import { cleanText, shortenedAddress } from '../logging/text.ts';
import type { WebhookRequest } from './webhookBodies.ts';

/** How long a receiver may take, in ms: some post the message on before they answer. */
export const postMs = 30_000;
/** To find its name, in ms. */
const lookupMs = 5000;

export type PostResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Whether it may be posted again. */
      readonly again: boolean;
      readonly afterMs?: number;
    };

export interface PostOptions {
  /** Of this program. */
  readonly version: string;
  /** The same for each try of the same message. */
  readonly key: string;
  /** Whether the receiver discards a message whose key it has had already. */
  readonly isIdempotent: boolean;
}

/**
 * Posts once, within 30 s. A redirect isn't followed: a receiver must not decide which service of the lab's network gets a
 * POST from here. A request that was sent completely and not answered is posted again only where the receiver is idempotent.
 * Never rejects.
 */
export function post(
  address: string,
  { headers, body }: WebhookRequest,
  { version, key, isIdempotent }: PostOptions,
  signal?: AbortSignal,
  limitMs = postMs,
): Promise<PostResult> {
  return new Promise((resolve) => {
    const limit = AbortSignal.timeout(limitMs);
    const { url, credentials } = withoutCredentials(address);
    let isSent = false;
    const fail = (reason: string) => {
      const mayHaveIt = isSent ? '; the receiver may have the message' : '';
      resolve({ ok: false, reason: cleanText(`${reason}${mayHaveIt}`), again: !isSent || isIdempotent });
    };
    const content = Buffer.from(body);
    const options = {
      method: 'POST',
      headers: {
        ...headers,
        ...credentials,
        'content-length': content.length,
        'user-agent': `lab-manager/${version}`,
        'idempotency-key': key,
      },
      agent: false,
      lookup: names.forSockets(lookupMs),
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    };
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
      resolve(resultOf(url, response));
      response.destroy();
    });
    request.once('finish', () => (isSent = true));
    request.on('error', (error) => {
      if (limit.aborted) return fail(`no answer within ${limitMs / 1000} s`);
      if (signal?.aborted) return fail('the lab manager stopped before the answer');
      return fail(connectionFailure(error, url));
    });
    request.end(content);
  });
}

function resultOf(url: URL, { statusCode = 0, headers }: http.IncomingMessage): PostResult {
  if (statusCode >= 200 && statusCode < 300) return { ok: true };
  const again = statusCode === 429 || statusCode === 408 || statusCode >= 500;
  const seconds = Number(headers['retry-after']);
  return {
    ok: false,
    reason: statusText(url, statusCode, headers.location),
    again,
    ...(again && seconds > 0 ? { afterMs: Math.min(seconds, 3600) * 1000 } : {}),
  };
}

/** The new address itself may be a secret. */
function statusText(url: URL, status: number, location: string | undefined): string {
  if (status < 300 || status >= 400) return `HTTP ${status}`;
  const target = URL.canParse(location ?? '', url.href) ? new URL(location ?? '', url) : null;
  // Both addresses on one server are shortened to the same text.
  const isSameServer = target?.origin === url.origin;
  const shown = isSameServer ? 'another path of the same server' : shortenedAddress(target?.href ?? '');
  const where = target === null ? '' : ` to ${shown}`;
  if (status === 301 || status === 308)
    return `HTTP ${status}: the receiver moved permanently${where}; set LAB_NOTIFY_WEBHOOK_URL to its new address${isSameServer ? ', which is in the Location header of its answer' : ''}`;
  return `HTTP ${status}, a redirect${where}, which is not followed`;
}

/** User and password of an address as the header that they are sent in, so that no error names them. */
function withoutCredentials(address: string): { readonly url: URL; readonly credentials: Record<string, string> } {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url, credentials: {} };
  url.username = '';
  url.password = '';
  const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  return { url, credentials: { authorization: `Basic ${pair}` } };
}

/** A percent sign that stands for itself is one. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
