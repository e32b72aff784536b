/** The safety stop of pages with and without a direct route: through the lab manager, to the nodes, or not at all. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { csrfHeader } from '../../../api/lab/access.ts';
import type { RelayResponse } from '../../../api/lab/relay.ts';
import { createContextRecord } from '../../../api/managers.ts';
import { safetyStopTexts as texts } from '../../../api/safetyStop/safetyStopTexts.ts';
import { createPublishedHistory } from '../../fixtures/managerResponses.ts';
import { click, mountComponent, type Mounted } from '../../fixtures/mounted.ts';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import SafetyStop from './SafetyStop.vue';

const workcell = 'http://lab-pc:8005/';
const nodeUrl = 'http://lab-pc:2000/';
const refusal = 'Only signed-in operators may send the safety stop';
const allowed: RelayResponse = {
  remote_access: 'view',
  role: null,
  managers: ['workcell'],
  stop: { refusal: null, nodes: ['arm', 'reader'] },
};
const refused: RelayResponse = { ...allowed, stop: { refusal, nodes: [] } };

let offer: RelayResponse | null = allowed;
/** Returns whether this page reaches an address besides the lab manager. */
let isReachable: (url: string) => boolean = () => false;
/** The commands that were sent, directly or relayed; a relayed one with its token. */
let commands: string[] = [];
let recordedUrls: string[] = [];

function respond(url: string, init: RequestInit): unknown {
  const { pathname, host } = new URL(url);
  if (host === location.host) {
    if (pathname === '/context')
      return {
        ...createContextRecord(() => null),
        workcell_server_url: workcell,
        event_server_url: 'http://lab-pc:8001/',
      };
    if (pathname === '/lab_health/history')
      return { ...createPublishedHistory({}), ...(offer !== null && { remote_access: offer.remote_access }) };
    if (pathname === '/managers') return offer;
    if (pathname === '/session')
      return { remote_access: 'view', user: null, problem: null, csrf_token: 'token', no_sign_in: null };
  }
  const isRelayed = pathname.startsWith('/managers/workcell/');
  if (!isRelayed && !isReachable(url)) throw new TypeError('Failed to fetch');
  if (pathname === '/event') recordedUrls.push(url);
  if (pathname.includes('/admin/')) {
    const token = new Headers(init.headers).get(csrfHeader);
    commands.push(isRelayed ? `${pathname} ${init.credentials} ${token}` : url);
    return { success: true };
  }
  if (isRelayed) return new Response('{"detail":"Unauthorized"}', { status: 401 });
  if (pathname === '/nodes') return { arm: { ...sampleNode(), node_url: nodeUrl } };
  if (pathname === '/state') return { nodes: { arm: { ...sampleNode(), node_url: nodeUrl } } };
  return { healthy: true };
}

beforeEach(() => {
  offer = allowed;
  isReachable = () => false;
  commands = [];
  recordedUrls = [];
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    const body = respond(String(url), init);
    return body instanceof Response ? body : Response.json(body);
  });
});
afterEach(() => void vi.unstubAllGlobals());

const button = ({ page }: Mounted, name: string = texts.button) => page.findByRole('button', { name });
const relayed = (name: string) => `/managers/workcell/admin/safety_stop/${name} same-origin token`;

describe('the safety stop of a page', () => {
  it('stops every node through the lab manager, which records it', async () => {
    const mounted = mountComponent(SafetyStop);
    // Even right after the page was opened.
    await click(await button(mounted));
    await vi.waitFor(() => expect(commands.toSorted()).toEqual([relayed('arm'), relayed('reader')]));
    await vi.waitFor(() => expect(mounted.page.getByRole('alert').textContent).toBe(texts.summary(2, 2)));
    const pending = () => JSON.parse(localStorage.getItem('lab-manager.command-log') ?? '[]') as unknown;
    await vi.waitFor(() => expect(pending()).toEqual([]));
    expect(recordedUrls).toEqual([]);
  });

  it('shows why the lab manager refuses it, and still tries the direct routes when it is pressed', async () => {
    offer = refused;
    localStorage.setItem(
      'lab-manager.nodes',
      JSON.stringify({ [workcell]: { arm: { url: nodeUrl, commands: ['safety_stop'] } } }),
    );
    const mounted = mountComponent(SafetyStop);
    const stop = await button(mounted, texts.unavailableShort);
    expect(stop.getAttribute('aria-disabled')).toBe('true');
    expect(stop.title).toBe(texts.unavailable(refusal));
    isReachable = (url) => url.startsWith(nodeUrl);
    await click(stop);
    await vi.waitFor(() => expect(commands).toContain(`${nodeUrl}admin/safety_stop`));
    expect(mounted.page.getAllByText(texts.unavailable(refusal), { selector: 'p' })).toHaveLength(1);
    expect(commands.filter((command) => command.startsWith('/managers'))).toEqual([]);
  });

  it.each([
    ['the relay is off', null, () => false],
    ['the workcell manager is reachable', refused, (url: string) => url.startsWith(workcell)],
    ['a node is reachable', refused, (url: string) => url.startsWith(nodeUrl)],
    ['the caller may use the relay', allowed, () => false],
  ] as const)('is available where %s', async (_where, offered, reaches) => {
    offer = offered;
    isReachable = reaches;
    localStorage.setItem(
      'lab-manager.nodes',
      JSON.stringify({ [workcell]: { arm: { url: nodeUrl, commands: null } } }),
    );
    const fetched = vi.spyOn(globalThis, 'fetch');
    const mounted = mountComponent(SafetyStop);
    const isDone = () =>
      fetched.mock.calls.some(([url]) => String(url).endsWith(offered === refused ? '/managers' : '/history'));
    await vi.waitFor(() => expect(isDone()).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 0));
    const stop = await button(mounted);
    expect(stop.getAttribute('aria-disabled')).toBe('false');
  });
});
