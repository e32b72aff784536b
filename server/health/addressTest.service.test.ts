import { afterEach, describe, expect, it } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { FakeManager } from '../../e2e/support/managers.ts';
import { testAddress } from './addressTest.ts';

const managers: FakeManager[] = [];
afterEach(async () => {
  await Promise.all(managers.splice(0).map((manager) => manager.stop()));
});

async function startManager(...args: ConstructorParameters<typeof FakeManager>): Promise<FakeManager> {
  const manager = new FakeManager(...args);
  managers.push(manager);
  await manager.start();
  return manager;
}

describe('testAddress', () => {
  it('returns the responding service with its version and the normalized address', async () => {
    const { url } = await startManager('event');
    expect(await testAddress('event', url.slice(0, -1))).toEqual({
      ok: true,
      text: 'Event Manager is running normally (0.8.1)',
      url,
    });
  });

  it.each([
    ['http-503', 'HTTP 503'],
    ['unhealthy', 'Event Manager lost its database'],
    ['busy', 'busy (HTTP 429), no result yet'],
    ['garbage', /^answered with something that is not a health object/],
  ] as const)('returns why %s is not usable', async (behaviour, text) => {
    const { url } = await startManager('event', behaviour);
    const expected: unknown = typeof text === 'string' ? text : expect.stringMatching(text);
    expect(await testAddress('event', url)).toEqual({ ok: false, text: expected, url });
  });

  it('reports that another manager responds', async () => {
    const { url } = await startManager('data');
    expect(await testAddress('event', url)).toMatchObject({
      ok: false,
      text: 'The Data Manager answers here, not the Event Manager',
    });
  });

  it('reports a refused connection', async () => {
    const manager = await startManager('event');
    await manager.stop();
    expect((await testAddress('event', manager.url)).text).toMatch(/^Failed to connect: connection refused/);
  });

  it('times out after three seconds', async () => {
    const time = useManualClock();
    const { url } = await startManager('event', 'hang');
    const result = await time.settle(testAddress('event', url), { withinMs: 3000 });
    expect(result).toMatchObject({ ok: false, text: 'timed out after 3 s' });
  });
});
