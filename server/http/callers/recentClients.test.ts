import { expect, it } from 'vitest';
import { RecentClients } from './recentClients.ts';

const machine = new Set(['10.0.0.1']);

it('recent clients are listed newest first without loopback and this machine', () => {
  const clients = new RecentClients();
  for (const [address, at] of [
    ['10.0.0.7', 100],
    ['10.0.0.8', 200],
    ['127.0.0.1', 210],
    ['::1', 220],
    ['10.0.0.1', 230],
    ['10.0.0.7', 300],
  ] as const) {
    clients.record(address, at);
  }
  expect(clients.listAddressesSince(0, machine)).toEqual(['10.0.0.7', '10.0.0.8']);
  expect(clients.listAddressesSince(250, machine)).toEqual(['10.0.0.7']);
  expect(clients.listAddressesSince(301, machine)).toEqual([]);
});

it('recent clients are limited to the newest 256', () => {
  const clients = new RecentClients();
  for (let n = 0; n < 1000; n += 1) clients.record(`10.1.${n >> 8}.${n & 255}`, n);
  const addresses = clients.listAddressesSince(0, machine);
  expect(addresses).toHaveLength(256);
  expect(addresses[0]).toBe('10.1.3.231');
});
