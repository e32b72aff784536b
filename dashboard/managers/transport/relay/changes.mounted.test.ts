/** Tests how a page follows the relay's stream of changes, and that it polls without the stream. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartbeatEvent, type Announcement } from '#api/lab/changes.ts';
import type { RelayResponse } from '#api/lab/relay.ts';
import { createContextRecord } from '#api/managers.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { FakeChannel } from '#dashboard/fixtures/fakeChannel.ts';
import { createPublishedHistory } from '#dashboard/fixtures/managerResponses.ts';
import { runInComponent } from '#dashboard/fixtures/mounted.ts';
import { useManagerQuery } from '../poll/managerQuery.ts';
import { getStamp } from '../poll/readings.ts';
import { subscribeToChanges, type CurrentRevision } from './changeStream.ts';
import { relayAddress } from './routes.ts';

/** The stream as a browser provides it. */
class FakeSource extends EventTarget {
  static all: FakeSource[] = [];
  static get open(): FakeSource[] {
    return FakeSource.all.filter(({ isClosed }) => !isClosed);
  }
  readonly url: string;
  readonly openedAt = Date.now();
  isClosed = false;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.all.push(this);
  }

  close(): void {
    this.isClosed = true;
  }

  /** @param ageMs the time since the service sent its request */
  announce(revision: string, ageMs = 0): void {
    const requested = Date.now() - ageMs - this.openedAt;
    const data: Announcement = { endpoint: 'getState', revision: createEtag(revision), requested_ms: requested };
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(data) }));
  }
}

/** A fake Web Locks API: one holder at a time. */
class FakeLocks {
  readonly #waiting: (() => Promise<void>)[] = [];
  #isLocked = false;

  request(_name: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => run().then(resolve, reject);
      signal.addEventListener('abort', () => {
        const index = this.#waiting.indexOf(start);
        if (index >= 0) this.#waiting.splice(index, 1);
        reject(new DOMException('aborted', 'AbortError'));
      });
      this.#waiting.push(start);
      void this.#next();
    });
  }

  async #next(): Promise<void> {
    if (this.#isLocked) return;
    this.#isLocked = true;
    for (let start = this.#waiting.shift(); start !== undefined; start = this.#waiting.shift()) await start();
    this.#isLocked = false;
  }
}

const createEtag = (revision: string) => revision.repeat(27);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const relayResponse: RelayResponse = {
  remote_access: 'operate',
  role: 'operator',
  managers: ['workcell'],
};
const interval = 3000;

let revision = 'a';
let isDown = false;
/** The reads of the state through the relay. */
let reads = 0;
const serviceResponses: Readonly<Record<string, () => unknown>> = {
  '/context': () => ({ ...createContextRecord(() => null), workcell_server_url: 'http://lab-pc:8005/' }),
  '/lab_health/history': () => ({ ...createPublishedHistory({}), remote_access: 'operate' }),
  '/managers': () => relayResponse,
};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 15, 12, 0, 0) });
  FakeSource.all = [];
  [revision, isDown, reads] = ['a', false, 0];
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
  vi.stubGlobal('fetch', (url: string) => {
    const matchingEntry = Object.entries(serviceResponses).find(([end]) => new URL(url).pathname.endsWith(end));
    if (matchingEntry !== undefined) return Promise.resolve(Response.json(matchingEntry[1]()));
    if (url !== `${relayAddress('workcell')}state` || isDown) return Promise.reject(new TypeError('Failed to fetch'));
    reads += 1;
    const body = { ...workcellState, workcell_info: { name: revision, nodes: {} } };
    return Promise.resolve(Response.json(body, { headers: { etag: `"${createEtag(revision)}"` } }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

/** A page with the state of the workcell, which it has read through the relay. */
async function openPage(route = 'relay') {
  localStorage.setItem('lab-manager.route', route);
  const { result: live, unmount } = runInComponent(() =>
    useManagerQuery(workcellApi, 'getState', { schedule: 'workcellState' }),
  );
  await pass(100);
  live.retry();
  await pass(100);
  for (const openSource of FakeSource.open) openSource.announce('a');
  reads = 0;
  return {
    live,
    unmount,
    name: () => live.data.value?.workcell_info.name,
    ageMs: () => Date.now() - (live.receivedAt.value ?? 0),
  };
}
function expectOneOpenSource(): FakeSource {
  const [only, ...others] = FakeSource.open;
  expect(others).toEqual([]);
  return only ?? expect.fail('no stream is open');
}

describe('a page that shows the state of the workcell', () => {
  it('immediately reads what changed, and nothing else while the announcements continue', async () => {
    const { live, name, ageMs } = await openPage();
    expect(expectOneOpenSource().url).toMatch(/\/managers\/changes$/);
    for (let count = 0; count < 10; count += 1) {
      await pass(interval);
      expectOneOpenSource().announce('a', 200);
      await pass(0);
      expect(ageMs()).toBe(200);
    }
    expect([reads, name(), live.stale.value]).toEqual([0, 'a', false]);
    revision = 'b';
    expectOneOpenSource().announce('b');
    await pass(50);
    expect([reads, name()]).toEqual([1, 'b']);
    await pass(interval);
    expectOneOpenSource().announce('b');
    await pass(50);
    expect(reads).toBe(1);
  });

  it('renews the time of data whose revision is announced again', async () => {
    const { live } = await openPage();
    const previousStamp = getStamp(live.data.value) ?? expect.fail('no stamp');
    await pass(interval);
    expectOneOpenSource().announce('a');
    const after = getStamp(live.data.value) ?? expect.fail('no stamp');
    expect(after.receivedAt).toBeGreaterThan(previousStamp.receivedAt);
    expect(after.requestedAt).toBeGreaterThanOrEqual(previousStamp.receivedAt);
  });

  it.each([
    ['ends', () => expectOneOpenSource().dispatchEvent(new Event('error'))],
    ['is silent', () => null],
    ['has announcements that a proxy delayed', () => expectOneOpenSource().announce('a', 6000)],
  ])('polls again if the stream %s, and shows the true age', async (_name, next) => {
    const { live, ageMs } = await openPage();
    await pass(interval);
    expectOneOpenSource().announce('a');
    const receivedAt = live.receivedAt.value;
    next();
    await pass(interval);
    expect([reads, live.receivedAt.value]).toEqual([0, receivedAt]);
    await pass(1600);
    expect(reads).toBe(1);
    expect(ageMs()).toBeLessThan(200);
    for (let count = 0; count < 5; count += 1) {
      if (FakeSource.open.length > 0) next();
      await pass(interval);
    }
    expect(reads).toBeGreaterThanOrEqual(5);
  });

  it('leaves a failing query to its next retry', async () => {
    const { live } = await openPage();
    isDown = true;
    await pass(2 * interval);
    const { receivedAt, failure } = live;
    const previousReceivedAt = receivedAt.value;
    expect(failure.value).toBe('no connection');
    expectOneOpenSource().announce('a');
    expectOneOpenSource().announce('b');
    expect([receivedAt.value, failure.value, reads]).toEqual([previousReceivedAt, 'no connection', 0]);
    isDown = false;
    await pass(10_000);
    expect(live.failure.value).toBeNull();
  });

  it('closes the stream while it is hidden and when nothing needs it any more', async () => {
    const { unmount } = await openPage();
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    expect(FakeSource.open).toEqual([]);
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    expectOneOpenSource();
    unmount();
    await pass(0);
    expect(FakeSource.open).toEqual([]);
  });

  it.each([
    ['where the browser has no locks', 'relay', () => vi.stubGlobal('navigator', {})],
    ['where the managers are reached directly', 'auto', () => vi.stubGlobal('navigator', { locks: new FakeLocks() })],
  ])('polls %s', async (_name, route, set) => {
    set();
    if (route === 'auto') vi.stubGlobal('fetch', withDirectRoute(globalThis.fetch));
    await openPage(route);
    await pass(5 * interval);
    expect([FakeSource.all, reads >= 4]).toEqual([[], true]);
  });
});

/** Responds as a manager that the browser reaches directly. */
function withDirectRoute(relayFetch: typeof fetch): typeof fetch {
  return (url, init) => {
    const path = String(url).replace('http://lab-pc:8005/', '');
    if (path === 'health') return Promise.resolve(Response.json({ healthy: true }));
    return relayFetch(path === 'state' ? `${relayAddress('workcell')}state` : url, init);
  };
}

describe('the tabs of a browser', () => {
  it('share one stream, which another tab opens when the first one unsubscribes', async () => {
    const received: [string, CurrentRevision][] = [];
    const unsubscribeFirst = subscribeToChanges((current) => received.push(['first', current]));
    const unsubscribeSecond = subscribeToChanges((current) => received.push(['second', current]));
    await pass(0);
    await pass(5000);
    expectOneOpenSource().announce('a', 1000);
    const announced = { endpoint: 'getState', revision: createEtag('a'), at: Date.now() - 1000 };
    expect(received.toSorted()).toEqual([
      ['first', announced],
      ['second', announced],
    ]);
    const [stream] = FakeSource.all;
    unsubscribeFirst();
    await pass(0);
    expect(stream?.isClosed).toBe(true);
    expectOneOpenSource().announce('b');
    expect(received.slice(2).map(([tab, { revision: next }]) => [tab, next])).toEqual([['second', createEtag('b')]]);
    unsubscribeSecond();
    await pass(60_000);
    expect(FakeSource.all.length).toBe(2);
  });

  it('open the stream again when it ends or is silent, with growing delays if it is refused', async () => {
    const unsubscribe = subscribeToChanges(() => undefined);
    await pass(0);
    expectOneOpenSource().dispatchEvent(new Event(heartbeatEvent));
    expectOneOpenSource().dispatchEvent(new Event('error'));
    await pass(3000);
    expectOneOpenSource().dispatchEvent(new Event(heartbeatEvent));
    await pass(34_000);
    expect(FakeSource.all.length).toBe(2);
    expectOneOpenSource().dispatchEvent(new Event(heartbeatEvent));
    await pass(34_000);
    expect(FakeSource.all.length).toBe(2);
    await pass(5000);
    expect(FakeSource.all.length).toBe(3);
    for (let count = 0; count < 60; count += 1) {
      for (const openSource of FakeSource.open) openSource.dispatchEvent(new Event('error'));
      await pass(1000);
    }
    expect(FakeSource.all.length).toBeGreaterThanOrEqual(6);
    expect(FakeSource.all.length).toBeLessThanOrEqual(9);
    unsubscribe();
  });
});
