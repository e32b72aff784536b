import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '../../api/client/endpoint.ts';
import { listEndpoints } from '../../api/managers/tables.ts';
import { StreamError } from '../net/streamedExchange.ts';
import type { ManagerRequest } from './managers.ts';
import { BufferedResponse, MemoryBudget } from './memory.ts';
import { parseFreshness, SharedReads, type Freshness, type SharedRequest } from './sharedReads.ts';

interface SentRequest {
  readonly request: ManagerRequest;
  respond(text: string, status?: number): void;
  fail(error: Error): void;
}

let sentRequests: SentRequest[] = [];
let memory = new MemoryBudget({ memoryBytes: 1024, commandBytes: 0, operatorBytes: 0 });
let reads: SharedReads;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setImmediate'] });
  sentRequests = [];
  memory = new MemoryBudget({ memoryBytes: 1024, commandBytes: 0, operatorBytes: 0 });
  reads = new SharedReads(
    (managerRequest) =>
      new Promise((resolve, reject) => {
        managerRequest.signal.addEventListener('abort', () => reject(new StreamError('aborted', 'aborted')));
        sentRequests.push({
          request: managerRequest,
          respond: (text, status = 200) => {
            if (!memory.reserve(text.length, 'viewer')) return reject(new Error('no memory'));
            resolve(new BufferedResponse(status, {}, Buffer.from(text), memory));
          },
          fail: reject,
        });
      }),
    memory,
  );
});
afterEach(() => vi.useRealTimers());

const [endpoint] = listEndpoints('event') as [Endpoint];
const cachedOrPending: Freshness = { maxAgeMs: 3000, bypassesCache: false };
const pendingOnly: Freshness = { maxAgeMs: 0, bypassesCache: false };
const newOnly: Freshness = { maxAgeMs: 0, bypassesCache: true };

function request(path = 'state', changes: Partial<SharedRequest> = {}): SharedRequest {
  return {
    manager: 'event',
    client: '192.0.2.2',
    isOfOperator: false,
    endpoint,
    url: new URL(path, 'http://lab:8001/'),
    headers: {},
    body: null,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** Returns text and age of a read's response, and releases it. */
async function readText(read: ReturnType<SharedReads['read']>): Promise<string> {
  const { response, ageMs } = await read;
  response.release();
  return `${response.body.toString()} ${ageMs}`;
}

/** Completes a read, so that its response is cached. */
async function readOnce(text: string, managerRequest = request()): Promise<void> {
  const read = readText(reads.read(managerRequest, pendingOnly));
  sentRequests.at(-1)?.respond(text);
  await read;
  vi.runAllTicks();
  vi.advanceTimersToNextTimer();
}

describe('SharedReads', () => {
  it('sends identical concurrent reads once', async () => {
    const read = [pendingOnly, cachedOrPending, pendingOnly].map((freshness) =>
      readText(reads.read(request(), freshness)),
    );
    expect(sentRequests).toHaveLength(1);
    sentRequests[0]?.respond('a');
    expect(await Promise.all(read)).toEqual(['a 0', 'a 0', 'a 0']);
  });

  it.each([
    ['addresses', request('nodes')],
    ['queries', request('state?number=1')],
    ['bodies', request('state', { body: Buffer.from('{}') })],
    ['types', request('state', { headers: { 'content-type': 'text/plain' } })],
    ['managers', request('state', { url: new URL('http://lab:8002/state') })],
  ])('does not share reads with different %s', (_name, otherRequest) => {
    void reads.read(request(), cachedOrPending);
    void reads.read(otherRequest, cachedOrPending);
    expect(sentRequests).toHaveLength(2);
  });

  it('reuses a response while it is younger than the client’s maximum age, and returns its age', async () => {
    await readOnce('a');
    vi.advanceTimersByTime(2999);
    expect(await readText(reads.read(request(), cachedOrPending))).toBe('a 2999');
    vi.advanceTimersByTime(1);
    void reads.read(request(), cachedOrPending);
    expect(sentRequests).toHaveLength(2);
  });

  it('reuses no response for a client without a maximum age', async () => {
    await readOnce('a');
    void reads.read(request(), pendingOnly);
    expect(sentRequests).toHaveLength(2);
  });

  it('sends a separate read for a client that requires a new response, and shares it with later clients', async () => {
    await readOnce('a');
    void reads.read(request(), pendingOnly);
    const fresh = readText(reads.read(request(), newOnly));
    expect(sentRequests).toHaveLength(3);
    const later = readText(reads.read(request(), pendingOnly));
    expect(sentRequests).toHaveLength(3);
    sentRequests[2]?.respond('b');
    expect(await Promise.all([fresh, later])).toEqual(['b 0', 'b 0']);
  });

  it('never replaces a newer response with one that was requested earlier', async () => {
    const old = readText(reads.read(request(), pendingOnly));
    vi.advanceTimersByTime(10);
    const fresh = readText(reads.read(request(), newOnly));
    sentRequests[1]?.respond('new');
    await fresh;
    sentRequests[0]?.respond('old');
    await old;
    expect(await readText(reads.read(request(), cachedOrPending))).toBe('new 0');
  });

  it('reuses no response that was requested before a command', async () => {
    await readOnce('a');
    const early = readText(reads.read(request('nodes'), cachedOrPending));
    reads.invalidate('event');
    const after = [
      readText(reads.read(request(), cachedOrPending)),
      readText(reads.read(request('nodes'), cachedOrPending)),
    ];
    expect(sentRequests).toHaveLength(4);
    sentRequests[1]?.respond('before');
    expect(await early).toBe('before 0');
    sentRequests[2]?.respond('b');
    sentRequests[3]?.respond('after');
    expect(await Promise.all(after)).toEqual(['b 0', 'after 0']);
    expect(await readText(reads.read(request('nodes'), cachedOrPending))).toBe('after 0');
  });

  it('keeps the responses of other managers after a command', async () => {
    await readOnce('a');
    reads.invalidate('workcell');
    expect(await readText(reads.read(request(), cachedOrPending))).toBe('a 0');
  });

  it('does not cache errors', async () => {
    const read = readText(reads.read(request(), cachedOrPending));
    sentRequests[0]?.respond('oops', 500);
    expect(await read).toBe('oops 0');
    void reads.read(request(), cachedOrPending);
    expect(sentRequests).toHaveLength(2);
  });

  it('reports a failure to every waiting client, and sends a new request for the next read', async () => {
    const read = [reads.read(request(), cachedOrPending), reads.read(request(), cachedOrPending)];
    sentRequests[0]?.fail(new StreamError('lost', 'gone'));
    expect(await Promise.allSettled(read)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    void reads.read(request(), cachedOrPending);
    expect(sentRequests).toHaveLength(2);
  });

  it('aborts the request when the last client disconnects, and not before', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const read = [first, second].map(({ signal }) => reads.read(request('state', { signal }), cachedOrPending));
    const settled = Promise.allSettled(read);
    first.abort();
    expect(sentRequests[0]?.request.signal.aborted).toBe(false);
    second.abort();
    expect(sentRequests[0]?.request.signal.aborted).toBe(true);
    void reads.read(request(), cachedOrPending);
    expect(sentRequests).toHaveLength(2);
    await settled;
  });

  it('limits the cache to the memory and evicts the oldest responses first', async () => {
    await readOnce('a'.repeat(500), request('a'));
    await readOnce('b'.repeat(500), request('b'));
    await readOnce('c'.repeat(500), request('c'));
    expect(memory.used).toBe(1000);
    const texts = [];
    for (const path of ['b', 'c']) texts.push((await readText(reads.read(request(path), cachedOrPending)))[0]);
    expect(texts).toEqual(['b', 'c']);
    expect(sentRequests).toHaveLength(3);
    void reads.read(request('a'), cachedOrPending);
    expect(sentRequests).toHaveLength(4);
  });

  it('frees the memory of responses that are neither cached nor being sent', async () => {
    for (let number = 0; number < 600; number += 1) await readOnce('x', request(`state?number=${number}`));
    expect([reads.size, memory.used]).toEqual([512, 512]);
    vi.advanceTimersByTime(300_000);
    await readOnce('y');
    expect([reads.size, memory.used]).toEqual([1, 1]);
    reads.invalidate('event');
    expect([reads.size, memory.used]).toEqual([0, 0]);
  });
});

describe('parseFreshness', () => {
  it.each([
    [undefined, { maxAgeMs: 0, bypassesCache: false }],
    ['', { maxAgeMs: 0, bypassesCache: false }],
    ['max-age=3', { maxAgeMs: 3000, bypassesCache: false }],
    ['Max-Age=3, no-transform', { maxAgeMs: 3000, bypassesCache: false }],
    ['no-cache', { maxAgeMs: 0, bypassesCache: true }],
    ['no-store, max-age=5', { maxAgeMs: 5000, bypassesCache: true }],
    ['max-age=-1', { maxAgeMs: 0, bypassesCache: false }],
    ['max-age=1e9', { maxAgeMs: 0, bypassesCache: false }],
  ])('parses %s as %o', (header, expected) => {
    expect(parseFreshness(header)).toEqual(expected);
  });
});
