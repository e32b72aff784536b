/** The notice above a page that can't send requests to managers. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { SessionResponse } from '#api/lab/access.ts';
import type { RelayResponse } from '#api/lab/relay.ts';
import { createContextRecord } from '#api/managers.ts';
import { sampleLabStatus, signedOutSession } from '../../fixtures/sampleLabStatus.ts';
import { createPublishedHistory, createStopResponse } from '../../fixtures/managerResponses.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { accountTexts, appTexts } from '../texts.ts';
import UnreachableNotice from './UnreachableNotice.vue';

const refusal = 'Only signed-in operators may send the safety stop';

let remoteAccess: 'operate' | undefined;
let role: RelayResponse['role'];
let session: SessionResponse;
/** The states that the lab manager reports. */
let managers: ReturnType<typeof sampleLabStatus>['managers'];
/** The paths of all requests. */
let requestedPaths: string[];

beforeEach(() => {
  [remoteAccess, role, session, managers] = ['operate', null, signedOutSession, sampleLabStatus('healthy').managers];
  requestedPaths = [];
  // Without `BroadcastChannel`, the page opens no stream of changes.
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('location', { protocol: 'https:', hostname: 'lab-pc' });
  vi.stubGlobal('fetch', async (input: string | URL) => {
    const { pathname, port } = new URL(input);
    requestedPaths.push(pathname);
    if (port === '8001' || port === '8005') throw new TypeError('Failed to fetch');
    const responses: Readonly<Record<string, unknown>> = {
      '/context': {
        ...createContextRecord(() => null),
        event_server_url: 'http://lab-pc:8001/',
        workcell_server_url: 'http://lab-pc:8005/',
      },
      '/lab_health/history': {
        ...createPublishedHistory({}),
        managers: managers.map((manager) => ({ ...manager, changes: [] })),
        ...(remoteAccess !== undefined && { remote_access: remoteAccess }),
      },
      '/managers': {
        remote_access: remoteAccess,
        role,
        managers: ['event', 'workcell'],
      },
      '/safety_stop': createStopResponse({
        refusals: { stop: role === null ? refusal : null, release: null, acknowledge: null },
      }),
      '/session': session,
    };
    const response = responses[pathname];
    return Response.json(response ?? { detail: 'Not Found' }, { status: response === undefined ? 404 : 200 });
  });
});
it('the notice offers the sign-in where the lab manager passes requests on for signed-in users', async () => {
  const { page } = mountComponent(UnreachableNotice, { kiosk: false });
  const notice = await page.findByRole('alert');
  await vi.waitFor(() => expect(notice.textContent).toContain(appTexts.mixedContent.safetyStop));
  expect(notice.textContent).toContain(
    'This browser does not reach them directly: Event, Workcell. The lab manager passes on the requests of signed-in users.',
  );
  await click(page.getByRole('button', { name: accountTexts.signIn }));
  await page.findByRole('dialog', { name: 'Sign in to the lab manager' });
});

it('the notice shows that the session has ended', async () => {
  session = { ...signedOutSession, problem: 'The session has ended: sign in again' };
  const { page } = mountComponent(UnreachableNotice, { kiosk: false });
  await vi.waitFor(() =>
    expect(page.getByRole('alert').textContent).toContain('The session has ended: sign in again.'),
  );
});

it('the notice has no button on a wall screen', async () => {
  const { page } = mountComponent(UnreachableNotice, { kiosk: true });
  expect((await page.findByRole('alert')).textContent).toContain(appTexts.needsSignIn.title);
  expect(page.queryByRole('button')).toBeNull();
});

it('the notice omits managers that the lab manager does not reach either', async () => {
  managers = managers.map((manager) => ({
    ...manager,
    state: manager.manager === 'event' ? 'unreachable' : manager.state,
  }));
  const { page } = mountComponent(UnreachableNotice, { kiosk: false });
  expect((await page.findByRole('alert')).textContent).toContain(
    'This browser does not reach them directly: Workcell. The lab manager passes on the requests of signed-in users.',
  );
});

it('the notice is not shown to a user for whom the lab manager passes requests on', async () => {
  role = 'operator';
  const { page } = mountComponent(UnreachableNotice, { kiosk: false });
  await vi.waitFor(() => expect(requestedPaths).toContain('/managers/workcell/state'));
  expect(page.queryByRole('alert')).toBeNull();
});

it('the notice explains blocked requests without remote access, and that the safety stop is blocked too', async () => {
  remoteAccess = undefined;
  const { page } = mountComponent(UnreachableNotice, { kiosk: false });
  const notice = await page.findByRole('alert');
  expect(notice.textContent).toContain(
    'It was opened over https, and the browser blocks requests to addresses that begin with http: Event, Workcell.',
  );
  expect(notice.textContent).toContain(appTexts.mixedContent.safetyStop);
});
