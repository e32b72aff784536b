/** Asks another service of the lab for a JSON object; never through a proxy, never for long. */
import { boundedObject, labBounds, readJsonObject, type JsonObject } from './foreignJson.ts';
import { exchange } from './exchange.ts';

export type JsonAnswer =
  { readonly ok: true; readonly body: JsonObject } | { readonly ok: false; readonly reason: string };

/** Longest body taken, in bytes: a full history of six managers is about 150,000. */
const usualBytes = 4 * 1024 * 1024;
/** The reason where the body is longer. */
export const tooLong = 'answered with more than 4 MiB';

export interface RequestOptions {
  /** Longest body taken, in bytes. */
  readonly maxBytes?: number;
  /** Takes what is used out of the whole body, within bounds of its own in place of `labBounds`. */
  readonly essentials?: (body: JsonObject) => JsonObject;
  /** Whether a list is taken as well: as an object with the places of its items as names. */
  readonly acceptsList?: boolean;
  /** Sent as the JSON body of a POST, for questions that need one. */
  readonly query?: Readonly<Record<string, unknown>>;
}

/** A JSON object at `url`, within `labBounds` and its texts cleaned, or the reason why there is none. Never rejects. */
export async function requestJson(
  url: string,
  timeoutMs: number,
  signal?: AbortSignal,
  {
    maxBytes = usualBytes,
    essentials = (body) => boundedObject(body, labBounds),
    acceptsList = false,
    query,
  }: RequestOptions = {},
): Promise<JsonAnswer> {
  const answer = await exchange(new URL(url), {
    timeoutMs,
    maxBytes,
    signal,
    readsBody: (status) => status === 200,
    ...(query && { method: 'POST', headers: { 'content-type': 'application/json' }, content: JSON.stringify(query) }),
  });
  if (!answer.ok) return { ok: false, reason: answer.reason };
  const { status, isTooLong } = answer;
  if (status !== 200) return { ok: false, reason: `HTTP ${status}` };
  if (isTooLong)
    return {
      ok: false,
      reason: maxBytes === usualBytes ? tooLong : `answered with more than ${maxBytes / 1024 / 1024} MiB`,
    };
  const body = readJsonObject(answer.body, acceptsList);
  return body
    ? { ok: true, body: essentials(body) }
    : { ok: false, reason: 'answered with something that is no JSON object' };
}

/** Whether a page is served at `url`: status 200 and HTML. Never rejects. */
export async function servesPage(url: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
  const headers = { accept: 'text/html' };
  const answer = await exchange(new URL(url), { method: 'HEAD', headers, timeoutMs, signal });
  return answer.ok && answer.status === 200 && (answer.headers['content-type'] ?? '').includes('text/html');
}
