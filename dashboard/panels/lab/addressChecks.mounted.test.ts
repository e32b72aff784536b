import { ref, watch } from 'vue';
import { expect, it, vi } from 'vitest';
import { runInComponent } from '../../fixtures/mounted.ts';
import { addressForOthers, useAddressChecks } from './addressChecks.ts';

const createResponse = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

it.each([
  ['http://localhost:8001/', 'bench-1', 'http://bench-1:8001/'],
  ['http://127.0.0.1:8001/', 'bench-1', 'http://bench-1:8001/'],
  ['http://lab-pc:8001/', 'bench-1', 'http://lab-pc:8001/'],
  ['http://localhost:8001/', 'auto', 'http://localhost:8001/'],
  ['http://localhost:8001/', null, 'http://localhost:8001/'],
])('addressForOthers of %s with the advertised host %s is %s', (address, advertised, expected) => {
  expect(addressForOthers(address, advertised)).toBe(expected);
});

it('useAddressChecks reports the response time of each manager, or why it does not respond', async () => {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    const url = typeof request === 'string' ? request : request.url;
    requests.push(url);
    if (url.includes(':8001')) return createResponse(200, { healthy: true });
    if (url.includes(':8002')) return createResponse(503, { detail: 'database is down' });
    throw new TypeError('Failed to fetch');
  });
  const { result } = runInComponent(() =>
    useAddressChecks(() => [
      ['event', 'http://lab:8001/'],
      ['experiment', 'http://lab:8002/'],
      ['data', 'http://lab:8004/'],
    ]),
  );
  await vi.waitFor(() => expect(result.at.value).toEqual(expect.any(Number)));
  // An unreachable address gets a second request, which distinguishes an unreadable response from none.
  expect(new Set(requests).size).toBe(3);
  expect(result.results.value.get('event')?.latencyMs).toBeGreaterThanOrEqual(0);
  expect(result.results.value.get('experiment')?.latencyMs).toBeGreaterThanOrEqual(0);
  expect(result.results.value.get('data')).toMatchObject({ latencyMs: null });
  expect(result.results.value.get('data')?.reason).not.toBe('');
});

it('useAddressChecks checks a changed address again and ignores the late response of the previous one', async () => {
  const resolvers: ((response: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise((resolve) => resolvers.push(resolve)));
  const address = ref('http://lab:8001/');
  const { result } = runInComponent(() => useAddressChecks(() => [['event', address.value]]));
  const listedAddresses: string[] = [];
  watch(result.results, (list) => listedAddresses.push(...[...list.values()].map((check) => check.address)), {
    flush: 'sync',
  });
  await vi.waitFor(() => expect(resolvers).toHaveLength(1));
  address.value = 'http://other:8001/';
  await vi.waitFor(() => expect(resolvers).toHaveLength(2));
  // The response of the previous address arrives before that of the new one.
  resolvers[0]?.(createResponse(200, { healthy: true }));
  resolvers[1]?.(createResponse(200, { healthy: true }));
  await vi.waitFor(() => expect(result.at.value).toEqual(expect.any(Number)));
  expect(resolvers).toHaveLength(2);
  expect(listedAddresses).toEqual(['http://other:8001/']);
});
