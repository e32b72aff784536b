import { isLoopbackHost } from '../../api/hosts.ts';
import { describe, expect, it } from 'vitest';
import { parseHostHeader, isLoopbackAddress, plainAddress } from './peer.ts';

describe('plainAddress', () => {
  it.each([
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['::FFFF:10.0.0.7', '10.0.0.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['10.0.0.7', '10.0.0.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['', ''],
  ])('plainAddress of %s is %s', (address, plain) => {
    expect(plainAddress(address)).toBe(plain);
  });
});

describe('isLoopbackAddress', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['128.0.0.1', false],
    ['10.127.0.1', false],
    ['127.0.0.1.example.org', false],
    ['::2', false],
    ['', false],
  ])('isLoopbackAddress of %s is %s', (address, isLoopback) => {
    expect(isLoopbackAddress(address)).toBe(isLoopback);
  });
});

describe('isLoopbackHost', () => {
  it.each([
    ['localhost', true],
    ['LocalHost', true],
    ['lab.localhost', true],
    ['[::1]', true],
    ['::1', true],
    ['127.0.0.1', true],
    ['0.0.0.0', true],
    ['[::]', true],
    ['localhost.example.org', false],
    ['127.example.org', false],
    ['lab-pc', false],
    ['[fd00::2]', false],
  ])('isLoopbackHost of %s is %s', (host, isLoopback) => {
    expect(isLoopbackHost(host)).toBe(isLoopback);
  });
});

describe('parseHostHeader', () => {
  it.each([
    ['lab-pc:8000', 'lab-pc'],
    ['Lab-PC', 'lab-pc'],
    ['[::1]:8000', '::1'],
    ['[fd00::2]', 'fd00::2'],
    ['lab-pc:', 'lab-pc'],
    ['', null],
    ['lab-pc:8000:1', null],
    ['::1', null],
    ['user@lab-pc', null],
    ['lab-pc/x', null],
    ['lab pc', null],
    ['lab-pc:x', null],
    [undefined, null],
  ])('parseHostHeader of %s is %s', (header, host) => {
    expect(parseHostHeader(header)).toBe(host);
  });
});
