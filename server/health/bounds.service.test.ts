/** Tests the load of checks on managers and service, over real sockets. */
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { managerKeys } from '../../api/managers.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import type { Behaviour } from '../../e2e/support/managers.ts';
import { requestHealth, setUpPausedLabs } from '../../e2e/support/pausedLab.ts';

const { start, onEnd } = setUpPausedLabs();

const all = (behaviour: Behaviour) => Object.fromEntries(managerKeys.map((key) => [key, behaviour]));

describe('/lab_health', () => {
  it('uses one connection to each of six hanging managers and one timeout for twenty concurrent requests', async () => {
    const time = useManualClock(Date.now());
    const { lab, service } = await start(all('hang'));
    const requests = Promise.all(Array.from({ length: 20 }, () => requestHealth(service)));
    const responses = await time.settle(requests, { withinMs: 5000 });
    for (const response of responses) expect(response.healthy_managers).toBe(0);
    // The watch's own first check is shared as well.
    // The nodes are read at once too, on a connection of its own: a safety stop needs them.
    for (const manager of Object.values(lab.managers))
      expect([manager.key, manager.connections]).toEqual([manager.key, manager.key === 'workcell' ? 2 : 1]);
  });

  it('checks each manager at most ten times at once and once per second during continuous requests', async () => {
    const time = useManualClock(Date.now());
    const { lab, service } = await start();
    const before = lab.managers.event.requests;
    const startedAt = time.monotonic();
    for (let round = 0; round < 20; round += 1)
      await time.settle(Promise.all(Array.from({ length: 8 }, () => requestHealth(service))));
    const seconds = Math.floor((time.monotonic() - startedAt) / 1000);
    for (const manager of Object.values(lab.managers)) {
      expect(manager.requests - before).toBeGreaterThanOrEqual(10);
      // One more is the watch's own first check.
      expect(manager.requests - before).toBeLessThanOrEqual(10 + seconds + 1);
    }
    // Far more requests, 160, received a response.
    expect(lab.managers.event.requests - before).toBeLessThan(53);
  });

  it('leaves no connection open after its clients disconnect', async () => {
    const time = useManualClock(Date.now());
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
    await time.waitFor(() => expect(open.size).toBe(1));
    await time.waitFor(() => expect(open.size).toBe(0));
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
