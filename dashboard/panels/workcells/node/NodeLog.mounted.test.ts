import { beforeEach, expect, it, vi } from 'vitest';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { workcellTexts } from '../texts.ts';
import NodeLog from './NodeLog.vue';

const texts = workcellTexts.log;
const context = {
  lab_server_url: null,
  event_server_url: 'http://lab:8001/',
  experiment_server_url: null,
  data_server_url: null,
  resource_server_url: null,
  workcell_server_url: null,
  location_server_url: null,
};
const requests: Record<string, unknown>[] = [];
let respond: () => Promise<Response>;

const json = (body: unknown, status = 200) =>
  Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }));

beforeEach(() => {
  requests.length = 0;
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.endsWith('/context')) return json(context);
    if (!url.endsWith('/events/query')) return new Promise(() => undefined);
    requests.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
    return respond();
  });
});
const mountLog = () => mountComponent(NodeLog, { name: 'arm', nodeId: '01JN0DE0000000000000000000' }).page;

it('the log queries events by the node’s ID and shows the searched range when it finds none', async () => {
  respond = () => json({});
  const page = mountLog();
  await page.findByText(texts.none(1));
  expect(page.getAllByText(texts.scope(1))).toHaveLength(1);
  expect(requests[0]).toMatchObject({
    $or: expect.arrayContaining([{ 'source.node_id': '01JN0DE0000000000000000000' }]) as unknown,
    event_timestamp: { $gte: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown },
  });
  await click(page.getByRole('button', { name: texts.further(30) }));
  await page.findByText(texts.none(30));
  await click(page.getByRole('button', { name: texts.further(null) }));
  await page.findByText(texts.none(null));
  expect(requests.at(-1)).not.toHaveProperty('event_timestamp');
});

it('the log does not report that there are no events before the first response', async () => {
  respond = () => new Promise(() => undefined);
  const page = mountLog();
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  expect(page.queryByText(texts.none(1))).toBeNull();
});

it('the log shows that its events could not be read', async () => {
  respond = () => json({ detail: 'broken' }, 500);
  const page = mountLog();
  await page.findByText(/could not be read/);
  expect(page.queryByText(texts.none(1))).toBeNull();
});
