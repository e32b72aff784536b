/** One message to one webhook. */
import { exchange, type Exchange } from '../net/exchange.ts';
import { cleanText, shortenedAddress } from '../logging/text.ts';
import type { WebhookRequest } from './webhookBodies.ts';

/** How long a receiver may take, in ms: some post the message on before they answer. */
const postMs = 30_000;
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
export async function post(
  address: string,
  { headers, body }: WebhookRequest,
  { version, key, isIdempotent }: PostOptions,
  signal?: AbortSignal,
  timeoutMs = postMs,
): Promise<PostResult> {
  const { url, credentials } = withoutCredentials(address);
  const answer = await exchange(url, {
    method: 'POST',
    headers: { ...headers, ...credentials, 'user-agent': `lab-manager/${version}`, 'idempotency-key': key },
    content: body,
    timeoutMs,
    lookupMs,
    readsBody: () => false,
    signal,
  });
  if (answer.ok) return resultOf(url, answer);
  const reason = answer.isAborted ? 'the lab manager stopped before the answer' : answer.reason;
  const mayHaveIt = answer.isSent ? '; the receiver may have the message' : '';
  return { ok: false, reason: cleanText(`${reason}${mayHaveIt}`), again: !answer.isSent || isIdempotent };
}

function resultOf(url: URL, { status, headers }: Extract<Exchange, { ok: true }>): PostResult {
  if (status >= 200 && status < 300) return { ok: true };
  const again = status === 429 || status === 408 || status >= 500;
  const seconds = Number(headers['retry-after']);
  return {
    ok: false,
    reason: statusText(url, status, headers.location),
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
