/** Sends one message as a POST to a webhook. */
import { exchange, type Exchange } from '../net/exchange.ts';
import { cleanText, shortenAddress } from '../logging/text.ts';
import {
  decodeCredentials,
  deliveryTimeoutMs,
  type Channel,
  type DeliveryOptions,
  type DeliveryResult,
  type Notification,
  type SendingLab,
} from './channel.ts';
import { tryParseUrl } from '../../api/url.ts';

/** Timeout of the name lookup, in ms. */
const lookupTimeoutMs = 5000;

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookChannel extends Channel {
  /** Returns the request for a notification. @param key of the message */
  readonly request: (notification: Notification, sender: SendingLab, key: string) => WebhookRequest;
}

/** The channel of webhooks that accept the request from `request`. */
export function webhookChannel(request: WebhookChannel['request']): WebhookChannel {
  return {
    request,
    findProblem: () => null,
    deliver: (address, notification, sender, options) =>
      post(address, request(notification, sender, options.key), options),
  };
}

/**
 * Posts once, with a timeout of 30 s. Redirects are not followed: a receiver must not choose which service of the lab's
 * network gets a POST from here. Never rejects.
 * @returns `isRetryable` for the statuses 408, 429 and 5xx; without a response, only if the request was not sent
 * completely or the receiver is idempotent
 */
export async function post(
  address: URL,
  { headers, body }: WebhookRequest,
  { version, key, isIdempotent, signal, timeoutMs = deliveryTimeoutMs }: DeliveryOptions,
): Promise<DeliveryResult> {
  const { url, credentials } = splitCredentials(address);
  const response = await exchange(url, {
    method: 'POST',
    headers: { ...headers, ...credentials, 'user-agent': `lab-manager/${version}`, 'idempotency-key': key },
    content: body,
    timeoutMs,
    lookupTimeoutMs,
    readsBody: () => false,
    signal,
  });
  if (response.ok) return interpretStatus(url, response);
  const reason = response.isAborted ? 'the lab manager stopped before the response' : response.reason;
  const deliveryNote = response.isSent ? '; the receiver may have the message' : '';
  return { ok: false, reason: cleanText(`${reason}${deliveryNote}`), isRetryable: !response.isSent || isIdempotent };
}

function interpretStatus(url: URL, { status, headers }: Extract<Exchange, { ok: true }>): DeliveryResult {
  if (status >= 200 && status < 300) return { ok: true };
  const isRetryable = status === 429 || status === 408 || status >= 500;
  const seconds = Number(headers['retry-after']);
  return {
    ok: false,
    reason: statusText(url, status, headers.location),
    isRetryable,
    ...(isRetryable && seconds > 0 ? { afterMs: Math.min(seconds, 3600) * 1000 } : {}),
  };
}

/** Describes a status that is not a success. A redirect's target is shortened, because it may be a secret. */
function statusText(url: URL, status: number, location: string | undefined): string {
  if (status < 300 || status >= 400) return `HTTP ${status}`;
  const target = tryParseUrl(location ?? '', url.href);
  // Two addresses on one server have the same shortened text.
  const isSameServer = target?.origin === url.origin;
  const targetText = isSameServer ? 'another path of the same server' : shortenAddress(target?.href ?? '');
  const destination = target === null ? '' : ` to ${targetText}`;
  if (status === 301 || status === 308)
    return `HTTP ${status}: the receiver moved permanently${destination}; set LAB_NOTIFY_WEBHOOK_URL to its new address${isSameServer ? ', which is in the Location header of its answer' : ''}`;
  return `HTTP ${status}, a redirect${destination}, which is not followed`;
}

/** Moves user and password of an address into a header, so that no error contains them. */
function splitCredentials(address: URL): { readonly url: URL; readonly credentials: Record<string, string> } {
  const url = new URL(address);
  const { user, password } = decodeCredentials(address);
  if (user === '' && password === '') return { url, credentials: {} };
  url.username = '';
  url.password = '';
  return { url, credentials: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` } };
}
