/**
 * `fetch` for a form with a large file, with the progress of its upload: no browser reports that for `fetch`. Everything else
 * goes to `fetch` itself, because a request that listens to its upload needs the manager's permission first.
 */

/** Smaller forms are sent before anybody reads a progress, in bytes. */
const minReported = 500_000;

function sizeOf(form: FormData): number {
  return [...form.values()].reduce((sum, value) => sum + (typeof value === 'string' ? value.length : value.size), 0);
}

/** @param onProgress is called with bytes, the last time when all of them are sent */
export function uploadFetch(onProgress: (sent: number, total: number) => void): typeof globalThis.fetch {
  return (input, init = {}) => {
    const { body, method = 'GET', signal } = init;
    if (!(body instanceof FormData) || sizeOf(body) < minReported) return globalThis.fetch(input, init);
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, input instanceof Request ? input.url : input);
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
      request.addEventListener('load', () => {
        const { status, statusText, responseText } = request;
        // These statuses have no body.
        resolve(new Response([204, 205, 304].includes(status) ? null : responseText, { status, statusText }));
      });
      // As `fetch` rejects where no answer can be read.
      request.addEventListener('error', () => reject(new TypeError('Failed to fetch')));
      request.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
      const stop = (): void => request.abort();
      signal?.addEventListener('abort', stop, { once: true });
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop));
      request.send(body);
    });
  };
}
