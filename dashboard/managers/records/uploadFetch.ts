/**
 * A `fetch` for forms with large files that reports upload progress, which no browser supports for `fetch`. All other
 * requests use `fetch` itself, because a request with an upload listener needs a CORS preflight.
 */

/** The minimum size of a form whose progress is reported, in bytes; smaller ones are sent too fast. */
const minReportedBytes = 500_000;

function formSize(form: FormData): number {
  return [...form.values()].reduce((sum, value) => sum + (typeof value === 'string' ? value.length : value.size), 0);
}

/** The headers of a response in their text form, one on each line. */
function parseHeaders(lines: string): Headers {
  const headers = new Headers();
  for (const [, name = '', value = ''] of lines.matchAll(/^([^:\r\n]+):[ \t]*([^\r\n]*)/gm))
    headers.append(name, value);
  return headers;
}

/** @param onProgress called with bytes; the last call is after all are sent */
export function createUploadFetch(onProgress: (sentBytes: number, total: number) => void): typeof globalThis.fetch {
  return (input, init = {}) => {
    const { body, method = 'GET', signal } = init;
    if (!(body instanceof FormData) || formSize(body) < minReportedBytes) return globalThis.fetch(input, init);
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      request.open(method, input instanceof Request ? input.url : input);
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
      request.addEventListener('load', () => {
        const { status, statusText, responseText } = request;
        const headers = parseHeaders(request.getAllResponseHeaders());
        // These statuses have no body.
        resolve(new Response([204, 205, 304].includes(status) ? null : responseText, { status, statusText, headers }));
      });
      // Rejects like `fetch` does without a response.
      request.addEventListener('error', () => reject(new TypeError('Failed to fetch')));
      request.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
      const stop = (): void => request.abort();
      signal?.addEventListener('abort', stop, { once: true });
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop));
      request.send(body);
    });
  };
}
