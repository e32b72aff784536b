/** One question to one manager: `GET <url>/health`, answered, or told in words why not. */
import http from 'node:http';
import https from 'node:https';
import { performance } from 'node:perf_hooks';
import { boundedObject, healthBounds, readJsonObject, type JsonObject } from '../net/foreignJson.ts';
import { cleanText } from '../logging/text.ts';
import { clockOffset, type ClockOffset } from './clockOffset.ts';
import { connectionFailure } from '../net/failure.ts';
import { names, type NameLookup } from '../net/nameLookup.ts';

/** Longest body that is taken for a health object, in bytes. */
export const maxBodyBytes = 64 * 1024;

/** Limit on the whole exchange, in milliseconds. */
export const probeTimeoutMs = 5000;

export type ProbeOutcome =
  /** Status 200 and a JSON object; `body` is what the manager sent, within `healthBounds`. */
  | {
      readonly kind: 'answered';
      readonly latencyMs: number;
      readonly body: JsonObject;
      /** By the answer's `Date`; `null` where it has none. */
      readonly clock?: ClockOffset | null;
    }
  /** Status 429: alive, but it answers no more questions for now. */
  | { readonly kind: 'busy'; readonly latencyMs: number }
  /** No usable answer; `reached` tells a manager that answered badly from one that didn't answer at all. */
  | { readonly kind: 'failed'; readonly latencyMs: number; readonly reason: string; readonly reached: boolean }
  /** Nobody wants the answer any more. */
  | { readonly kind: 'aborted' };

/** `<url>/health`, with a base path kept: `http://h:8005/base/` → `http://h:8005/base/health`. */
export function healthUrl(managerUrl: string): URL {
  const url = new URL(managerUrl);
  url.search = '';
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/health`;
  return url;
}

/**
 * Asks a manager how it is. Redirects are not followed and no proxy is used: the address in the settings is the one
 * that is meant. Never rejects.
 * @param managerUrl the manager's base address
 * @param options `timeoutMs` limits the whole exchange, name lookup and body included
 */
export function probe(
  managerUrl: string,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number; readonly lookup?: NameLookup } = {},
): Promise<ProbeOutcome> {
  const { signal, timeoutMs = probeTimeoutMs, lookup = names } = options;
  const url = healthUrl(managerUrl);
  const started = performance.now();
  const sentAt = Date.now();
  const latency = () => Math.round((performance.now() - started) * 10) / 10;

  return new Promise((resolve) => {
    if (signal?.aborted) return resolve({ kind: 'aborted' });
    let done = false;
    const finish = (outcome: ProbeOutcome) => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(outcome);
      request.destroy();
    };
    const fail = (reason: string) => finish({ kind: 'failed', latencyMs: latency(), reason, reached: false });
    const refuse = (reason: string) => finish({ kind: 'failed', latencyMs: latency(), reason, reached: true });
    const onAbort = () => finish({ kind: 'aborted' });

    // agent: false = a connection of its own: managers drop a kept-alive one after each internal error.
    const request = (url.protocol === 'https:' ? https : http).get(
      url,
      { agent: false, lookup: lookup.forSockets(0.8 * timeoutMs), headers: { accept: 'application/json' } },
      (response) => {
        response.on('error', (error) => fail(connectionFailure(error, url)));
        const clock = clockOffset(response.headers.date, { sentAt, receivedAt: Date.now() });
        const status = response.statusCode ?? 0;
        if (status === 429) return finish({ kind: 'busy', latencyMs: latency() });
        if (status !== 200) return refuse(statusReason(status, response.headers.location));
        readBody(
          response,
          (bytes) => {
            const body = healthObject(bytes);
            if (body === null) return refuse(`answered with something that is not a health object: ${excerpt(bytes)}`);
            finish({ kind: 'answered', latencyMs: latency(), body, clock });
          },
          { refuse, fail },
        );
      },
    );
    request.on('error', (error) => fail(connectionFailure(error, url)));
    const timer = setTimeout(() => fail(`timed out after ${timeoutMs / 1000} s`), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function readBody(
  response: http.IncomingMessage,
  whole: (bytes: Buffer) => void,
  otherwise: { readonly refuse: (reason: string) => void; readonly fail: (reason: string) => void },
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBodyBytes) return otherwise.refuse('answered with more than 64 KiB, which is no health object');
    chunks.push(chunk);
  });
  response.on('end', () => {
    if (size <= maxBodyBytes) whole(Buffer.concat(chunks));
  });
  response.on('aborted', () => otherwise.fail('the connection was closed in the middle of the answer'));
}

function statusReason(status: number, location: string | undefined): string {
  const redirected = status >= 300 && status < 400 && location !== undefined;
  return redirected
    ? `HTTP ${status} (redirects to ${excerpt(location)}; redirects are not followed)`
    : `HTTP ${status}`;
}

/** What a manager says of itself; `null` where the body is no JSON object in UTF-8. */
export function healthObject(bytes: Uint8Array): JsonObject | null {
  const body = readJsonObject(bytes);
  return body && boundedObject(body, healthBounds, ['healthy', 'description', 'version']);
}

/** The beginning of a foreign text on one line. */
function excerpt(text: Buffer | string): string {
  return cleanText(text.toString(), 81) || '(nothing)';
}
