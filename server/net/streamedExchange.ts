/** One request with streamed bodies, for requests that the relay forwards: nothing is buffered, and sizes and times are limited. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { clock } from '../../api/time/clock.ts';
import { cleanText } from '../logging/text.ts';
import { openRequest } from './exchange.ts';
import { connectionFailure } from './failure.ts';
import { names } from './nameLookup.ts';

/**
 * The reason why there is no complete response. `unreachable`: no connection was established, so nothing was sent;
 * `lost`: it broke; `tooLong`: the response, `tooMuch`: the request exceeds its limit; `invalid`: the relay refused it.
 */
export type StreamFailure = 'unreachable' | 'timeout' | 'lost' | 'tooLong' | 'tooMuch' | 'aborted' | 'invalid';

/** The failure of an exchange, or of a body that ended early. */
export class StreamError extends Error {
  readonly failure: StreamFailure;
  constructor(failure: StreamFailure, reason: string) {
    super(reason);
    this.name = 'StreamError';
    this.failure = failure;
  }
}

export interface StreamedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Fails with a `StreamError` if it does not end normally within the limits. Must be read or destroyed. */
  readonly body: Readable;
}

export interface StreamLimits {
  /** Timeout of the start of the response, without data in either direction, in ms. */
  readonly headTimeoutMs: number;
  /** Timeout of the response's body, without data, in ms. */
  readonly idleTimeoutMs: number;
  /** Timeout of the whole exchange, in ms. */
  readonly totalTimeoutMs: number;
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
}

interface StreamedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | Buffer | null;
  readonly limits: StreamLimits;
  readonly signal: AbortSignal;
}

/** Sends the request. @throws StreamError */
export function streamedExchange(url: URL, exchange: StreamedRequest): Promise<StreamedResponse> {
  const { method, headers, body, limits, signal } = exchange;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new StreamError('aborted', 'aborted'));
    const request = openRequest(url, { method, headers, lookup: names.forSockets(0.8 * limits.headTimeoutMs) });
    const timers = new ExchangeTimers(limits, (reason) => fail(new StreamError('timeout', reason)));
    let response: Transform | null = null;
    const fail = (error: StreamError): void => {
      timers.stop();
      signal.removeEventListener('abort', onAbort);
      if (response === null) reject(error);
      else response.destroy(error);
      request.destroy();
    };
    const onAbort = (): void => fail(new StreamError('aborted', 'aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
    let isConnected = false;
    // A server whose certificate is rejected has received nothing.
    const connectEvent = url.protocol === 'https:' ? 'secureConnect' : 'connect';
    request.on('socket', (socket) => socket.once(connectEvent, () => (isConnected = true)));
    request.on('error', (error) => {
      if (error instanceof StreamError) return fail(error);
      const reason = cleanText(connectionFailure(error, url));
      // The server may have received what was sent over the connection.
      if (isConnected) fail(new StreamError('lost', reason.replace(/^Failed to connect: /, '')));
      else fail(new StreamError('unreachable', reason));
    });
    // After an unrequested switch of protocols, and when the connection ends without a response.
    request.on('close', () => {
      if (response === null) fail(new StreamError('lost', `the connection was closed without an answer (${url.host})`));
    });
    request.on('response', (message) => {
      response = limitBytes(limits.maxResponseBytes, 'tooLong', () => timers.restart(limits.idleTimeoutMs));
      const responseBody = response;
      timers.restart(limits.idleTimeoutMs);
      // An unread body that fails must not end the process.
      responseBody.on('error', () => undefined);
      responseBody.once('close', () => {
        timers.stop();
        signal.removeEventListener('abort', onAbort);
        request.destroy();
      });
      // Not a pipeline: it would end the body with Node's error instead of ours.
      message.once('error', () => fail(truncatedError(message, url)));
      message.pipe(responseBody);
      resolve({ status: message.statusCode ?? 0, headers: message.headers, body: responseBody });
    });
    sendBody(
      request,
      body,
      limitBytes(limits.maxRequestBytes, 'tooMuch', () => timers.restart(limits.headTimeoutMs)),
      fail,
    );
  });
}

function sendBody(
  request: ReturnType<typeof openRequest>,
  body: StreamedRequest['body'],
  limit: Transform,
  end: (error: StreamError) => void,
): void {
  if (body === null || Buffer.isBuffer(body)) return void request.end(body ?? undefined);
  // Not a pipeline: it would destroy the client's request, and with it the connection that gets the error.
  limit.once('error', (error) => {
    body.unpipe(limit);
    end(error instanceof StreamError ? error : new StreamError('lost', cleanText(error.message)));
  });
  const failIfIncomplete = (): void => {
    if (!body.readableEnded) end(new StreamError('aborted', 'the request broke off'));
  };
  body.once('error', failIfIncomplete);
  body.once('close', failIfIncomplete);
  body.pipe(limit).pipe(request);
  // After a response that did not wait for the whole body, the rest is discarded.
  request.once('close', () => {
    body.off('close', failIfIncomplete);
    body.unpipe(limit);
    limit.destroy();
  });
}

function truncatedError(message: IncomingMessage, url: URL): StreamError {
  const length = message.headers['content-length'];
  const expectedLength = length === undefined ? '' : ` (${length} bytes were announced)`;
  return new StreamError(
    'lost',
    `the connection to ${url.host} was closed in the middle of the response${expectedLength}`,
  );
}

/** Passes data through, and fails above `maxBytes`. */
function limitBytes(maxBytes: number, failure: 'tooLong' | 'tooMuch', onData: () => void): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onData();
      size += chunk.length;
      if (size <= maxBytes) return done(null, chunk);
      done(new StreamError(failure, `more than ${maxBytes / 1024 / 1024} MiB`));
    },
  });
}

/** The timeouts of one exchange: one without progress, which each piece of data restarts, and one of the whole. */
class ExchangeTimers {
  readonly #onTimeout: (reason: string) => void;
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout;
  #idleMs: number;
  #isStopped = false;

  constructor({ headTimeoutMs, totalTimeoutMs }: StreamLimits, onTimeout: (reason: string) => void) {
    this.#onTimeout = onTimeout;
    this.#total = clock.setTimeout(() => onTimeout(`timed out after ${totalTimeoutMs / 1000} s`), totalTimeoutMs);
    this.#idleMs = headTimeoutMs;
    this.#idle = this.#startIdle();
  }

  /** Restarts the timeout after data has arrived: more must arrive within `idleMs`. */
  restart(idleMs: number): void {
    if (this.#isStopped) return;
    if (idleMs === this.#idleMs) return void this.#idle.refresh();
    clock.clearTimeout(this.#idle);
    this.#idleMs = idleMs;
    this.#idle = this.#startIdle();
  }

  stop(): void {
    this.#isStopped = true;
    clock.clearTimeout(this.#total);
    clock.clearTimeout(this.#idle);
  }

  #startIdle(): NodeJS.Timeout {
    const seconds = this.#idleMs / 1000;
    return clock.setTimeout(() => this.#onTimeout(`timed out after ${seconds} s`), this.#idleMs);
  }
}
