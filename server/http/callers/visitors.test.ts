import { expect, it } from 'vitest';
import { Visitors } from './visitors.ts';

const machine = new Set(['10.0.0.1']);

it('visitors are listed newest first without loopback and this machine', () => {
  const visitors = new Visitors();
  for (const [address, at] of [
    ['10.0.0.7', 100],
    ['10.0.0.8', 200],
    ['127.0.0.1', 210],
    ['::1', 220],
    ['10.0.0.1', 230],
    ['10.0.0.7', 300],
  ] as const) {
    visitors.note(address, at);
  }
  expect(visitors.since(0, machine)).toEqual(['10.0.0.7', '10.0.0.8']);
  expect(visitors.since(250, machine)).toEqual(['10.0.0.7']);
  expect(visitors.since(301, machine)).toEqual([]);
});

it('visitors drop the oldest entries instead of growing', () => {
  const visitors = new Visitors();
  for (let n = 0; n < 1000; n += 1) visitors.note(`10.1.${n >> 8}.${n & 255}`, n);
  const known = visitors.since(0, machine);
  expect(known).toHaveLength(256);
  expect(known[0]).toBe('10.1.3.231');
});
