/** One check of one manager: `GET <url>/health`, with the response or a description of the failure. */
import { clock } from '../../api/time/clock.ts';
import { boundedObject, healthBounds, readJsonObject, type JsonObject } from '../net/foreignJson.ts';
import { clockOffset, type ClockOffset } from './clockOffset.ts';
import { exchange } from '../net/exchange.ts';
import { excerpt, statusReason } from '../net/failure.ts';
import type { NameLookup } from '../net/nameLookup.ts';

/** Longest body accepted as a health object, in bytes. */
export const maxBodyBytes = 64 * 1024;

/** Timeout of the whole exchange, in milliseconds. */
export const probeTimeoutMs = 5000;

export type ProbeOutcome =
  /** Status 200 and a JSON object; `body` is the manager's response, within `healthBounds`. */
  | {
      readonly kind: 'answered';
      readonly latencyMs: number;
      readonly body: JsonObject;
      /** From the response's `Date`; `null` if it has none. */
      readonly clock?: ClockOffset | null;
    }
  /** Status 429: the manager runs but rejects further requests for now. */
  | { readonly kind: 'busy'; readonly latencyMs: number }
  /** No usable response; `reached`: whether the manager responded at all. */
  | { readonly kind: 'failed'; readonly latencyMs: number; readonly reason: string; readonly reached: boolean }
  /** The signal of the caller aborted. */
  | { readonly kind: 'aborted' };

/** Returns `<url>/health`; keeps the base path: `http://h:8005/base/` → `http://h:8005/base/health`. */
export function healthUrl(managerUrl: string): URL {
  const url = new URL(managerUrl);
  url.search = '';
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/health`;
  return url;
}

/**
 * Requests the health of a manager. Never rejects.
 * @param managerUrl the manager's base address
 * @param options `timeoutMs` limits the whole exchange, name lookup and body included
 */
export async function probe(
  managerUrl: string,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number; readonly lookup?: NameLookup } = {},
): Promise<ProbeOutcome> {
  const started = clock.monotonic();
  const response = await exchange(healthUrl(managerUrl), {
    timeoutMs: probeTimeoutMs,
    ...options,
    headers: { accept: 'application/json' },
    maxBytes: maxBodyBytes,
    readsBody: (status) => status === 200,
  });
  const latencyMs = Math.round((clock.monotonic() - started) * 10) / 10;
  if (!response.ok)
    return response.isAborted
      ? { kind: 'aborted' }
      : { kind: 'failed', latencyMs, reason: response.reason, reached: false };
  const { status, headers } = response;
  const failed = (reason: string): ProbeOutcome => ({ kind: 'failed', latencyMs, reason, reached: true });
  if (status === 429) return { kind: 'busy', latencyMs };
  if (status !== 200) return failed(statusReason(status, headers.location));
  if (response.isTooLong) return failed('answered with more than 64 KiB, which is not a health object');
  const body = healthObject(response.body);
  if (body === null) return failed(`answered with something that is not a health object: ${excerpt(response.body)}`);
  return { kind: 'answered', latencyMs, body, clock: clockOffset(headers.date, response) };
}

/** A manager's health object; `null` if the body is not a JSON object in UTF-8. */
export function healthObject(bytes: Uint8Array): JsonObject | null {
  const body = readJsonObject(bytes, { isExact: true });
  return body && boundedObject(body, healthBounds, ['healthy', 'description', 'version']);
}
