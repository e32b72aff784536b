/** Reads the bytes of a response up to a limit, and moves them out of the page's memory as soon as possible. */

/** The maximum number of bytes in the page's memory. Blobs belong to the browser, which stores large ones on disk. */
const maxBufferBytes = 4 * 1024 * 1024;

/** Combines many chunks into one blob. */
export class BlobParts {
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  #bufferedBytes = 0;
  readonly #blobs: Blob[] = [];
  #size = 0;

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk as Uint8Array<ArrayBuffer>);
    this.#bufferedBytes += chunk.byteLength;
    this.#size += chunk.byteLength;
    if (this.#bufferedBytes >= maxBufferBytes) this.#flush();
  }

  /** @param type media type */
  blob(type = ''): Blob {
    this.#flush();
    return new Blob(this.#blobs, { type });
  }

  #flush(): void {
    if (this.#chunks.length > 0) this.#blobs.push(new Blob(this.#chunks));
    this.#chunks = [];
    this.#bufferedBytes = 0;
  }
}

export interface ReceivedContent {
  /** The full content or its beginning; empty if it exceeds the limit and a part isn't useful. */
  readonly blob: Blob;
  readonly isComplete: boolean;
  /** The total size in bytes; `null` if unknown. */
  readonly size: number | null;
}

export interface ReceiveOptions {
  /** The maximum number of bytes to read. */
  readonly maxBytes: number;
  /** Whether a truncated response is useful. */
  readonly allowTruncated?: boolean;
  /** @param receivedBytes bytes so far @param size total size, `null` if unknown */
  readonly onProgress?: ((receivedBytes: number, size: number | null) => void) | undefined;
}

/** Reads the body of a response, and cancels it as soon as it exceeds the limit. @throws when the connection fails */
export async function receiveBytes(response: Response, options: ReceiveOptions): Promise<ReceivedContent> {
  const { maxBytes, allowTruncated = false, onProgress } = options;
  const declaredLength = Number(response.headers.get('content-length') ?? Number.NaN);
  // The size of compressed content differs from that of the received bytes.
  const size =
    Number.isFinite(declaredLength) && response.headers.get('content-encoding') === null ? declaredLength : null;
  const type = response.headers.get('content-type') ?? '';
  const empty: ReceivedContent = { blob: new Blob([], { type }), isComplete: false, size };
  if (response.body === null) return { ...empty, isComplete: true };
  const reader = response.body.getReader();
  if (size !== null && size > maxBytes && !allowTruncated) {
    await reader.cancel();
    return empty;
  }
  const parts = new BlobParts();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { blob: parts.blob(type), isComplete: true, size: parts.size };
    const remaining = maxBytes - parts.size;
    parts.add(value.byteLength > remaining ? value.slice(0, remaining) : value);
    onProgress?.(parts.size, size);
    if (value.byteLength <= remaining) continue;
    await reader.cancel();
    return allowTruncated ? { blob: parts.blob(type), isComplete: false, size } : empty;
  }
}
