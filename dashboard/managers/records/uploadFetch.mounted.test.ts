import { beforeEach, expect, it, vi } from 'vitest';
import { createUploadFetch } from './uploadFetch.ts';

/** An `XMLHttpRequest` stub whose response the test supplies. */
class FakeRequest extends EventTarget {
  static last: FakeRequest;
  readonly upload = new EventTarget();
  readonly open = vi.fn();
  readonly setRequestHeader = vi.fn();
  readonly send = vi.fn();
  readonly abort = vi.fn(() => this.dispatchEvent(new Event('abort')));
  status = 0;
  statusText = '';
  responseText = '';
  getAllResponseHeaders = () => 'retry-after: 7\r\nlab-relay-failure: lost\r\n';
  constructor() {
    super();
    FakeRequest.last = this;
  }
}
beforeEach(() => void vi.stubGlobal('XMLHttpRequest', FakeRequest));
function createForm(size: number): FormData {
  const body = new FormData();
  body.append('files', new Blob([new Uint8Array(size)]), 'a.bin');
  return body;
}
const large = { method: 'POST', body: createForm(600_000) };

it('createUploadFetch reports the progress of a large form and returns its response', async () => {
  const progress: [number, number][] = [];
  const responsePromise = createUploadFetch((sentBytes, total) => progress.push([sentBytes, total]))(
    'http://lab:8004/datapoint',
    large,
  );
  const { last } = FakeRequest;
  expect(last.open).toHaveBeenCalledWith('POST', 'http://lab:8004/datapoint');
  last.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 3, total: 9 }));
  Object.assign(last, { status: 422, responseText: '{"detail":"no"}' });
  last.dispatchEvent(new Event('load'));
  const response = await responsePromise;
  expect(response.status).toBe(422);
  expect(await response.json()).toEqual({ detail: 'no' });
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'retry-after': '7', 'lab-relay-failure': 'lost' });
  expect(progress).toEqual([[3, 9]]);
});

it('createUploadFetch rejects like fetch after a network failure and after an abort', async () => {
  const failedRequest = createUploadFetch(() => undefined)('http://lab:8004/datapoint', large);
  FakeRequest.last.dispatchEvent(new Event('error'));
  await expect(failedRequest).rejects.toThrow(TypeError);
  const stop = new AbortController();
  const abortedRequest = createUploadFetch(() => undefined)('http://lab:8004/datapoint', {
    ...large,
    signal: stop.signal,
  });
  stop.abort();
  await expect(abortedRequest).rejects.toMatchObject({ name: 'AbortError' });
});

it('createUploadFetch sends nothing if the signal is already aborted', async () => {
  const { last } = FakeRequest;
  const request = createUploadFetch(() => undefined)('http://lab:8004/datapoint', {
    ...large,
    signal: AbortSignal.abort(),
  });
  await expect(request).rejects.toMatchObject({ name: 'AbortError' });
  expect(FakeRequest.last).toBe(last);
});

it('createUploadFetch passes small forms and other requests to fetch', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response('{}'));
  vi.stubGlobal('fetch', fetch);
  await createUploadFetch(() => undefined)('http://lab:8004/datapoint', { method: 'POST', body: createForm(10) });
  await createUploadFetch(() => undefined)('http://lab:8004/health');
  expect(fetch).toHaveBeenCalledTimes(2);
});
