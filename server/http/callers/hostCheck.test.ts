import { describe, expect, it } from 'vitest';
import { isHostAllowed, type HostQuestion } from './hostCheck.ts';

const question: HostQuestion = {
  allowedOrigins: ['http://lab-pc:8000'],
  peer: '127.0.0.1',
  proxied: false,
  hostHeader: 'localhost:8000',
  serverUrl: 'http://Lab.Example:8000/',
  machineName: 'Bench-4',
};

describe('with restricted origins a request from loopback', () => {
  it.each([
    ['localhost:8000', true],
    ['127.0.0.1:8000', true],
    ['[::1]:8000', true],
    ['bench-4:8000', true],
    ['BENCH-4.local', true],
    ['lab.example', true],
    ['evil.example', false],
    ['lab.example.evil.example', false],
    ['192.0.2.2:8000', false],
    ['evil@localhost', false],
    [undefined, false],
  ])('for host %s is answered: %s', (hostHeader, allowed) => {
    expect(isHostAllowed({ ...question, hostHeader })).toBe(allowed);
  });

  it('over IPv6 or mapped IPv4 is asked as well', () => {
    for (const peer of ['::1', '::ffff:127.0.0.1', '127.0.0.2']) {
      expect(isHostAllowed({ ...question, peer, hostHeader: 'evil.example' })).toBe(false);
    }
  });

  it('may name an IPv6 address that is LAB_SERVER_URL', () => {
    const ours = { ...question, serverUrl: 'http://[fd00::2]:8000/' };
    expect(isHostAllowed({ ...ours, hostHeader: '[fd00::2]:8000' })).toBe(true);
    expect(isHostAllowed({ ...ours, hostHeader: '[fd00::3]:8000' })).toBe(false);
  });
});

describe('not asked', () => {
  it('is another machine, which no page on this one can be', () => {
    expect(isHostAllowed({ ...question, peer: '192.0.2.7', hostHeader: 'evil.example' })).toBe(true);
  });

  it('asks a proxy on this machine too, which may be reached by address: a page could say that it is one', () => {
    const proxied = { ...question, proxied: true };
    expect(isHostAllowed({ ...proxied, hostHeader: 'evil.example' })).toBe(false);
    expect(isHostAllowed({ ...proxied, hostHeader: '192.0.2.7:443' })).toBe(true);
    expect(isHostAllowed({ ...proxied, hostHeader: new URL(question.serverUrl).host })).toBe(true);
  });

  it('is anybody where all origins are allowed', () => {
    expect(isHostAllowed({ ...question, allowedOrigins: ['*'], hostHeader: 'evil.example' })).toBe(true);
  });
});
