/**
 * Reads that several clients share: identical concurrent reads are sent to a manager once, and a response is reused for as
 * long as a client allows, so that the load of the managers does not grow with the number of open dashboards.
 */
import { createHash } from 'node:crypto';
import { clock } from '../../api/time/clock.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { BufferedResponse, type MemoryBudget } from './memory.ts';
import { waitForClient, type FileResponse, type ManagerRequest } from './managers.ts';

/** The longest time for which a response is reused, in ms: the dashboard's longest polling interval. */
const maxReuseMs = 300_000;
/** The maximum number of cached responses, and the memory of all of them, in bytes. */
const maxCachedResponses = 512;
const maxCachedBytes = 64 * 1024 * 1024;

/** A read whose body is known, so that it can be compared with others. */
export interface SharedRequest extends ManagerRequest {
  readonly body: Buffer | null;
}

/** How fresh a response has to be. */
export interface Freshness {
  /** The maximum age of a cached response, in ms; with 0, only the response to a pending request is shared. */
  readonly maxAgeMs: number;
  /** Whether the manager must receive the request after this moment: neither a response nor a pending request is shared. */
  readonly bypassesCache: boolean;
}

export interface SharedResponse {
  /** The caller must release it. */
  readonly response: BufferedResponse;
  readonly etag: string;
  /** The time since the request for it was sent, in ms; 0 if it was received just now. */
  readonly ageMs: number;
  /** When the request for it was sent, by `performance.now()`. */
  readonly requestedAt: number;
}

interface CachedResponse {
  readonly response: BufferedResponse;
  readonly etag: string;
  readonly requestedAt: number;
  readonly commandCount: number;
  readonly manager: ManagerKey;
}

interface PendingRead {
  readonly result: Promise<CachedResponse>;
  readonly controller: AbortController;
  /** The number of commands to the manager when the request was sent. */
  readonly commandCount: number;
  waiterCount: number;
}

export class SharedReads {
  readonly #send: (request: ManagerRequest) => Promise<BufferedResponse | FileResponse>;
  readonly #cache = new Map<string, CachedResponse>();
  readonly #pendingReads = new Map<string, PendingRead>();
  /** The number of commands to each manager: a response from before the last command is not reused. */
  readonly #commandCounts = new Map<ManagerKey, number>();
  #cachedBytes = 0;

  constructor(send: (request: ManagerRequest) => Promise<BufferedResponse | FileResponse>, memory: MemoryBudget) {
    this.#send = send;
    memory.evict = () => this.#dropOldest();
  }

  /** The number of cached responses. */
  get size(): number {
    return this.#cache.size;
  }

  /** Drops the responses of a manager. Call this when a command is sent to it, and again when the command was executed. */
  invalidate(manager: ManagerKey): void {
    this.#commandCounts.set(manager, this.#commandCount(manager) + 1);
    for (const [key, cached] of this.#cache) if (cached.manager === manager) this.#drop(key, cached);
  }

  /** @throws StreamError, RelayError the errors of the shared request */
  async read(request: SharedRequest, freshness: Freshness): Promise<SharedResponse> {
    const key = requestKey(request);
    const cached = this.#cache.get(key);
    if (cached !== undefined && !freshness.bypassesCache) {
      const ageMs = clock.monotonic() - cached.requestedAt;
      if (ageMs < Math.min(freshness.maxAgeMs, maxReuseMs))
        return { response: cached.response.retain(), etag: cached.etag, ageMs, requestedAt: cached.requestedAt };
    }
    const pendingRead = this.#pendingReads.get(key);
    const isShared =
      pendingRead !== undefined &&
      !freshness.bypassesCache &&
      !pendingRead.controller.signal.aborted &&
      pendingRead.commandCount === this.#commandCount(request.manager);
    const { response, etag, requestedAt } = await this.#join(
      isShared ? pendingRead : this.#start(key, request),
      request.signal,
    );
    return { response: response.retain(), etag, ageMs: 0, requestedAt };
  }

  #commandCount(manager: ManagerKey): number {
    return this.#commandCounts.get(manager) ?? 0;
  }

  #start(key: string, request: SharedRequest): PendingRead {
    const { manager } = request;
    const controller = new AbortController();
    const commandCount = this.#commandCount(manager);
    const requestedAt = clock.monotonic();
    const pendingRead: PendingRead = {
      controller,
      commandCount,
      waiterCount: 0,
      result: this.#send({ ...request, signal: controller.signal }).then((response): CachedResponse => {
        if (!(response instanceof BufferedResponse)) throw new TypeError('A file is not shared');
        const etag = `"${createHash('sha1').update(response.body).digest('base64url')}"`;
        return { response, etag, requestedAt, commandCount, manager };
      }),
    };
    this.#pendingReads.set(key, pendingRead);
    const removePending = (): void => {
      if (this.#pendingReads.get(key) === pendingRead) this.#pendingReads.delete(key);
    };
    pendingRead.result.then(
      (cached) => {
        removePending();
        this.#store(key, cached);
        // Released only after each joined request has retained it.
        setImmediate(() => cached.response.release());
      },
      () => removePending(),
    );
    return pendingRead;
  }

  /** The result for one client; the request is aborted when the last client leaves. */
  #join(pendingRead: PendingRead, signal: AbortSignal): Promise<CachedResponse> {
    pendingRead.waiterCount += 1;
    return waitForClient(pendingRead.result, signal, () => {
      pendingRead.waiterCount -= 1;
      if (pendingRead.waiterCount === 0) pendingRead.controller.abort();
    });
  }

  /** Caches a successful response, unless a command has outdated it or a newer one is cached. */
  #store(key: string, cached: CachedResponse): void {
    const { response, requestedAt, commandCount, manager } = cached;
    const before = this.#cache.get(key);
    const isOutdated =
      commandCount !== this.#commandCount(manager) || (before !== undefined && before.requestedAt > requestedAt);
    if (response.status !== 200 || isOutdated || response.body.length > maxCachedBytes) return;
    if (before !== undefined) this.#drop(key, before);
    this.#cache.set(key, { ...cached, response: response.retain() });
    this.#cachedBytes += response.body.length;
    this.#dropExpired();
    while (this.#cache.size > maxCachedResponses || this.#cachedBytes > maxCachedBytes) this.#dropOldest();
  }

  #dropExpired(): void {
    for (const [key, cached] of this.#cache) {
      if (clock.monotonic() - cached.requestedAt < maxReuseMs) return;
      this.#drop(key, cached);
    }
  }

  #dropOldest(): boolean {
    const [oldest] = this.#cache;
    if (oldest === undefined) return false;
    this.#drop(...oldest);
    return true;
  }

  #drop(key: string, { response }: CachedResponse): void {
    this.#cache.delete(key);
    this.#cachedBytes -= response.body.length;
    response.release();
  }
}

/** Requests with the same key get the same response. */
function requestKey({ endpoint, url, headers, body }: SharedRequest): string {
  const digest = body === null ? '' : createHash('sha256').update(body).digest('base64url');
  const headerValues = (['accept', 'content-type', 'content-encoding'] as const).map((name) => headers[name] ?? '');
  return [endpoint.method, url.href, ...headerValues, digest].join('\n');
}

/** Parses the freshness that a request requires from `Cache-Control` (RFC 9111): `no-cache` and `max-age`. */
export function parseFreshness(cacheControl: string | undefined): Freshness {
  const directives = (cacheControl ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  const seconds = directives
    .map((directive) => /^max-age=(\d{1,9})$/.exec(directive)?.[1])
    .find((value) => value !== undefined);
  const bypassesCache = directives.some((directive) => directive === 'no-cache' || directive === 'no-store');
  return { maxAgeMs: Number(seconds ?? 0) * 1000, bypassesCache };
}
