/** Tests the load of checks on managers and service, over real sockets. */
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { managerKeys } from '../../api/managers.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import type { Behaviour } from '../../e2e/support/managers.ts';
import { requestHealth, setUpPausedLabs } from '../../e2e/support/pausedLab.ts';

const { start, onEnd } = setUpPausedLabs();

const all = (behaviour: Behaviour) => Object.fromEntries(managerKeys.map((key) => [key, behaviour]));

describe('/lab_health', () => {
  it('uses one connection to each of six hanging managers and one timeout for twenty concurrent requests', async () => {
    const { lab, service } = await start(all('hang'));
    const started = performance.now();
    const responses = await Promise.all(Array.from({ length: 20 }, () => requestHealth(service)));
    // The timeout is 5 s; two in sequence would take 10 s.
    expect(performance.now() - started).toBeLessThan(9000);
    for (const response of responses) expect(response.healthy_managers).toBe(0);
    // The watch's own first check is shared as well.
    for (const manager of Object.values(lab.managers)) expect(manager.connections).toBe(1);
  });

  it('checks each manager at most ten times at once and once per second during continuous requests', async () => {
    const { lab, service } = await start();
    const end = performance.now() + 8000;
    let responseCount = 0;
    const client = async () => {
      while (performance.now() < end) {
        await requestHealth(service);
        responseCount += 1;
      }
    };
    const before = lab.managers.event.requests;
    await Promise.all(Array.from({ length: 8 }, client));
    for (const manager of Object.values(lab.managers))
      expect(manager.requests - before).toBeLessThanOrEqual(10 + 9 + 1);
    // Far more requests received a response than checks were sent.
    expect(responseCount).toBeGreaterThan(60);
  });

  it('leaves no connection open after its clients disconnect', async () => {
    const { service } = await start();
    const open = new Set<net.Socket>();
    const mute = net.createServer((socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('error', () => undefined);
      socket.resume();
    });
    onEnd(() => mute.close());
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    await service.write({ 'lab.settings.yaml': `event_server_url: http://127.0.0.1:${port}/\n` });
    // The watch's check comes first; it ends when the service sends no more.
    await vi.waitFor(() => expect(open.size).toBe(1), 15_000);
    await vi.waitFor(() => expect(open.size).toBe(0), 15_000);
    const clients = Array.from({ length: 3 }, () => new AbortController());
    const responses = clients.map(({ signal }) =>
      sendRequest(service.port, '/lab_health', { signal }).catch(() => 'gone'),
    );
    await vi.waitFor(() => expect(open.size).toBe(1));
    clients[0]?.abort();
    clients[1]?.abort();
    expect(open.size).toBe(1);
    clients[2]?.abort();
    expect(await Promise.all(responses)).toEqual(['gone', 'gone', 'gone']);
    await vi.waitFor(() => expect(open.size).toBe(0));
  });
});
