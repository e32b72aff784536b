/** Tests how a page sends its command records to the event manager: directly or through the relay. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionResponse } from '#api/lab/access.ts';
import type { RelayResponse } from '#api/lab/relay.ts';
import { createContextRecord } from '#api/managers.ts';
import { createPublishedHistory } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { useSession } from '../lab/session.ts';
import { useRoutes } from '../transport/relay/routes.ts';
import { useCommandLog } from './commandLog.ts';

const eventManager = 'http://lab-pc:8001/';
const user = { name: 'ann', role: 'operator', via: 'session', screen: false } as const;

let offer: RelayResponse;
let session: SessionResponse;
/** Whether the page reaches the workcell manager without the relay. */
let canReachWorkcell: boolean;
let stored: { readonly path: string; readonly user: unknown }[];

beforeEach(() => {
  offer = {
    remote_access: 'operate',
    role: 'operator',
    managers: ['event', 'workcell'],
  };
  session = { remote_access: 'operate', user, problem: null, csrf_token: 'token', no_sign_in: null };
  canReachWorkcell = false;
  stored = [];
  vi.stubGlobal('fetch', async (url: string | URL, { method = 'GET', body }: RequestInit = {}) => {
    const { host, pathname } = new URL(url);
    if (method === 'POST') {
      const event = JSON.parse(String(body)) as { readonly event_data: { readonly user?: string } };
      stored.push({ path: host === location.host ? pathname : String(url), user: event.event_data.user });
      return Response.json(event);
    }
    if (host === 'lab-pc:8005' && !canReachWorkcell) throw new TypeError('Failed to fetch');
    const responses: Readonly<Record<string, unknown>> = {
      '/context': {
        ...createContextRecord(() => null),
        event_server_url: eventManager,
        workcell_server_url: 'http://lab-pc:8005/',
      },
      '/lab_health/history': { ...createPublishedHistory({}), remote_access: 'operate' },
      '/managers': offer,
      '/session': session,
    };
    return Response.json(responses[pathname] ?? { healthy: true });
  });
});
/** Records a command once the routes are measured. */
async function recordCommand(): Promise<void> {
  const { result } = runInComponent(() => ({ log: useCommandLog(), routes: useRoutes(), page: useSession() }));
  const { log, routes, page } = result;
  await vi.waitFor(() => expect([routes.findRoute('event'), routes.findRoute('workcell')]).not.toContain('measuring'));
  await vi.waitFor(() => expect(routes.relayAccess.value).toEqual(offer));
  await vi.waitFor(() => expect(page.session.value).toEqual(session));
  await vi.waitFor(() => {
    stored = [];
    log.record(
      {
        command: 'pause',
        target: { kind: 'node', id: null, name: 'arm' },
        result: 'done',
        reason: '',
        sent_at: new Date().toISOString(),
        duration_ms: 5,
      },
      'Pause arm',
    );
    return vi.waitFor(() => expect(stored).toHaveLength(1));
  });
}

describe('a record', () => {
  it('is relayed with its user if commands may be relayed, even if the event manager is reachable', async () => {
    await recordCommand();
    expect(stored).toEqual([{ path: '/managers/event/event', user: 'ann' }]);
  });

  it('is sent directly if every manager is reachable', async () => {
    canReachWorkcell = true;
    await recordCommand();
    expect(stored).toEqual([{ path: `${eventManager}event`, user: 'ann' }]);
  });

  it('names no user if the page is open on the machine of the lab manager', async () => {
    session = { ...session, user: { name: 'this machine', role: 'administrator', via: 'loopback', screen: false } };
    await recordCommand();
    expect(stored[0]?.user).toBeUndefined();
  });
});
