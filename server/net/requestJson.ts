/** Requests a JSON object from another service of the lab; never through a proxy, and with a timeout. */
import { boundedObject, labBounds, readJsonObject, type JsonObject, type JsonReading } from './foreignJson.ts';
import { exchange } from './exchange.ts';
import { statusReason } from './failure.ts';
import type { NameLookup } from './nameLookup.ts';

export type JsonResult =
  | { readonly ok: true; readonly body: JsonObject }
  /** `status`: that of the response, if there is one. */
  | { readonly ok: false; readonly reason: string; readonly status?: number };

/** Default maximum body size, in bytes: a full history of six managers is about 150,000. */
const defaultMaxBytes = 4 * 1024 * 1024;
/** The failure reason for a body that exceeds the default maximum. */
export const tooLongReason = 'answered with more than 4 MiB';

export interface RequestOptions extends Pick<JsonReading, 'acceptsList'> {
  /** Maximum body size, in bytes. */
  readonly maxBytes?: number;
  /** Extracts the used parts of the body, and applies its own bounds instead of `labBounds`. */
  readonly reduce?: (body: JsonObject) => JsonObject;
  /** Sent as the JSON body of a POST, for queries that require one. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly lookup?: NameLookup;
}

/** The JSON object at `url`, within `labBounds` and with sanitized strings, or the failure reason. Never rejects. */
export async function requestJson(
  url: string,
  timeoutMs: number,
  signal?: AbortSignal,
  {
    maxBytes = defaultMaxBytes,
    reduce = (body) => boundedObject(body, labBounds),
    acceptsList = false,
    query,
    lookup,
  }: RequestOptions = {},
): Promise<JsonResult> {
  const response = await exchange(new URL(url), {
    timeoutMs,
    maxBytes,
    signal,
    readsBody: (status) => status === 200,
    ...(lookup && { lookup }),
    ...(query && { method: 'POST', headers: { 'content-type': 'application/json' }, content: JSON.stringify(query) }),
  });
  if (!response.ok) return { ok: false, reason: response.reason };
  const { status, headers, isTooLong } = response;
  if (status !== 200) return { ok: false, status, reason: statusReason(status, headers.location) };
  if (isTooLong)
    return {
      ok: false,
      status,
      reason: maxBytes === defaultMaxBytes ? tooLongReason : `answered with more than ${maxBytes / 1024 / 1024} MiB`,
    };
  const body = readJsonObject(response.body, { acceptsList });
  return body
    ? { ok: true, body: reduce(body) }
    : { ok: false, status, reason: 'answered with something that is not a JSON object' };
}

/** Whether a page is served at `url`: status 200 and HTML. Never rejects. */
export async function servesPage(url: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
  const headers = { accept: 'text/html' };
  const response = await exchange(new URL(url), { method: 'HEAD', headers, timeoutMs, signal });
  return response.ok && response.status === 200 && (response.headers['content-type'] ?? '').includes('text/html');
}
