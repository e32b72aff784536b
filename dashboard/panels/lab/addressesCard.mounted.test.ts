/** Tests the addresses on the Lab page: which managers respond to this browser, and by which route. */
import { beforeEach, expect, it, vi } from 'vitest';
import { relayFailureHeader } from '#api/client/relayFailure.ts';
import { createContextRecord } from '#api/managers.ts';
import { createPublishedHistory } from '../../fixtures/managerResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import AddressesCard from './AddressesCard.vue';
import { labTexts } from './texts.ts';

let isDemo = false;
/** The response of the relay to a request to the event manager. */
let respondAsRelay: () => Response;
beforeEach(() => {
  isDemo = false;
  respondAsRelay = () => Response.json({ healthy: true });
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('fetch', async (input: string | URL) => {
    const { pathname, port } = new URL(input);
    if (port === '8001') throw new TypeError('Failed to fetch');
    if (pathname.startsWith('/managers/event/')) return respondAsRelay();
    const responses: Readonly<Record<string, unknown>> = {
      '/context': {
        ...createContextRecord(() => null),
        event_server_url: isDemo ? 'http://127.0.0.1:8001/' : 'http://lab-pc:8001/',
      },
      '/lab_health/history': { ...createPublishedHistory({}), remote_access: 'view', ...(isDemo && { demo: true }) },
      '/managers': {
        remote_access: 'view',
        role: 'viewer',
        managers: ['event'],
        stop: { refusal: null, nodes: [] },
      },
    };
    const response = responses[pathname];
    return Response.json(response ?? { detail: 'Not Found' }, { status: response === undefined ? 404 : 200 });
  });
});
const findEventRow = (page: ReturnType<typeof mountComponent>['page']) =>
  page.findByRole('row', { name: /^Event Manager/ });

it('the card shows that a manager without a direct connection responds through the relay', async () => {
  const { page } = mountComponent(AddressesCard);
  const row = await findEventRow(page);
  await vi.waitFor(() => expect(row.textContent).toContain(labTexts.routes.relay));
  await vi.waitFor(() => expect(row.textContent).toContain('Answers'));
});

it('the card shows why the relay gets no response from a manager', async () => {
  localStorage.setItem('lab-manager.route', 'relay');
  respondAsRelay = () =>
    Response.json({ detail: 'connection refused' }, { status: 502, headers: { [relayFailureHeader]: 'unreachable' } });
  const { page } = mountComponent(AddressesCard);
  const row = await findEventRow(page);
  await vi.waitFor(() => expect(row.textContent).toContain('connection refused'));
  expect(row.textContent).toContain(labTexts.noAnswer);
});

it('the card does not advise to set the addresses of the demo lab', async () => {
  isDemo = true;
  const { page } = mountComponent(AddressesCard);
  await page.findByText('The demo lab is available on this machine only.');
  expect((await findEventRow(page)).textContent).not.toContain('set EVENT_SERVER_URL');
});
