/** The bytes of an answer as they come: no more of them than are wanted, and out of the page's memory as soon as possible. */

/** So many bytes lie in the page's memory at most; a blob is the browser's, which keeps large ones on its disk. */
const bufferBytes = 4 * 1024 * 1024;

/** Makes one blob of many chunks. */
export class BlobParts {
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  #held = 0;
  readonly #blobs: Blob[] = [];
  #size = 0;

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk as Uint8Array<ArrayBuffer>);
    this.#held += chunk.byteLength;
    this.#size += chunk.byteLength;
    if (this.#held >= bufferBytes) this.#flush();
  }

  /** @param type its media type */
  blob(type = ''): Blob {
    this.#flush();
    return new Blob(this.#blobs, { type });
  }

  #flush(): void {
    if (this.#chunks.length > 0) this.#blobs.push(new Blob(this.#chunks));
    this.#chunks = [];
    this.#held = 0;
  }
}

export interface Received {
  /** All of it, or its beginning; nothing where it is larger than it may be and only all of it would do. */
  readonly blob: Blob;
  readonly whole: boolean;
  /** Of all of it, in bytes; `null` where nobody says. */
  readonly size: number | null;
}

export interface ReceiveRules {
  /** More isn't read, in bytes. */
  readonly most: number;
  /** Whether its beginning is worth having. */
  readonly begin?: boolean;
  /** @param got bytes so far @param size of all, `null` where nobody says */
  readonly onProgress?: ((got: number, size: number | null) => void) | undefined;
}

/** Reads the body of an answer, and lets go of it as soon as there is more than may be. @throws when the connection fails */
export async function receiveBytes(response: Response, rules: ReceiveRules): Promise<Received> {
  const { most: limit, begin = false, onProgress } = rules;
  const declaredLength = Number(response.headers.get('content-length') ?? Number.NaN);
  // What is packed for the way has another size than what arrives.
  const size =
    Number.isFinite(declaredLength) && response.headers.get('content-encoding') === null ? declaredLength : null;
  const type = response.headers.get('content-type') ?? '';
  const nothing: Received = { blob: new Blob([], { type }), whole: false, size };
  if (response.body === null) return { ...nothing, whole: true };
  const reader = response.body.getReader();
  if (size !== null && size > limit && !begin) {
    await reader.cancel();
    return nothing;
  }
  const parts = new BlobParts();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { blob: parts.blob(type), whole: true, size: parts.size };
    const room = limit - parts.size;
    parts.add(value.byteLength > room ? value.slice(0, room) : value);
    onProgress?.(parts.size, size);
    if (value.byteLength <= room) continue;
    await reader.cancel();
    return begin ? { blob: parts.blob(type), whole: false, size } : nothing;
  }
}
