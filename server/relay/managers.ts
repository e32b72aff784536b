/** Sends the relay's requests to the managers, within limits of number, size, memory and time. */
import type { Readable } from 'node:stream';
import { isRead, type Endpoint } from '../../api/client/endpoint.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { raceAbort } from '../concurrency/boundedWait.ts';
import { cleanText } from '../logging/text.ts';
import { streamedExchange, StreamError, type StreamedResponse } from '../net/streamedExchange.ts';
import { headersForClient, isJsonOrText } from './headers.ts';
import { BufferedResponse, type MemoryBudget, type MemoryUse } from './memory.ts';

const mebibyte = 1024 * 1024;

/** The maximum size of a response other than a file, in bytes: 60,000 resources are about 40 MiB. */
const maxResponseBytes = 64 * mebibyte;
/** The maximum size of a file in a response, of a form with files and of JSON in a request, in bytes. */
const maxFileBytes = 2048 * mebibyte;
const maxFormBytes = 512 * mebibyte;
const maxJsonBytes = 16 * mebibyte;

/** The maximum number of pending requests: reads and commands to one manager, and reads for one client. */
const maxReads = 48;
const maxCommands = 16;
const maxClientReads = 16;

/** Admin commands, and those that stop a workflow: their number is not limited, so that nothing delays a stop. */
const urgentPath = /^\/admin\/|\/(?:pause|cancel)$/;

/** Timeout of a response in milliseconds, unless the table sets another one: the default of the dashboard's client. */
const defaultTimeoutMs = 10_000;
/** Timeout of a body without data, in milliseconds: the same as for every connection of the service. */
const idleTimeoutMs = 30_000;
/** Timeout of a whole file in milliseconds. */
const fileTimeoutMs = 30 * 60_000;

export interface ManagerRequest {
  readonly manager: ManagerKey;
  /** The user, otherwise the address, to which the request is counted; of a shared request, the first client. */
  readonly client: string;
  readonly isOfOperator: boolean;
  readonly endpoint: Endpoint;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | Buffer | null;
  readonly signal: AbortSignal;
}

/** A file, which is streamed. */
export interface FileResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** A response that is not passed on (502), or a request that is not sent now (503). */
export class RelayError extends Error {
  readonly status: 502 | 503;
  constructor(status: 502 | 503, message: string) {
    super(message);
    this.name = 'RelayError';
    this.status = status;
  }
}

export class Managers {
  /** The number of pending requests by the key of their limit. */
  readonly #running = new Map<string, number>();
  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget) {
    this.#memory = memory;
  }

  /** Sends the request once. @throws StreamError, RelayError */
  async send(request: ManagerRequest): Promise<BufferedResponse | FileResponse> {
    const response = await this.#send(request);
    const { status, headers, body } = response;
    if (request.endpoint.response === 'blob' && status >= 200 && status < 300)
      return { status, headers: headersForClient(headers, true), body };
    const refusal = findRefusal(response);
    const use = !isRead(request.endpoint) ? 'command' : request.isOfOperator ? 'operator' : 'viewer';
    if (refusal === null) return this.#readBody(response, use);
    body.destroy();
    throw new RelayError(502, refusal);
  }

  async #send(request: ManagerRequest): Promise<StreamedResponse> {
    const { endpoint, url, headers, body, signal } = request;
    const endRequest = this.#start(request);
    const isFile = endpoint.response === 'blob';
    const timeoutMs = endpoint.timeoutMs ?? defaultTimeoutMs;
    try {
      const response = await streamedExchange(url, {
        method: endpoint.method,
        headers,
        body,
        signal,
        limits: {
          headTimeoutMs: timeoutMs,
          idleTimeoutMs,
          totalTimeoutMs: isFile || endpoint.body?.type === 'multipart' ? fileTimeoutMs : timeoutMs + idleTimeoutMs,
          maxRequestBytes: endpoint.body?.type === 'multipart' ? maxFormBytes : maxJsonBytes,
          maxResponseBytes: isFile ? maxFileBytes : maxResponseBytes,
        },
      });
      response.body.once('close', endRequest);
      return response;
    } catch (error) {
      endRequest();
      throw error;
    }
  }

  /** Counts the request until the returned function is called. @throws RelayError if there are too many */
  #start({ manager, client, endpoint }: ManagerRequest): () => void {
    if (!isRead(endpoint) && urgentPath.test(endpoint.path)) return () => undefined;
    const counts = isRead(endpoint)
      ? [
          { key: `reads ${manager}`, max: maxReads, label: 'reads' },
          { key: `client ${client}`, max: maxClientReads, label: 'reads of this client' },
        ]
      : [{ key: `commands ${manager}`, max: maxCommands, label: 'commands' }];
    const running = (key: string): number => this.#running.get(key) ?? 0;
    const exceeded = counts.find(({ key, max }) => running(key) >= max);
    if (exceeded !== undefined)
      throw new RelayError(503, `${exceeded.max} ${exceeded.label} are under way already; try again in a moment`);
    for (const { key } of counts) this.#running.set(key, running(key) + 1);
    return () => {
      for (const { key } of counts) {
        if (running(key) > 1) this.#running.set(key, running(key) - 1);
        else this.#running.delete(key);
      }
    };
  }

  async #readBody({ status, headers, body }: StreamedResponse, use: MemoryUse): Promise<BufferedResponse> {
    const chunks: Buffer[] = [];
    let reservedBytes = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if (!this.#memory.reserve(chunk.length, use)) throw memoryError(use === 'command');
        reservedBytes += chunk.length;
        chunks.push(chunk);
      }
    } catch (error) {
      this.#memory.free(reservedBytes);
      throw error;
    }
    return new BufferedResponse(status, headersForClient(headers, false), Buffer.concat(chunks), this.#memory);
  }
}

/**
 * Waits for the result of a shared request on behalf of one client.
 * @param onLeave called when that client leaves
 * @throws StreamError `aborted` once the client has left; the errors of the request
 */
export async function waitForClient<Result>(
  result: Promise<Result>,
  signal: AbortSignal,
  onLeave: () => void = () => undefined,
): Promise<Result> {
  if (signal.aborted) onLeave();
  const received = signal.aborted ? null : await raceAbort(result, signal, onLeave);
  if (received === null) throw new StreamError('aborted', 'aborted');
  return received;
}

/** A command may have been executed although its response is lost, so that it must not be sent again. */
function memoryError(isCommand: boolean): RelayError {
  const reason = 'the lab manager has no memory left for this answer';
  return isCommand
    ? new RelayError(502, `${reason}; the command may have been executed`)
    : new RelayError(503, `${reason}; try again in a moment`);
}

/** Why a response is not passed on; `null` if it is. */
function findRefusal({ status, headers }: StreamedResponse): string | null {
  if (status >= 300 && status < 400) {
    const target = headers.location === undefined ? '' : ` to ${cleanText(headers.location)}`;
    return `it answered with a redirect (HTTP ${status})${target}, which is not followed`;
  }
  if (status < 200 || status > 599) return `it answered with HTTP ${status}`;
  const type = headers['content-type'];
  if (isJsonOrText(type)) return null;
  return `it answered HTTP ${status} with ${type === undefined ? 'no content type' : cleanText(type)} instead of JSON`;
}
