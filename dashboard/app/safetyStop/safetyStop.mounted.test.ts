/** The safety stop of a page: by the service, by the page itself, or not at all; its report and its release. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useManualClock } from '#api/fixtures/manualClock.ts';
import { csrfHeader } from '#api/lab/access.ts';
import type { StopResponse } from '#api/lab/safetyStopApi.ts';
import { createContextRecord } from '#api/managers.ts';
import type { LabStop } from '#api/safetyStop/labStop.ts';
import { safetyStopTexts as texts } from '#api/safetyStop/safetyStopTexts.ts';
import { createPublishedHistory, createStopResponse } from '../../fixtures/managerResponses.ts';
import { click, mountComponent, type Mounted } from '../../fixtures/mounted.ts';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import { useOutcomes } from '../../managers/commands/outcomes.ts';
import { useSafetyStop } from '../../managers/safetyStop/useSafetyStop.ts';
import SafetyStop from './SafetyStop.vue';

const workcell = 'http://lab-pc:8005/';
const nodeUrl = 'http://lab-pc:2000/';
const refusal = 'Only signed-in operators may send the safety stop';
const refused = { refusals: { stop: refusal, release: refusal, acknowledge: refusal } };

const node = (name: string, fields: Partial<LabStop['nodes'][number]> = {}): LabStop['nodes'][number] => ({
  name,
  workcell,
  result: 'confirmed',
  reason: '',
  did: ['safety_stop'],
  before: [],
  ...fields,
});
const stopped = (...nodes: LabStop['nodes']): LabStop => ({
  id: '01JDMSTOP0000000000000000A',
  at: '2026-11-21T09:00:00.000Z',
  machine: 'lab-pc',
  application: 'dashboard',
  nodes,
});

/** The state of the service's stop; `null`: the service has no answer to it. */
let state: StopResponse | null = createStopResponse();
/** What a press or a release changes in this state. */
let afterPost: Partial<StopResponse> = {};
let isHung = false;
let isReachable: (url: string) => boolean = () => false;
/** The commands that this page sent by its own routes, and its requests to the service. */
let commands: string[] = [];
let requests: string[] = [];

async function respond(url: string, init: RequestInit): Promise<unknown> {
  const { pathname, host } = new URL(url);
  if (host === location.host) {
    if (pathname === '/context')
      return { ...createContextRecord(() => null), workcell_server_url: workcell, event_server_url: null };
    if (pathname === '/lab_health/history') return { ...createPublishedHistory({}), remote_access: 'view' };
    if (pathname === '/managers') return { remote_access: 'view', role: null, managers: ['workcell'] };
    if (pathname === '/session')
      return { remote_access: 'view', user: null, problem: null, csrf_token: 'token', no_sign_in: null };
    if (pathname.startsWith('/safety_stop') && init.method === 'POST') {
      requests.push(`${pathname} ${init.credentials} ${new Headers(init.headers).get(csrfHeader)}`);
      if (isHung) await new Promise((_resolve, reject) => init.signal?.addEventListener('abort', reject));
      if (state?.refusals.stop != null) return Response.json({ detail: refusal }, { status: 401 });
      state = state && { ...state, ...afterPost };
    }
    if (pathname.startsWith('/safety_stop')) return state ?? Response.json({}, { status: 404 });
  }
  if (!isReachable(url)) throw new TypeError('Failed to fetch');
  if (pathname.includes('/admin/')) {
    commands.push(url);
    return { success: true };
  }
  if (pathname === '/nodes') return { arm: { ...sampleNode(), node_url: nodeUrl } };
  if (pathname === '/state') return { nodes: { arm: { ...sampleNode(), node_url: nodeUrl } } };
  return { healthy: true };
}

beforeEach(() => {
  [state, afterPost, isHung, isReachable] = [createStopResponse(), {}, false, () => false];
  [commands, requests] = [[], []];
  localStorage.setItem('lab-manager.nodes', JSON.stringify({ [workcell]: { arm: { url: nodeUrl, commands: null } } }));
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    const body = await respond(String(url), init);
    return body instanceof Response ? body : Response.json(body);
  });
});
const button = ({ page }: Mounted, name: string = texts.button) => page.findByRole('button', { name });
const mountStop = async (): Promise<Mounted> => {
  const mounted = mountComponent(SafetyStop);
  await button(mounted);
  return mounted;
};

describe('a press', () => {
  it('is sent to the service, and the page sends the nodes nothing itself', async () => {
    isReachable = () => true;
    afterPost = { in_effect: true, stop: stopped(node('arm')) };
    const mounted = await mountStop();
    await click(await button(mounted));
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]).toMatch(/^\/safety_stop same-origin/);
    await mounted.page.findByText(texts.outcome.confirmed);
    await vi.waitFor(() => expect(useSafetyStop().isRunning).toBe(false));
    expect(commands).toEqual([]);
  });

  it.each([
    ['refuses it', () => (state = createStopResponse(refused))],
    ['does not answer within 300 ms', () => (isHung = true)],
    ['knows no node', () => (state = createStopResponse({ known_nodes: 0 }))],
  ])('is executed by the page if the service %s', async (_what, prepare) => {
    const clock = useManualClock(Date.now());
    prepare();
    isReachable = (url) => url.startsWith(workcell) || url.startsWith(nodeUrl);
    const mounted = await mountStop();
    await click(await button(mounted));
    await clock.waitFor(() => {
      expect(commands).toContain(`${nodeUrl}admin/safety_stop`);
      expect(commands).toContain(`${workcell}admin/safety_stop/arm`);
    });
    // The page must not reload meanwhile.
    expect(useSafetyStop().isRunning).toBe(true);
    await mounted.page.findByText(texts.outcome.confirmed);
  });

  it('is continued by the page if the service ends after its acceptance, until the service sends it again', async () => {
    const clock = useManualClock(Date.now());
    const sending = { ...stopped(node('arm', { result: 'sending', did: [] })), sending: true };
    afterPost = { in_effect: true, stop: sending };
    isReachable = (url) => url.startsWith(nodeUrl);
    const mounted = await mountStop();
    await click(await button(mounted));
    await clock.waitFor(() => expect(useSafetyStop().inForce?.sending).toBe(true));
    expect(commands).toEqual([]);
    state = null;
    await clock.waitFor(() => expect(commands).toContain(`${nodeUrl}admin/safety_stop`));
    afterPost = {};
    state = createStopResponse({ in_effect: true, stop: stopped(node('arm', { reason: 'by the service' })) });
    await clock.waitFor(() => expect(useSafetyStop().inForce?.nodes).toMatchObject([{ reason: 'by the service' }]));
  });

  it('is no longer sent by the page once another screen has released it at the restarted service', async () => {
    const clock = useManualClock(Date.now());
    const sending = { ...stopped(node('arm', { result: 'sending', did: [] })), sending: true };
    afterPost = { in_effect: true, stop: sending };
    isReachable = (url) => url.startsWith(nodeUrl);
    const mounted = await mountStop();
    await click(await button(mounted));
    await clock.waitFor(() => expect(useSafetyStop().inForce?.sending).toBe(true));
    state = null;
    await clock.waitFor(() => expect(commands).toContain(`${nodeUrl}admin/safety_stop`));
    // The longest wait between two readings of a failing query is half a minute.
    clock.advance(12_000);
    afterPost = {};
    state = createStopResponse({ stop: stopped(node('arm', { released_at: '2026-11-21T09:00:05.000Z' })) });
    await clock.waitFor(() => expect(useSafetyStop().inForce).toBeNull(), { withinMs: 1500 });
    await vi.waitFor(() => expect(requests.filter((path) => path.startsWith('/safety_stop '))).toHaveLength(2));
  });

  it('is crossed out where neither the service nor a route of the page is open, and still tried', async () => {
    // The repeated attempts of the page end with the test.
    const clock = useManualClock(Date.now());
    state = createStopResponse(refused);
    const mounted = mountComponent(SafetyStop);
    const stop = await button(mounted, 'Safety stop: not available here');
    expect(stop.getAttribute('aria-disabled')).toBe('true');
    expect(stop.title).toBe(texts.unavailable(refusal));
    isReachable = (url) => url.startsWith(nodeUrl);
    await click(stop);
    await clock.waitFor(() => expect(commands).toContain(`${nodeUrl}admin/safety_stop`));
  });
});

describe('the report', () => {
  const open = async (stop: LabStop, fields: Partial<StopResponse> = {}): Promise<Mounted> => {
    afterPost = { in_effect: true, stop, ...fields };
    const mounted = await mountStop();
    await click(await button(mounted));
    return mounted;
  };

  it('shows working and unconfirmed nodes first, with what each does now', async () => {
    const nodes = [
      node('bad', { result: 'held', did: ['lock'], now: { state: 'locked', flags: ['busy'] } }),
      node('reader', { result: 'held', did: ['lock', 'pause'] }),
      node('arm'),
    ];
    const { page } = await open(stopped(...nodes));
    await page.findByText('Still working');
    const names = page.getAllByRole('rowheader').map((header) => header.textContent);
    expect(names).toEqual(['bad', 'reader', 'arm']);
    page.getByText('Locked, busy');
  });

  it('names the workflows that were paused, and an interruption', async () => {
    const workflows = [{ id: 'w', name: 'Assay', node: 'bad', step: 0, was_running: false }];
    const { page } = await open({ ...stopped(node('bad', { result: 'failed' })), workflows, interrupted: true });
    await page.findByText(texts.pausedWorkflow('Assay', 'bad', ''));
    page.getByText('A restart of the lab manager interrupted the stop.');
  });

  it('releases after a confirmation that shows each node and the workflows that start', async () => {
    const workflows = [{ id: 'w', name: 'Assay', node: 'bad', step: 0, was_running: false }];
    const nodes = [node('bad', { result: 'failed', did: [] }), node('arm')];
    const releases = [{ name: 'arm', commands: ['reset'] }];
    const { page } = await open({ ...stopped(...nodes), workflows }, { releases });
    const release = await page.findByRole('button', { name: texts.release });
    await vi.waitFor(() => expect(release.getAttribute('aria-disabled')).toBe('false'));
    await click(release);
    const listed = page.getAllByRole('listitem').map((item) => item.textContent?.trim());
    expect(listed).toEqual([texts.releaseNode('arm', 'reset'), texts.releaseNode('bad', '')]);
    page.getByText(texts.releaseWorkflows(['Assay']));
    page.getByText(texts.releaseHint);
    await click(page.getByRole('button', { name: texts.releaseConfirm(1) }));
    await vi.waitFor(() => expect(requests.at(-1)).toMatch(/^\/safety_stop\/release/));
  });

  it('ends a stop that no node confirmed', async () => {
    const { page } = await open(stopped(node('bad', { result: 'failed', did: [] })));
    const release = await page.findByRole('button', { name: texts.release });
    await vi.waitFor(() => expect(release.getAttribute('aria-disabled')).toBe('false'));
    afterPost = { in_effect: false };
    await click(release);
    page.getByText(texts.releaseNode('bad', ''));
    await click(page.getByRole('button', { name: texts.releaseConfirm(0) }));
    await vi.waitFor(() => expect(requests.at(-1)).toMatch(/^\/safety_stop\/release/));
    await vi.waitFor(() =>
      expect(page.getByRole('button', { name: texts.release }).title).toBe('No safety stop is in effect.'),
    );
  });

  it('shows the progress of a release that waits for a step', async () => {
    const clock = useManualClock(Date.now());
    const { page } = await open(stopped(node('arm')), { releases: [{ name: 'arm', commands: ['reset'] }] });
    const release = await page.findByRole('button', { name: texts.release });
    await clock.waitFor(() => expect(release.getAttribute('aria-disabled')).toBe('false'));
    afterPost = { stop: { ...stopped(node('arm')), releasing: true } };
    await click(release);
    await click(page.getByRole('button', { name: texts.releaseConfirm(1) }));
    await page.findByText(texts.releasing);
    const outcomes = useOutcomes();
    expect(outcomes.list.map((outcome) => outcome.state)).toEqual(['running']);
    state = createStopResponse({ stop: stopped(node('arm', { released_at: '2026-11-21T09:05:00.000Z' })) });
    await clock.waitFor(() => expect(outcomes.list.map((outcome) => outcome.state)).toEqual(['done']));
    expect(page.queryByText(texts.releasing)).toBeNull();
  });

  it('of a stop of the page itself is over when the page has released every node', async () => {
    const clock = useManualClock(Date.now());
    state = createStopResponse(refused);
    isReachable = (url) => url.startsWith(workcell) || url.startsWith(nodeUrl);
    const mounted = await mountStop();
    await click(await button(mounted));
    await clock.waitFor(() => expect(useSafetyStop().inForce?.nodes).toMatchObject([{ result: 'confirmed' }]));
    await useSafetyStop().release();
    expect(commands.at(-1)).toBe(`${workcell}admin/reset/arm`);
    expect(useSafetyStop().inForce).toBeNull();
  });
});
