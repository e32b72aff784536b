/** The memory that all responses of the relay share while they are read, sent or cached. */

export interface RelayLimits {
  /** The maximum memory of all responses, in bytes. */
  readonly memoryBytes: number;
  /** The part of the memory that is reserved for the responses of commands, in bytes. */
  readonly commandBytes: number;
  /** The part that is reserved for those and for reads of operators, in bytes. */
  readonly operatorBytes: number;
  /** The maximum memory of the responses that one client has not received, in bytes; a single one may exceed it. */
  readonly unreadBytes: number;
  /** Timeout for the client to receive a response that is held in memory, in ms. */
  readonly receiveTimeoutMs: number;
}

const mebibyte = 1024 * 1024;
export const defaultLimits: RelayLimits = {
  memoryBytes: 192 * mebibyte,
  commandBytes: 16 * mebibyte,
  operatorBytes: 64 * mebibyte,
  unreadBytes: 64 * mebibyte,
  receiveTimeoutMs: 60_000,
};

/** Who uses memory: viewers leave a part of it to operators, and both leave a part to commands. */
export type MemoryUse = 'command' | 'operator' | 'viewer';

export class MemoryBudget {
  readonly #limits: Readonly<Record<MemoryUse, number>>;
  #usedBytes = 0;
  /** Drops a cached response to free its memory; returns `false` if nothing is cached. */
  evict: () => boolean = () => false;

  constructor({ memoryBytes, commandBytes, operatorBytes }: Omit<RelayLimits, 'unreadBytes' | 'receiveTimeoutMs'>) {
    const operator = memoryBytes - commandBytes;
    this.#limits = { command: memoryBytes, operator, viewer: operator - operatorBytes };
  }

  get used(): number {
    return this.#usedBytes;
  }

  /** Reserves memory, if necessary in place of cached responses. @returns `false` if it is not available */
  reserve(bytes: number, use: MemoryUse): boolean {
    while (this.#usedBytes + bytes > this.#limits[use]) if (!this.evict()) return false;
    this.#usedBytes += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}

/** Limits the responses that wait until their clients receive them, by client. */
export class UnreadQuota {
  readonly #maxBytes: number;
  readonly #bytes = new Map<string, number>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a response until the returned function is called; `null` if the client has to receive earlier ones first. */
  add(client: string, bytes: number): (() => void) | null {
    const before = this.#bytes.get(client) ?? 0;
    if (before > 0 && before + bytes > this.#maxBytes) return null;
    this.#bytes.set(client, before + bytes);
    return () => {
      const rest = (this.#bytes.get(client) ?? 0) - bytes;
      if (rest > 0) this.#bytes.set(client, rest);
      else this.#bytes.delete(client);
    };
  }
}

/** A whole response with a reference count: its memory is freed with the last reference. The creator holds the first one. */
export class BufferedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly #budget: MemoryBudget;
  #referenceCount = 1;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: Buffer, budget: MemoryBudget) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.#budget = budget;
  }

  retain(): this {
    this.#referenceCount += 1;
    return this;
  }

  release(): void {
    this.#referenceCount -= 1;
    if (this.#referenceCount === 0) this.#budget.free(this.body.length);
  }
}
