/** The memory that all responses of the relay share while they are read, sent or cached. */

export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #commandBytes: number;
  #usedBytes = 0;
  /** Drops a cached response to free its memory; returns `false` if nothing is cached. */
  evict: () => boolean = () => false;

  /** @param commandBytes the part of `maxBytes` that only responses of commands may use */
  constructor(maxBytes: number, commandBytes = 0) {
    this.#maxBytes = maxBytes;
    this.#commandBytes = commandBytes;
  }

  get used(): number {
    return this.#usedBytes;
  }

  /** Reserves memory, if necessary in place of cached responses. @returns `false` if it is not available */
  reserve(bytes: number, isCommand = false): boolean {
    const limit = isCommand ? this.#maxBytes : this.#maxBytes - this.#commandBytes;
    while (this.#usedBytes + bytes > limit) if (!this.evict()) return false;
    this.#usedBytes += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#usedBytes -= bytes;
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
