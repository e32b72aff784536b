/** The rate limit of a real manager, which exempts loopback: our client waits as requested and succeeds. */
import { expect, it } from 'vitest';
import { createClient } from '#api/client/client.ts';
import { eventApi } from '#api/managers/event.ts';
import { target } from '../behaviour/lab.ts';

it('every read succeeds in the end after a burst above the rate limit', async () => {
  const statuses: number[] = [];
  // uvicorn trusts a proxy on loopback, so the manager treats this request as one from another machine.
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-for', '192.0.2.7');
    const response = await globalThis.fetch(input, { ...init, headers });
    statuses.push(response.status);
    if (response.status === 429) {
      expect(response.headers.get('retry-after')).toMatch(/^[12]$/);
      expect(response.headers.has('access-control-expose-headers')).toBe(false);
    }
    return response;
  };
  const events = createClient(eventApi, { baseUrl: target.context.event, fetch });
  const responses = await Promise.all(Array.from({ length: 12 }, () => events.getBackupStatus()));
  expect(responses).toHaveLength(12);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
});
