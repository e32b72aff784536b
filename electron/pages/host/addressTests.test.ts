import { expect, it } from 'vitest';
import { addressOnHost } from './addressTests.ts';

it.each([
  ['lab-pc', 'http://lab-pc:8001/events/'],
  [' 10.0.0.4 ', 'http://10.0.0.4:8001/events/'],
  ['http://lab-pc:9999/x', 'http://lab-pc:8001/events/'],
  ['fd00::4', 'http://[fd00::4]:8001/events/'],
  ['[fd00::4]', 'http://[fd00::4]:8001/events/'],
  ['', null],
  ['two words', null],
  ['lab%2Dpc', null],
  ['someone@lab-pc', null],
])('addressOnHost for the entry “%s” returns %s', (host, address) => {
  expect(addressOnHost('http://localhost:8001/events/', host)).toBe(address);
});
