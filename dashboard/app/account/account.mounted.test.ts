import { defineComponent, h } from 'vue';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { csrfHeader, roleTexts, type SessionResponse } from '#api/lab/access.ts';
import { base } from '../../base/serviceAddress.ts';
import { FakeChannel } from '../../fixtures/fakeChannel.ts';
import { sampleLabStatus, signedOutSession } from '../../fixtures/sampleLabStatus.ts';
import { click, fill, mountComponent } from '../../fixtures/mounted.ts';
import { useRelayAccess } from '../../managers/lab/labQueries.ts';
import AccountButton from './AccountButton.vue';
import { accountTexts } from '../texts.ts';

const ann: NonNullable<SessionResponse['user']> = { name: 'ann', role: 'operator', via: 'session', screen: false };

interface SentRequest {
  readonly method: string;
  readonly query: string;
  readonly token: string | null;
  readonly body: unknown;
}

let session: SessionResponse;
let remoteAccess: 'view' | 'operate' | undefined;
let refusal: Response | null;
let sent: SentRequest[];
beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  [session, remoteAccess, refusal, sent] = [signedOutSession, 'operate', null, []];
  vi.stubGlobal(
    'fetch',
    async (input: string | URL, { method = 'GET', headers, body, credentials }: RequestInit = {}) => {
      const { pathname, search } = new URL(input);
      if (pathname === '/lab_health/history') {
        const service = { name: 'lab-manager', version: '1.0.0', started: new Date().toISOString() };
        const managers = sampleLabStatus('healthy').managers.map((manager) => ({ ...manager, changes: [] }));
        return Response.json({
          ...sampleLabStatus('healthy'),
          managers,
          service,
          window_seconds: 7200,
          remote_access: remoteAccess,
        });
      }
      if (pathname === '/managers') {
        const role = session.user?.role ?? null;
        const stop = { refusal: null, nodes: [] };
        return Response.json({ remote_access: remoteAccess, role, managers: ['event'], stop });
      }
      if (pathname !== '/session') return Response.json({ detail: 'Not Found' }, { status: 404 });
      expect(credentials).toBe('same-origin');
      const text = typeof body === 'string' ? body : '';
      sent.push({
        method,
        query: search,
        token: new Headers(headers).get(csrfHeader),
        body: text === '' ? null : JSON.parse(text),
      });
      if (method === 'GET') return Response.json(session);
      if (refusal !== null) return refusal.clone();
      session = method === 'POST' ? { ...signedOutSession, user: ann, csrf_token: 'token-of-ann' } : signedOutSession;
      return Response.json(session);
    },
  );
});
const changes = () => sent.filter(({ method }) => method !== 'GET');
const menuLabel = `Signed in as ann, ${roleTexts.operator}`;

describe('the sign-in', () => {
  it('is absent and does not request the session while remote access is off', async () => {
    remoteAccess = undefined;
    const fetched = vi.spyOn(globalThis, 'fetch');
    const { page } = mountComponent(AccountButton);
    await vi.waitFor(() => expect(fetched).toHaveBeenCalled());
    expect(page.queryByRole('button')).toBeNull();
    expect(sent).toEqual([]);
  });

  it.each(['loopback', 'app'] as const)('is not offered to a person at the lab manager’s machine (%s)', async (via) => {
    session = { ...signedOutSession, user: { name: 'this machine', role: 'administrator', via, screen: false } };
    const { page } = mountComponent(AccountButton);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(page.queryByRole('button')).toBeNull();
  });

  it('detects at once a sign-in in another window', async () => {
    const { page } = mountComponent(AccountButton);
    await vi.waitFor(() => expect(page.getAllByRole('button', { name: accountTexts.signIn })).toHaveLength(1));
    session = { ...signedOutSession, user: ann, csrf_token: 'token-of-ann' };
    const otherWindow = new BroadcastChannel(`session ${base.href}`);
    otherWindow.postMessage(null);
    await vi.waitFor(() => expect(page.getAllByRole('button', { name: menuLabel })).toHaveLength(1));
    otherWindow.close();
  });

  it('signs the user in and shows the user’s name and role', async () => {
    const { page } = mountComponent(AccountButton);
    await click(await page.findByRole('button', { name: accountTexts.signIn }));
    await fill(await page.findByLabelText(accountTexts.name), ' ann ');
    await fill(page.getByLabelText(accountTexts.password), 'a long password');
    await click(page.getByLabelText('Stay signed in on this wall screen, as viewer'));
    await click(page.getAllByRole('button', { name: accountTexts.signIn }).at(-1) as HTMLElement);
    await page.findByRole('button', { name: menuLabel });
    const body = { name: 'ann', password: 'a long password', screen: true };
    expect(changes()).toEqual([{ method: 'POST', query: '', token: null, body }]);
    expect(page.queryByRole('dialog')).toBeNull();
  });

  it('updates the relay’s offer to the page at once', async () => {
    const offered = (): string => document.querySelector('output')?.textContent ?? '';
    const { page } = mountComponent(
      defineComponent(() => {
        const offer = useRelayAccess();
        return () => [h(AccountButton), h('output', JSON.stringify(offer.value))];
      }),
    );
    await vi.waitFor(() => expect(offered()).toContain('"role":null'));
    await click(await page.findByRole('button', { name: accountTexts.signIn }));
    await fill(await page.findByLabelText(accountTexts.name), 'ann');
    await fill(page.getByLabelText(accountTexts.password), 'a long password');
    await click(page.getAllByRole('button', { name: accountTexts.signIn }).at(-1) as HTMLElement);
    await vi.waitFor(() => expect(offered()).toContain('"role":"operator"'));
    await click(await page.findByRole('button', { name: menuLabel }));
    await click(await page.findByRole('menuitem', { name: accountTexts.signOut }));
    await vi.waitFor(() => expect(offered()).toContain('"role":null'));
  });

  it('shows the lab manager’s reason and clears the password when the lab manager refuses it', async () => {
    refusal = Response.json({ detail: 'The name or the password is wrong' }, { status: 401 });
    const { page } = mountComponent(AccountButton);
    await click(await page.findByRole('button', { name: accountTexts.signIn }));
    const password = await page.findByLabelText<HTMLInputElement>(accountTexts.password);
    await fill(page.getByLabelText(accountTexts.name), 'ann');
    await fill(password, 'a wrong password');
    await click(page.getAllByRole('button', { name: accountTexts.signIn }).at(-1) as HTMLElement);
    expect((await page.findByRole('alert')).textContent).toBe('The name or the password is wrong.');
    expect(password.value).toBe('');
    expect(password.type).toBe('password');
  });

  it('sends nothing without a name and a password', async () => {
    const { page } = mountComponent(AccountButton);
    await click(await page.findByRole('button', { name: accountTexts.signIn }));
    await page.findByLabelText(accountTexts.name);
    await click(page.getAllByRole('button', { name: accountTexts.signIn }).at(-1) as HTMLElement);
    expect((await page.findByRole('alert')).textContent).toBe('Enter your name and your password.');
    expect(changes()).toEqual([]);
  });

  it('explains why no password is accepted on this page', async () => {
    session = { ...signedOutSession, no_sign_in: 'Passwords are not accepted over plain HTTP' };
    const { page } = mountComponent(AccountButton);
    await click(await page.findByRole('button', { name: accountTexts.signIn }));
    expect((await page.findByRole('note')).textContent).toBe('Passwords are not accepted over plain HTTP.');
    expect(page.queryByLabelText(accountTexts.password)).toBeNull();
  });
});

describe('the user menu', () => {
  it.each([
    [accountTexts.signOut, '?everywhere=false'],
    ['Sign out on all machines', '?everywhere=true'],
  ])('has the item “%s”, which sends the CSRF token', async (name, query) => {
    session = { ...signedOutSession, user: ann, csrf_token: 'token-of-ann' };
    const { page } = mountComponent(AccountButton);
    await click(await page.findByRole('button', { name: menuLabel }));
    await click(await page.findByRole('menuitem', { name }));
    await page.findByRole('button', { name: accountTexts.signIn });
    expect(changes()).toEqual([{ method: 'DELETE', query, token: 'token-of-ann', body: null }]);
  });

  it('offers no sign-out on all machines on a wall screen', async () => {
    session = { ...signedOutSession, user: { ...ann, screen: true }, csrf_token: 'token-of-ann' };
    const { page } = mountComponent(AccountButton);
    await click(await page.findByRole('button', { name: menuLabel }));
    await page.findByRole('menuitem', { name: accountTexts.signOut });
    expect(page.queryByRole('menuitem', { name: 'Sign out on all machines' })).toBeNull();
  });

  it('refers a user whom a proxy signed in to the proxy', async () => {
    session = { ...signedOutSession, user: { ...ann, via: 'proxy' } };
    const { page } = mountComponent(AccountButton);
    await click(await page.findByRole('button', { name: menuLabel }));
    await page.findByRole('menuitem', { name: 'The proxy signed you in: sign out there' });
    expect(page.queryByRole('menuitem', { name: accountTexts.signOut })).toBeNull();
  });

  it('shows why signing out failed', async () => {
    session = { ...signedOutSession, user: ann, csrf_token: 'token-of-ann' };
    refusal = Response.json({ detail: 'A page of another site sent this request' }, { status: 403 });
    const { page } = mountComponent(AccountButton);
    await click(await page.findByRole('button', { name: menuLabel }));
    await click(await page.findByRole('menuitem', { name: accountTexts.signOut }));
    expect((await page.findByRole('alert')).textContent).toContain('A page of another site sent this request');
  });
});
