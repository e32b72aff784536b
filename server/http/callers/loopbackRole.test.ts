import { describe, expect, it } from 'vitest';
import { loopbackRole } from './loopbackRole.ts';

const findRole = (remoteAddress: string, headers: Readonly<Record<string, string>>, httpVersion = '1.1') =>
  loopbackRole({ socket: { remoteAddress }, headers, httpVersion } as unknown as Parameters<typeof loopbackRole>[0]);

describe('loopbackRole', () => {
  it.each([
    ['127.0.0.1', { host: 'localhost:8000' }],
    ['::ffff:127.0.0.1', { host: '127.0.0.1:8000' }],
    ['::1', { host: '[::1]:8000' }],
  ])('makes %s with %o an administrator', (address, headers) => {
    expect(findRole(address, headers)).toBe('administrator');
  });

  it.each([
    ['another machine', '10.0.0.7', { host: 'localhost:8000' }],
    ['a name that was rebound to loopback', '127.0.0.1', { host: 'evil.example' }],
    ['no Host', '127.0.0.1', {}],
    ['an invalid Host', '127.0.0.1', { host: 'localhost@evil.example' }],
    ['a proxy (X-Forwarded-For)', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '' }],
    ['a proxy (Forwarded)', '127.0.0.1', { host: 'localhost', forwarded: 'for=10.0.0.7' }],
    ['a proxy (Via)', '127.0.0.1', { host: 'localhost', via: '1.1 caddy' }],
    ['a proxy (X-Real-IP)', '127.0.0.1', { host: 'localhost', 'x-real-ip': '10.0.0.7' }],
  ])('gives no role to %s', (_name, address, headers) => {
    expect(findRole(address, headers)).toBeNull();
  });

  it('gives no role over HTTP/1.0, the version of proxies that add no headers', () => {
    expect(findRole('127.0.0.1', { host: '127.0.0.1:8000' }, '1.0')).toBeNull();
  });
});
