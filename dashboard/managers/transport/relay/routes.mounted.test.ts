/** Tests how the page decides between the direct route to a manager and the relay. */
import { useQueryClient } from '@tanstack/vue-query';
import { waitFor } from '@testing-library/dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RelayResponse } from '#api/lab/relay.ts';
import { mixedContentFailure } from '#api/client/connection.ts';
import { csrfHeader } from '#api/lab/access.ts';
import { relayFailureHeader } from '#api/client/relayFailure.ts';
import { createContextRecord } from '#api/managers.ts';
import { eventApi } from '#api/managers/event.ts';
import { createPublishedHistory } from '#dashboard/fixtures/managerResponses.ts';
import { runInComponent } from '#dashboard/fixtures/mounted.ts';
import { base } from '#dashboard/base/serviceAddress.ts';
import { useManagerQuery } from '../poll/managerQuery.ts';
import { invalidateManagerQueries } from '../poll/queryKey.ts';
import { getStamp, isNewer } from '../poll/readings.ts';
import { useConnection, useReadSource } from '../clients.ts';
import { relayAddress, useRoutes } from './routes.ts';

const operate: RelayResponse = {
  remote_access: 'operate',
  role: 'operator',
  managers: ['event'],
};
const direct = 'http://lab-pc:8001/';
const relayed = relayAddress('event');

let offer: RelayResponse | null = operate;
/** Whether the page reaches an address of the manager. */
let reachable: (url: string) => boolean = () => true;
let respond: () => Response = () => Response.json({ healthy: true });
/** The requests to the manager, direct and relayed, with their Cache-Control, credentials mode and CSRF token. */
let requests: { readonly url: string; readonly cacheControl: string | null; readonly credentials: string }[] = [];

/** The responses of the lab manager itself, by the end of their paths. */
const serviceResponses: Readonly<Record<string, () => unknown>> = {
  '/context': () => ({ ...createContextRecord(() => null), event_server_url: direct }),
  '/lab_health/history': () => ({
    ...createPublishedHistory({}),
    ...(offer !== null && { remote_access: offer.remote_access }),
  }),
  '/managers': () => offer,
  '/session': () => ({
    remote_access: offer?.remote_access ?? 'view',
    user: null,
    problem: null,
    csrf_token: 'token-of-ann',
    no_sign_in: null,
  }),
};

beforeEach(() => {
  offer = operate;
  requests = [];
  reachable = () => true;
  respond = () => Response.json({ healthy: true });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const path = new URL(url).pathname;
    const matchingEntry = Object.entries(serviceResponses).find(([end]) => path.endsWith(end));
    if (matchingEntry !== undefined) return Response.json(matchingEntry[1]());
    const headers = new Headers(init.headers);
    const credentials = `${init.credentials} ${headers.get(csrfHeader)}`;
    requests.push({ url, cacheControl: headers.get('cache-control'), credentials });
    if (!reachable(url)) throw new TypeError('Failed to fetch');
    return respond();
  });
});
/** The routes and the connection of a page, once the lab manager has described the relay. */
async function openPage() {
  const { result } = runInComponent(() => ({ routes: useRoutes(), connection: useConnection(eventApi) }));
  if (offer !== null) await waitFor(() => expect(result.routes.relayAccess.value).toEqual(offer));
  await waitFor(() => expect(result.connection.value?.address).toBe(direct));
  return result;
}
const isRelayed = (url: string) => url.startsWith(relayed);

describe('the route to a manager', () => {
  it('is direct without a measurement where the relay is off', async () => {
    offer = null;
    const { connection } = await openPage();
    expect([connection.value?.baseUrl, requests]).toEqual([direct, []]);
  });

  it('is direct where the manager responds to this browser', async () => {
    const { connection } = await openPage();
    expect(connection.value?.baseUrl).toBe(direct);
    expect(requests.map(({ url }) => url)).toEqual([`${direct}health`]);
  });

  it('is the relay where only the relay responds, and the address still identifies the manager', async () => {
    reachable = isRelayed;
    const { connection } = await openPage();
    expect([connection.value?.baseUrl, connection.value?.address]).toEqual([relayed, direct]);
  });

  it('is measured through the relay with the credentials of the page, like a read', async () => {
    reachable = isRelayed;
    await openPage();
    expect(requests.filter(({ url }) => isRelayed(url)).map(({ credentials }) => credentials)).toEqual([
      'same-origin null',
    ]);
  });

  it('is the relay without a measurement where the browser blocks requests to http', async () => {
    vi.stubGlobal('location', { protocol: 'https:', hostname: 'lab-pc' });
    const { routes, connection } = await openPage();
    expect([connection.value?.baseUrl, routes.managersNeedingSignIn.value, requests]).toEqual([relayed, [], []]);
  });

  it('is blocked for a person without a role where the browser blocks requests to http, and no request is sent', async () => {
    vi.stubGlobal('location', { protocol: 'https:', hostname: 'lab-pc' });
    offer = { ...operate, role: null };
    const { result } = runInComponent(() => ({
      routes: useRoutes(),
      source: useReadSource('event'),
      live: useManagerQuery(eventApi, 'health', { schedule: 'eventLog' }),
    }));
    await waitFor(() => expect(result.live.failure.value).toBe(mixedContentFailure.reason));
    expect(() => result.source.target(0)).toThrow(mixedContentFailure.reason);
    expect([result.routes.findRoute('event'), result.routes.managersNeedingSignIn.value, requests]).toEqual([
      'blocked',
      ['event'],
      [],
    ]);
  });

  it('is direct without a relay where the browser blocks requests to http: the user may have permitted them', async () => {
    vi.stubGlobal('location', { protocol: 'https:', hostname: 'lab-pc' });
    offer = null;
    const { connection } = await openPage();
    await connection.value?.queries.health();
    expect(requests.map(({ url }) => url)).toEqual([`${direct}health`]);
  });

  it('becomes the relay when a sign-in permits it, and failed queries are read at once', async () => {
    offer = { ...operate, role: null };
    reachable = isRelayed;
    const { result } = runInComponent(() => ({
      routes: useRoutes(),
      queries: useQueryClient(),
      live: useManagerQuery(eventApi, 'health', { schedule: 'eventLog' }),
    }));
    await waitFor(() => expect(result.live.failure.value).toEqual(expect.any(String)));
    await waitFor(() => expect(result.routes.managersNeedingSignIn.value).toEqual(['event']));
    const nextRetryAt = result.live.nextRetryAt.value ?? 0;
    offer = operate;
    await invalidateManagerQueries(result.queries, ['manager', 'lab', base.href, 'getManagers']);
    await waitFor(() => expect(result.live.data.value?.healthy).toBe(true));
    expect(Date.now()).toBeLessThan(nextRetryAt);
    expect([result.routes.findRoute('event'), result.routes.managersNeedingSignIn.value]).toEqual(['relay', []]);
  });

  it('is direct where neither the manager nor the relay responds', async () => {
    reachable = () => false;
    expect((await openPage()).connection.value?.baseUrl).toBe(direct);
  });

  it('is direct for a person without a role', async () => {
    offer = { ...operate, role: null };
    reachable = isRelayed;
    expect((await openPage()).connection.value?.baseUrl).toBe(direct);
  });

  it('is the relay when the user chooses it, also where the manager responds', async () => {
    const { routes, connection } = await openPage();
    routes.choice.value = 'relay';
    expect([routes.findRoute('event'), connection.value?.baseUrl]).toEqual(['relay', relayed]);
    routes.choice.value = 'auto';
    expect(routes.findRoute('event')).toBe('direct');
  });

  it('is the relay from the first read on when this choice is stored', async () => {
    localStorage.setItem('lab-manager.route', 'relay');
    const { result } = runInComponent(() => useManagerQuery(eventApi, 'health', { schedule: 'eventLog' }));
    await waitFor(() => expect(result.data.value?.healthy).toBe(true));
    expect(requests.filter(({ url }) => !isRelayed(url))).toEqual([]);
  });

  it('is measured again after a failed read, but not at every failure', async () => {
    const { routes, connection } = await openPage();
    reachable = isRelayed;
    const read = () => connection.value?.queries.health().catch(() => null);
    await read();
    expect(routes.findRoute('event')).toBe('direct');
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    await read();
    await waitFor(() => expect(routes.findRoute('event')).toBe('relay'));
  });
});

describe('requests through the relay', () => {
  it('accept shared responses up to a maximum age, but require a new one after a command', async () => {
    const { routes, connection } = await openPage();
    routes.choice.value = 'relay';
    const now = vi.spyOn(performance, 'now').mockReturnValue(1e9);
    const client = () => connection.value as NonNullable<typeof connection.value>;
    await client().queries.health({}, { maxAgeMs: 3750 });
    await client()
      .commands.addEvent({ body: {} as never })
      .catch(() => null);
    await client().queries.health({}, { maxAgeMs: 3750 });
    now.mockReturnValue(1e9 + 6000);
    await client().queries.health({}, { maxAgeMs: 3750 });
    const relayedReads = requests.filter(({ url }) => url === `${relayed}health`);
    expect(relayedReads.map(({ cacheControl }) => cacheControl)).toEqual(['max-age=3', 'no-cache', 'max-age=3']);
  });

  it('carry the session of the user, and commands also its CSRF token', async () => {
    const { routes, connection } = await openPage();
    routes.choice.value = 'relay';
    await waitFor(async () => {
      requests = [];
      await connection.value?.commands.addEvent({ body: {} as never }).catch(() => null);
      expect(requests.map(({ credentials }) => credentials)).toEqual(['same-origin token-of-ann']);
    });
  });

  it('carry session and token also with a fetch function of the caller, as for large files', async () => {
    const { routes, connection } = await openPage();
    routes.choice.value = 'relay';
    await waitFor(async () => {
      const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json({}));
      await connection.value
        ?.commandsWithFetch(fetch)
        .addEvent({ body: {} as never })
        .catch(() => null);
      const [, init] = fetch.mock.lastCall ?? [];
      expect([init?.credentials, new Headers(init?.headers).get(csrfHeader)]).toEqual(['same-origin', 'token-of-ann']);
    });
  });

  it('are the only ones with Cache-Control, for which a direct request would need a preflight', async () => {
    offer = null;
    await (await openPage()).connection.value?.queries.health({}, { maxAgeMs: 3000 });
    expect(requests).toEqual([{ url: `${direct}health`, cacheControl: null, credentials: 'omit null' }]);
  });

  it.each([
    [{ ...operate, remote_access: 'view' }, /LAB_REMOTE_ACCESS is view/],
    [{ ...operate, role: 'viewer' }, /viewers/],
  ] as const)('send no command when the service offers %o', async (weaker, reason) => {
    offer = weaker;
    const { routes, connection } = await openPage();
    routes.choice.value = 'relay';
    await expect(connection.value?.commands.addEvent({ body: {} as never })).rejects.toThrow(reason);
    expect(requests.filter(({ url }) => url.endsWith('/event'))).toEqual([]);
  });

  it.each([
    [
      'unreachable',
      'unreachable',
      'refused (lab-pc:8001)',
      'Event Manager (through the lab manager) cannot be reached',
    ],
    ['timeout', 'timeout', 'after 10 s', 'Event Manager (lab-pc:8001, through the lab manager) did not answer in time'],
    ['lost', 'unreadable', 'cut', 'no readable answer from Event Manager (lab-pc:8001, through the lab manager)'],
    ['refused', 'http', '16 are under way', `Lab Manager (${base.host}) answered 502`],
  ])(
    'report a failure of the kind %s as %s and name the failing server once',
    async (failure, kind, reason, message) => {
      const { routes, connection } = await openPage();
      routes.choice.value = 'relay';
      const body = { detail: `Event Manager at ${direct}: ${reason}`, reason };
      respond = () => Response.json(body, { status: 502, headers: { [relayFailureHeader]: failure } });
      await expect(connection.value?.queries.health()).rejects.toMatchObject({
        kind,
        reason,
        message: `Could not check its health: ${message}: ${reason}`,
      });
    },
  );

  it('are not attributed to the manager if the lab manager cannot be reached', async () => {
    const { routes, connection } = await openPage();
    routes.choice.value = 'relay';
    reachable = () => false;
    await expect(connection.value?.queries.health()).rejects.toMatchObject({
      message: `Could not check its health: Lab Manager (${base.host}) cannot be reached: no connection`,
    });
  });

  it('report a rejection by the manager with the manager’s own address', async () => {
    const { routes, connection } = await openPage();
    routes.choice.value = 'relay';
    respond = () => Response.json({ detail: 'no such event' }, { status: 404 });
    await expect(connection.value?.queries.health()).rejects.toMatchObject({
      message:
        'Could not check its health: Event Manager (lab-pc:8001, through the lab manager) answered 404: no such event',
    });
  });

  it('show the true age of a response that the relay shares, and never an older state than the known one', async () => {
    respond = () => Response.json({ healthy: true }, { headers: { age: '20' } });
    const { result } = runInComponent(() => ({
      routes: useRoutes(),
      live: useManagerQuery(eventApi, 'health', { schedule: 'eventLog' }),
    }));
    result.routes.choice.value = 'relay';
    await waitFor(() => expect(result.live.data.value?.healthy).toBe(true));
    const ageMs = Date.now() - (result.live.receivedAt.value ?? 0);
    expect(ageMs).toBeGreaterThanOrEqual(20_000);
    expect(ageMs).toBeLessThan(30_000);
    expect(result.live.stale.value).toBe(true);
    const stamp = getStamp(result.live.data.value) ?? expect.fail('no stamp');
    expect(isNewer(stamp, { requestedAt: stamp.receivedAt - 3, receivedAt: stamp.receivedAt - 2 })).toBe(false);
  });
});
