/** Limits the redirects of a feed and the size of its responses. Pure; `feedClient.ts` applies it to every request. */

/** The maximum number of redirects, which must all stay within the feed's origin. */
export const maxRedirects = 5;

/** The maximum size of a list or signature, in bytes. */
export const maxListBytes = 1024 * 1024;

type Headers = Readonly<Record<string, readonly string[]>>;

export class FeedGuard {
  readonly #origin: string;
  /** The number of redirects before each address, by URL. */
  readonly #redirects = new Map<string, number>();
  /** The exact sizes that the feed's list states for its files, in bytes, by URL. */
  readonly #sizes = new Map<string, number>();
  #refusal: string | null = null;

  constructor(feed: string) {
    this.#origin = new URL(feed).origin;
  }

  /** The reason for the first refusal since the last reset; `null` without one. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** Resets the guard for the next check or download. */
  start(): void {
    this.#refusal = null;
    this.#redirects.clear();
  }

  /** Sets the exact size that the file at `url` must have. */
  expectSize(url: string, bytes: number): void {
    this.#sizes.set(url, bytes);
  }

  allowsRequest(url: string): boolean {
    const { origin } = new URL(url);
    if (origin !== this.#origin)
      return this.#refuse(`the feed redirects to ${origin}. If it has moved, set LAB_UPDATE_FEED to its new address`);
    if ((this.#redirects.get(url) ?? 0) > maxRedirects)
      return this.#refuse(`the feed redirects more than ${maxRedirects} times`);
    return true;
  }

  /** Applies the number of redirects and the expected size of an address to the target of its redirect. */
  recordRedirect(from: string, to: string): void {
    this.#redirects.set(to, (this.#redirects.get(from) ?? 0) + 1);
    const size = this.#sizes.get(from);
    if (size !== undefined) this.#sizes.set(to, size);
  }

  /**
   * Returns whether the body is accepted. Checking the Content-Length is sufficient, because the network stack reads no more
   * bytes than that.
   */
  allowsBody(url: string, status: number, headers: Headers): boolean {
    // Redirects are checked by `allowsRequest`, and the body of a missing file isn't read.
    if ((status >= 300 && status < 400) || status === 404) return true;
    if (status >= 400) return this.#refuse(`the feed responds with HTTP ${status}`);
    const name = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
    const contentLength = headerValue(headers, 'content-length');
    const encoding = headerValue(headers, 'content-encoding') ?? 'identity';
    if (contentLength === null || !/^\d+$/.test(contentLength) || encoding !== 'identity')
      return this.#refuse(`the feed’s server does not state the length of ${name}, so its size can’t be limited`);
    const bytes = Number(contentLength);
    const size = this.#sizes.get(url);
    if (size !== undefined && bytes !== size)
      return this.#refuse(`${name} has ${bytes} bytes, and the feed’s list states ${size}`);
    if (size === undefined && bytes > maxListBytes)
      return this.#refuse(`${name} has ${bytes} bytes, and at most ${maxListBytes} are accepted`);
    return true;
  }

  /** Keeps the first reason only, because later failures result from it. */
  #refuse(reason: string): false {
    this.#refusal ??= reason;
    return false;
  }
}

function headerValue(headers: Headers, headerName: string): string | null {
  return (
    Object.entries(headers)
      .find(([name]) => name.toLowerCase() === headerName)?.[1]
      .at(-1)
      ?.toLowerCase() ?? null
  );
}
