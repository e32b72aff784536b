import { describe, expect, it } from 'vitest';
import type { EffectiveSetting } from '../settings/schema/types.ts';
import { createAnnouncement, findFreeName } from './announcer.ts';
import { parseAnnouncement } from './labSearch.ts';

const settings = { mdns: true, labName: 'Bench', tlsCertFile: null };
const idFrom = (source: 'yaml' | 'generated'): EffectiveSetting => ({
  name: 'manager_id',
  value: '01JAR5ZV1XJ6W3C1V5T0F2N8QY',
  isDefault: false,
  origin: { source, name: null, file: null, path: null, line: null },
});
const announced = (changes: Partial<Parameters<typeof createAnnouncement>[0]> = {}) =>
  createAnnouncement({
    settings,
    effective: [idFrom('yaml')],
    version: '1.2.3',
    listening: ['[::]:8000'],
    port: 8000,
    ...changes,
  });

describe('the announcement', () => {
  it('contains an ID from the settings, but no generated one', () => {
    expect(announced()).toMatchObject({ id: '01JAR5ZV1XJ6W3C1V5T0F2N8QY', labName: 'Bench', host: null, https: false });
    expect(announced({ effective: [idFrom('generated')] })?.id).toBeNull();
  });

  it.each([
    ['all interfaces', ['[::]:8000'], null],
    ['all IPv4 interfaces', ['0.0.0.0:8000'], null],
    ['one interface besides loopback', ['192.0.2.4:8000', '127.0.0.1:8000'], '192.0.2.4'],
  ] as const)('names an address only if the service listens on a single one: %s', (_name, listening, host) => {
    expect(announced({ listening })?.host).toBe(host);
  });

  it('is omitted when the setting is off, and for a service that only this machine can reach', () => {
    expect(announced({ settings: { ...settings, mdns: false } })).toBeNull();
    expect(announced({ listening: ['127.0.0.1:8000'] })).toBeNull();
    expect(announced({ listening: ['[::1]:8000', '127.0.0.1:8000'] })).toBeNull();
  });
});

describe('the name in mDNS', () => {
  const nameNextTo = (...names: readonly string[]) => findFreeName('Dr. Smith\u202e', (name) => names.includes(name));

  it('has no dots and no invisible characters, and a number if another lab has the same name', () => {
    expect(nameNextTo()).toBe('Dr- Smith');
    expect(nameNextTo('Dr- Smith', 'Dr- Smith (2)')).toBe('Dr- Smith (3)');
  });

  it('has at most 63 bytes, also with a number', () => {
    const long = '分析室'.repeat(20);
    const first = findFreeName(long, () => false);
    const second = findFreeName(long, (name) => name === first);
    expect([first, second].map((name) => Buffer.byteLength(name))).toEqual([63, 61]);
    expect(second).toMatch(/^(?:分析室)+分?析? \(2\)$/);
  });
});

describe('a received announcement', () => {
  const service = {
    fqdn: 'Bench Lab._madsci-lab._tcp.local',
    host: 'lab-pc.local',
    port: 8000,
    addresses: ['fe80::1', '172.17.0.1', '192.0.2.9', '192.0.2.5'],
    referer: { address: '192.0.2.5', family: 'IPv4', port: 5353, size: 200 },
  } as const;
  const read = (changes: Partial<Parameters<typeof parseAnnouncement>[0]> = {}) =>
    parseAnnouncement({ ...service, addresses: [...service.addresses], ...changes }, ['192.0.2.2/24']);

  it('is read with its sender’s address or another one of this network, without the suffixes of mDNS', () => {
    expect(read()).toEqual({ url: 'http://192.0.2.5:8000/', name: 'Bench Lab', machine: 'lab-pc' });
    expect(read({ referer: { ...service.referer, address: '192.0.2.254' } })?.url).toBe('http://192.0.2.9:8000/');
  });

  it.each([
    ['addresses of other networks', { addresses: ['127.0.0.1', '10.0.0.1', 'fe80::1', 'x', '192.0.2.1.evil.example'] }],
    ['no address', { addresses: [] }],
    ['the port 0', { port: 0 }],
    ['a port that is not a number', { port: '8000' as unknown as number }],
  ])('with %s is not used', (_name, changes) => {
    expect(read(changes)).toBeNull();
  });

  it.each([
    ['/culture', '/culture/'],
    ['/a/b/', '/a/b/'],
    ['/../x', '/'],
    ['//evil.example/', '/'],
    ['/x?y', '/'],
    [`/${'a'.repeat(200)}`, '/'],
  ])('with the path %s leads to the path %s', (path, expected) => {
    expect(read({ txt: { path } })?.url).toBe(`http://192.0.2.5:8000${expected}`);
  });

  it('is read with shortened texts without control characters, and with its address instead of a missing name', () => {
    const { name = '', machine } = read({
      fqdn: `${'x'.repeat(500)}._madsci-lab._tcp.local`,
      txt: { machine: 'lab\u001b[31m\npc' },
    }) ?? { machine: '' };
    expect([name.length, machine]).toEqual([64, 'lab pc']);
    for (const fqdn of ['._madsci-lab._tcp.local', '_madsci-lab._tcp.local'])
      expect(read({ fqdn, host: '' })).toMatchObject({ name: '192.0.2.5', machine: '192.0.2.5' });
  });
});
