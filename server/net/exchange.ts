/** One bounded exchange with another machine, with all that the checks look at: status, headers, beginning of the body, times. */
import http from 'node:http';
import https from 'node:https';
import { connectionFailure } from './failure.ts';
import { names } from './nameLookup.ts';
import { cleanText } from '../logging/text.ts';

/** Limit on one exchange, in ms: less than a check's own, so that the check can say what happened. */
export const exchangeMs = 4000;
/** A health object is a few hundred bytes. */
const mostBytes = 64 * 1024;

export type Exchange =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: http.IncomingHttpHeaders;
      readonly body: Buffer;
      /** When the question was sent and its answer's head was there, in ms since the epoch. */
      readonly sentAt: number;
      readonly receivedAt: number;
    }
  | { readonly ok: false; readonly reason: string };

export interface Question {
  readonly method: 'GET' | 'OPTIONS';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks once: no proxy, no redirect, at most 4 s and 64 KiB. Never rejects. */
export function exchange({ method, url, headers }: Question, signal?: AbortSignal): Promise<Exchange> {
  return new Promise((resolve) => {
    const limit = AbortSignal.timeout(exchangeMs);
    const fail = (reason: string) => resolve({ ok: false, reason: cleanText(reason) });
    const options = {
      method,
      headers,
      agent: false,
      lookup: names.forSockets(0.8 * exchangeMs),
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    };
    let sentAt = Date.now();
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
      const receivedAt = Date.now();
      const chunks: Buffer[] = [];
      let size = 0;
      const done = () =>
        resolve({
          ok: true,
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).subarray(0, mostBytes),
          sentAt,
          receivedAt,
        });
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= mostBytes) return;
        done();
        request.destroy();
      });
      response.on('error', () => fail('the answer broke off'));
      response.on('end', done);
    });
    // Looking up the name and connecting are no part of how long the answer took.
    request.on('socket', (socket) => socket.once('connect', () => (sentAt = Date.now())));
    request.on('error', (error) =>
      fail(limit.aborted ? `no answer within ${exchangeMs / 1000} s` : connectionFailure(error, url)),
    );
    request.end();
  });
}
