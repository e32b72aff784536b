/**
 * `fetch` for commands: each request has its own connection, which closes after it, so that neither a pool nor a proxy
 * sends a command a second time on a broken connection.
 */
import { openRequest } from './exchange.ts';
import { names } from './nameLookup.ts';

const maxBytes = 16 * 1024 * 1024;
const lookupTimeoutMs = 2000;
/** Statuses whose response has no body. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

export const freshFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const request = new Request(input, init);
  const content = Buffer.from(await request.arrayBuffer());
  return new Promise((resolve, reject) => {
    // As the error of `fetch`, which has the connection's error as its cause.
    const fail = (cause: unknown): void => reject(new TypeError('fetch failed', { cause }));
    const outgoing = openRequest(new URL(request.url), {
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), 'content-length': content.length },
      lookup: names.forSockets(lookupTimeoutMs),
    });
    const abort = (): void => void outgoing.destroy(new DOMException('aborted', 'AbortError'));
    if (request.signal.aborted) abort();
    request.signal.addEventListener('abort', abort, { once: true });
    outgoing.once('close', () => request.signal.removeEventListener('abort', abort));
    outgoing.on('error', fail);
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxBytes)
          incoming.destroy(Object.assign(new Error('the response is too long'), { code: 'TOO_LONG' }));
      });
      incoming.once('error', fail);
      incoming.once('end', () => {
        const status = incoming.statusCode ?? 0;
        const body = emptyStatuses.has(status) ? null : Buffer.concat(chunks);
        try {
          resolve(new Response(body, { status, statusText: incoming.statusMessage ?? '' }));
        } catch (error) {
          fail(error);
        }
      });
    });
    outgoing.end(content);
  });
};
