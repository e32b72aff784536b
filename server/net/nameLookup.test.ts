import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshMs, lookupTimeoutMs, maxLookups, NameLookup, type Address } from './nameLookup.ts';

const loopback: readonly Address[] = [{ address: '127.0.0.1', family: 4 }];
const otherAddresses: readonly Address[] = [{ address: '127.0.0.2', family: 4 }];
const errorWithCode = (name: string) => Object.assign(new Error(name), { code: name });

/** A name server whose responses the test sets. */
function nameServer() {
  const requests: { host: string; resolve: (result: readonly Address[] | Error) => void }[] = [];
  const lookup = new NameLookup(
    (host) =>
      new Promise((resolve, reject) =>
        requests.push({ host, resolve: (result) => (result instanceof Error ? reject(result) : resolve(result)) }),
      ),
  );
  const settle = async () => void (await vi.advanceTimersByTimeAsync(0));
  return { lookup, requests, settle, hosts: () => requests.map(({ host }) => host) };
}

describe('NameLookup', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'lab.localhost'])('resolves %s without a request', async (host) => {
    const { lookup, requests } = nameServer();
    expect((await lookup.addresses(host)).map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
    expect(requests).toEqual([]);
  });

  it('sends one request for a host and caches the result for a while', async () => {
    const { lookup, requests, hosts, settle } = nameServer();
    const both = Promise.all([lookup.addresses('lab-pc'), lookup.addresses('LAB-PC.')]);
    await settle();
    requests[0]?.resolve(loopback);
    expect(await both).toEqual([loopback, loopback]);
    await vi.advanceTimersByTimeAsync(freshMs - 1);
    expect(await lookup.addresses('lab-pc')).toEqual(loopback);
    expect(hosts()).toEqual(['lab-pc']);
    await vi.advanceTimersByTimeAsync(1);
    // Returns the previous result immediately, and the new one when it is available.
    expect(await lookup.addresses('lab-pc')).toEqual(loopback);
    await settle();
    expect(hosts()).toEqual(['lab-pc', 'lab-pc']);
    requests[1]?.resolve(otherAddresses);
    await settle();
    expect(await lookup.addresses('lab-pc')).toEqual(otherAddresses);
  });

  it('times out for its callers and starts no second lookup while the first one hangs', async () => {
    const { lookup, requests, hosts } = nameServer();
    for (let i = 0; i < 5; i += 1) {
      const response = expect(lookup.addresses('dead')).rejects.toMatchObject({
        code: 'ELOOKUPTIMEOUT',
        hostname: 'dead',
      });
      await vi.advanceTimersByTimeAsync(lookupTimeoutMs);
      await response;
    }
    expect(hosts()).toEqual(['dead']);
    requests[0]?.resolve(loopback);
    expect(await lookup.addresses('dead')).toEqual(loopback);
  });

  it.each([
    [0, 'EAI_AGAIN'],
    [lookupTimeoutMs, 'ELOOKUPTIMEOUT'],
  ])('reports a failure of the C library after %i ms as %s', async (ms, expected) => {
    const { lookup, requests } = nameServer();
    const response = expect(lookup.addresses('dead', 60_000)).rejects.toMatchObject({ code: expected });
    await vi.advanceTimersByTimeAsync(ms);
    requests[0]?.resolve(errorWithCode('EAI_AGAIN'));
    await response;
  });

  it('runs a limited number of lookups; the others wait', async () => {
    const { lookup, requests, hosts, settle } = nameServer();
    const requestedHosts = Array.from({ length: maxLookups + 2 }, (_, i) => `host-${i}`);
    const lookups = requestedHosts.map((host) => lookup.addresses(host, 60_000));
    await settle();
    expect(hosts()).toEqual(requestedHosts.slice(0, maxLookups));
    requests[0]?.resolve(errorWithCode('EAI_AGAIN'));
    await expect(lookups[0]).rejects.toThrow('EAI_AGAIN');
    expect(hosts()).toEqual(requestedHosts.slice(0, maxLookups + 1));
    for (let i = 1; i < requestedHosts.length; i += 1) {
      requests[i]?.resolve(loopback);
      expect(await lookups[i]).toEqual(loopback);
    }
    // All slots of the queue are free again.
    const furtherLookups = requestedHosts.map((_, i) => lookup.addresses(`more-${i}`, 60_000));
    await settle();
    expect(hosts().filter((host) => host.startsWith('more-'))).toHaveLength(maxLookups);
    for (let i = 0; i < furtherLookups.length; i += 1) {
      requests[requestedHosts.length + i]?.resolve(otherAddresses);
      expect(await furtherLookups[i]).toEqual(otherAddresses);
    }
  });

  it.each([
    ['a failing name server leaves the last good address', 'EAI_AGAIN', true],
    ['a host that no longer exists loses its address', 'ENOTFOUND', false],
  ])('handles failures: %s', async (_name, error, stays) => {
    const { lookup, requests, settle } = nameServer();
    const first = lookup.addresses('lab-pc');
    await settle();
    requests[0]?.resolve(loopback);
    await first;
    await vi.advanceTimersByTimeAsync(freshMs);
    expect(await lookup.addresses('lab-pc')).toEqual(loopback);
    await settle();
    requests[1]?.resolve(errorWithCode(error));
    await settle();
    const next = lookup.addresses('lab-pc');
    const expectation = stays ? expect(next).resolves.toEqual(loopback) : expect(next).rejects.toThrow(error);
    await settle();
    requests[2]?.resolve(errorWithCode(error));
    await expectation;
  });

  it('drops the least recently requested of many hosts, but none with a pending lookup', async () => {
    const { lookup, requests, hosts, settle } = nameServer();
    const hanging = lookup.addresses('hangs', 60_000);
    for (let i = 0; i < 300; i += 1) {
      const response = lookup.addresses(`host-${i}`);
      await settle();
      requests.at(-1)?.resolve(loopback);
      await response;
    }
    const again = lookup.addresses('hangs', 60_000);
    expect(hosts().filter((host) => host === 'hangs')).toHaveLength(1);
    requests[0]?.resolve(otherAddresses);
    expect(await Promise.all([hanging, again])).toEqual([otherAddresses, otherAddresses]);
    void lookup.addresses('host-0').catch(() => undefined);
    await settle();
    expect(hosts().at(-1)).toBe('host-0');
    requests.at(-1)?.resolve(loopback);
  });
});
