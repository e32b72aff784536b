import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../logging/log.ts';
import { MdnsSocket, type Network } from './mdnsSocket.ts';
import { MdnsNetworks } from './mdnsNetworks.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('each network is joined once, also if this machine has two addresses in it', async () => {
  const opened: string[] = [];
  vi.spyOn(MdnsSocket, 'open').mockImplementation(({ address }) => {
    opened.push(address);
    return Promise.reject(new Error('no socket in this test'));
  });
  const current: Network[] = [
    { address: '10.0.0.11', cidr: '10.0.0.11/24' },
    { address: '10.0.0.10', cidr: '10.0.0.10/24' },
    { address: '192.168.1.5', cidr: '192.168.1.5/24' },
  ];
  const networks = new MdnsNetworks(
    () => ({ leave: () => undefined }),
    silentLog,
    () => current,
  );
  networks.start();
  await networks.stop();
  expect(opened).toEqual(['10.0.0.11', '192.168.1.5']);
});
