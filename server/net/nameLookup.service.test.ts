import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { probe } from '../health/probe.ts';
import { NameLookup } from './nameLookup.ts';

describe('a probe with a name lookup', () => {
  it('reports an unresponsive name server and reaches localhost meanwhile', async () => {
    const lookup = new NameLookup(() => new Promise(() => undefined));
    const server = http.createServer((_request, response) => response.end('{"healthy":true}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const namedProbes = Array.from({ length: 6 }, (_, i) =>
        probe(`http://lab-${i}:${port}/`, { timeoutMs: 500, lookup }),
      );
      expect(await probe(`http://localhost:${port}/`, { timeoutMs: 500, lookup })).toMatchObject({ kind: 'answered' });
      expect(await probe(`http://127.0.0.1:${port}/`, { timeoutMs: 500, lookup })).toMatchObject({ kind: 'answered' });
      for (const [i, outcome] of (await Promise.all(namedProbes)).entries())
        expect(outcome).toMatchObject({ kind: 'failed', reached: false, reason: `name lookup timed out: lab-${i}` });
    } finally {
      server.close();
    }
  });

  it('uses the address from the lookup', async () => {
    const server = http.createServer((request, response) =>
      response.end(JSON.stringify({ host: request.headers.host })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const lookup = new NameLookup(() =>
      Promise.resolve([
        { address: '::1', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ]),
    );
    try {
      const outcome = await probe(`http://lab-pc.example:${port}/`, { lookup });
      expect(outcome).toMatchObject({ kind: 'answered', body: { host: `lab-pc.example:${port}` } });
    } finally {
      server.close();
    }
  });
});
