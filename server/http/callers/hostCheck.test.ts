import { describe, expect, it } from 'vitest';
import { isHostAllowed, type HostSettings } from './hostCheck.ts';

const settings: HostSettings = {
  corsAllowedOrigins: ['http://lab-pc:8000'],
  serverUrl: 'http://Lab.Example:8000/',
  advertisedHost: 'bench.lab',
  allowedHosts: ['lab.example.org'],
};

describe('the host check with restricted origins', () => {
  it.each([
    ['localhost:8000', true],
    ['127.0.0.1:8000', true],
    ['[::1]:8000', true],
    ['192.0.2.2:8000', true],
    ['[fd00::2]:8000', true],
    ['bench-4:8000', true],
    ['bench-4.example.net', true],
    ['BENCH-4.local', true],
    ['lab.example', true],
    ['lab.example.', true],
    ['bench.lab:8000', true],
    ['lab.example.org', true],
    ['evil.example', false],
    ['lab.example.evil.example', false],
    ['evil@localhost', false],
    ['', false],
    [undefined, false],
  ])('accepts the host %s: %s', (hostHeader, allowed) => {
    expect(isHostAllowed(hostHeader, settings, 'Bench-4.example.net')).toBe(allowed);
  });

  it('rejects an unknown name when there is no advertised host', () => {
    expect(isHostAllowed('evil.example', { ...settings, advertisedHost: null }, 'bench-4')).toBe(false);
  });
});

it('the host check accepts every name when all origins are allowed', () => {
  expect(isHostAllowed('evil.example', { ...settings, corsAllowedOrigins: ['*'] }, 'bench-4')).toBe(true);
});
