import { describe, expect, it } from 'vitest';
import { isInNetworks, parseNetwork } from './networks.ts';

describe('parseNetwork', () => {
  it.each([
    ['10.0.0.7', 32],
    ['10.0.0.0/8', 8],
    ['0.0.0.0/0', 0],
    ['::1', 128],
    ['2001:db8::/32', 32],
    ['::/0', 0],
  ])('reads %s with a prefix of %i bits', (text, prefix) => {
    expect(parseNetwork(text)?.prefix).toBe(prefix);
  });

  it.each([
    '',
    'localhost',
    '10.0.0',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    '10.0.0.7:80',
    '*',
  ])('returns null for %j', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });
});

describe('isInNetworks', () => {
  it.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    // Bits after the prefix are ignored, because people write such addresses.
    ['192.168.7.9', ['192.168.7.1/24'], true],
    ['127.0.0.53', ['127.0.0.0/8', '::1'], true],
    ['::1', ['127.0.0.0/8', '::1'], true],
    ['2001:db8:0:1::9', ['2001:db8::/32'], true],
    ['2001:db9::9', ['2001:db8::/32'], false],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['10.0.0.1', [], false],
    ['10.0.0.1', ['2001:db8::/32'], false],
    ['unknown', ['0.0.0.0/0', '::/0'], false],
    ['', ['0.0.0.0/0'], false],
  ])('isInNetworks of %s in %j is %s', (address, networks, expected) => {
    expect(isInNetworks(address, networks)).toBe(expected);
  });
});
