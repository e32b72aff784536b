/** Asks another service of the lab for a JSON object; never through a proxy, never for long. */
import http from 'node:http';
import https from 'node:https';
import { boundedObject, labBounds, readJsonObject, type JsonObject } from './foreignJson.ts';
import { connectionFailure } from './failure.ts';
import { names } from './nameLookup.ts';
import { cleanText } from '../logging/text.ts';

export { isJsonObject, type JsonObject } from './foreignJson.ts';

export type JsonAnswer =
  { readonly ok: true; readonly body: JsonObject } | { readonly ok: false; readonly reason: string };

/** Longest body taken, in bytes: a full history of six managers is about 150,000. */
const usualBytes = 4 * 1024 * 1024;
/** The reason where the body is longer. */
export const tooLong = 'answered with more than 4 MiB';

export interface AskOptions {
  /** Longest body taken, in bytes. */
  readonly maxBytes?: number;
  /** Takes what is used out of the whole body, within bounds of its own in place of `labBounds`. */
  readonly essentials?: (body: JsonObject) => JsonObject;
  /** Whether a list is taken as well: as an object with the places of its items as names. */
  readonly acceptsList?: boolean;
  /** Sent as the JSON body of a POST, for questions that need one. */
  readonly query?: Readonly<Record<string, unknown>>;
}

/** A JSON object at `url`, within `labBounds` and its texts cleaned, or in words why there is none. Never rejects. */
export function askJson(
  url: string,
  timeoutMs: number,
  signal?: AbortSignal,
  {
    maxBytes = usualBytes,
    essentials = (body) => boundedObject(body, labBounds),
    acceptsList = false,
    query,
  }: AskOptions = {},
): Promise<JsonAnswer> {
  return new Promise((resolve) => {
    const target = new URL(url);
    const limit = AbortSignal.timeout(timeoutMs);
    const fail = (reason: string) => resolve({ ok: false, reason: cleanText(reason) });
    const lookup = names.forSockets(0.8 * timeoutMs);
    const options = {
      agent: false,
      lookup,
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
      ...(query && { method: 'POST', headers: { 'content-type': 'application/json' } }),
    };
    const request = (target.protocol === 'https:' ? https : http).request(target, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= maxBytes) return;
        fail(maxBytes === usualBytes ? tooLong : `answered with more than ${maxBytes / 1024 / 1024} MiB`);
        request.destroy();
      });
      response.on('error', () => fail('the answer broke off'));
      response.on('close', () => fail('the answer broke off'));
      response.on('end', () => {
        if (response.statusCode !== 200) return fail(`HTTP ${response.statusCode}`);
        const body = readJsonObject(Buffer.concat(chunks), acceptsList);
        resolve(
          body
            ? { ok: true, body: essentials(body) }
            : { ok: false, reason: 'answered with something that is no JSON object' },
        );
      });
    });
    request.on('error', (error) =>
      fail(limit.aborted ? `timed out after ${timeoutMs / 1000} s` : connectionFailure(error, target)),
    );
    request.end(query && JSON.stringify(query));
  });
}

/** Whether a page is served at `url`: status 200 and HTML. Never rejects. */
export function servesPage(url: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const target = new URL(url);
    const limit = AbortSignal.timeout(timeoutMs);
    const options = {
      agent: false,
      lookup: names.forSockets(0.8 * timeoutMs),
      method: 'HEAD',
      headers: { accept: 'text/html' },
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    };
    const request = (target.protocol === 'https:' ? https : http).request(target, options, (response) => {
      resolve(response.statusCode === 200 && (response.headers['content-type'] ?? '').includes('text/html'));
      response.resume();
    });
    request.on('error', () => resolve(false));
    request.end();
  });
}
