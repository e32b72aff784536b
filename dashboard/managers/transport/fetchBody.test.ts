import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { AnswerError, fetchBody } from './fetchBody.ts';

const schema = z.object({ healthy: z.boolean(), managers: z.array(z.object({ state: z.string() })) });
const good = { healthy: true, managers: [{ state: 'healthy' }] };

function answer(body: string, init: ResponseInit = {}): void {
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(new Response(body, init))),
  );
}

const ask = (signal = new AbortController().signal) => fetchBody('http://lab/x', schema, signal);

beforeAll(() => {
  z.config({ jitless: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('fetchBody', () => {
  it('answers the parsed body', async () => {
    answer(JSON.stringify({ ...good, more: 1 }));
    await expect(ask()).resolves.toEqual(good);
  });

  it.each([
    ['{"healthy": true, "managers": [{"state": 3}]}', {}, 'the answer is not as expected at managers.0.state'],
    ['3', {}, 'the answer is not as expected at the top'],
    ['<html>', {}, 'the answer is not JSON'],
    ['', {}, 'the answer is not JSON'],
    ['{"detail": "boom"}', { status: 500 }, 'HTTP 500, boom'],
    ['Internal Server Error', { status: 500 }, 'HTTP 500'],
    ['{"detail": [1]}', { status: 422 }, 'HTTP 422'],
    [JSON.stringify(good), { status: 404 }, 'HTTP 404'],
  ])('says in words what is wrong with %s %o', async (body, init, message) => {
    answer(body, init);
    await expect(ask()).rejects.toThrow(new AnswerError(message));
  });

  it('keeps how long the server asked to wait', async () => {
    answer('{}', { status: 429, headers: { 'retry-after': '7' } });
    await expect(ask()).rejects.toMatchObject({ retryAfter: 7000 });
  });

  it('says that there is no connection', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.reject(new TypeError('Failed to fetch'))),
    );
    await expect(ask()).rejects.toThrow(new AnswerError('no connection'));
  });

  it('passes on that it was stopped', async () => {
    const stop = new AbortController();
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.reject(new DOMException('stopped', 'AbortError'))),
    );
    stop.abort(new Error('left the page'));
    await expect(ask(stop.signal)).rejects.toThrow('left the page');
  });
});
