import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RawValue } from './problem.ts';
import { isOptional, getSetting, type SettingName } from '../schema/table.ts';
import { parseValue } from './values.ts';

const publicKey = 'MCowBQYDK2VwAyEAVBuZPaCYXtLmVfNnVvaqgsgvWWQqUyGGX7fzx2DEg0E=';
const base = { baseDir: '/lab', homeDir: '/home/u', madsciDir: '/project/.madsci' };
const text = (value: string): RawValue => ({ style: 'text', text: value });
const native = (value: unknown): RawValue => ({ style: 'native', value });
const option = (...texts: string[]): RawValue => ({ style: 'option', texts });
const parse = (name: SettingName, raw: RawValue) => parseValue(getSetting(name), raw, base);

describe('valid values', () => {
  it.each<[SettingName, RawValue, unknown]>([
    ...['true', 'TRUE', '1', 'yes', 'On', 't', 'Y'].map((word): [SettingName, RawValue, unknown] => [
      'verbose',
      text(word),
      true,
    ]),
    ...['false', '0', 'no', 'OFF', 'f', 'n'].map((word): [SettingName, RawValue, unknown] => [
      'verbose',
      text(word),
      false,
    ]),
    ['verbose', native(true), true],
    ['verbose', native(0), false],
    ['verbose', native('yes'), true],
    ['listen_port', text('0'), 0],
    ['listen_port', text('65535'), 65535],
    ['listen_port', native(8000), 8000],
    ['listen_port', native('8000'), 8000],
    ['rate_limit_requests', text('1_000'), 1000],
    ['rate_limit_requests', text('15.0'), 15],
    ['watch_interval', text('1.5'), 1.5],
    ['watch_interval', native(3600), 3600],
    ['log_level', text('debug'), 'DEBUG'],
    ['log_level', text('Warn'), 'WARNING'],
    ['log_level', native(10), 'DEBUG'],
    ['log_level', text('50'), 'CRITICAL'],
    ['log_level', native(15), 'INFO'],
    ['manager_name', text(' Bench 4 '), ' Bench 4 '],
    ['manager_name', native('123'), '123'],
    ['name', native('Bench 4\n'), 'Bench 4'],
    ['manager_description', native('Liquid handling\n\tbuilding 12\n'), 'Liquid handling\n\tbuilding 12'],
    ['advertised_host', text('auto'), 'auto'],
    ['listen_host', text('[::1]'), '::1'],
    ['listen_host', text('Bench4.local'), 'bench4.local'],
    ['listen_host', text('0.0.0.0'), '0.0.0.0'],
    ['rate_limit_exempt_ips', text('["10.0.0.1"]'), ['10.0.0.1']],
    ['rate_limit_exempt_ips', text('[]'), []],
    ['rate_limit_exempt_ips', native(['10.0.0.0/8', '2001:db8::/32']), ['10.0.0.0/8', '2001:db8::/32']],
    ['rate_limit_exempt_ips', option('10.0.0.1,::1', '["10.0.0.2/31"]'), ['10.0.0.1', '::1', '10.0.0.2/31']],
    ['cors_allowed_origins', text('["*"]'), ['*']],
    [
      'cors_allowed_origins',
      native(['http://a', 'https://b:8443', 'http://[::1]:3000']),
      ['http://a', 'https://b:8443', 'http://[::1]:3000'],
    ],
    ['cors_allowed_origins', option('*'), ['*']],
    ['fleet', text('bench4, Bench 5=lab-pc:9000'), ['http://bench4:8000/', 'Bench 5=http://lab-pc:9000/']],
    ['fleet', text('["https://lab.example.org/a"]'), ['https://lab.example.org/a/']],
    ['shared_address', text(' 10.0.0.10 '), '10.0.0.10'],
    ['database_url', text('postgres://lab@db/lab'), 'postgres://lab@db/lab'],
    ['fleet', native('bench4'), ['http://bench4:8000/']],
    ['fleet', option('bench4,bench5'), ['http://bench4:8000/', 'http://bench5:8000/']],
    ['fleet', native([]), []],
    ['update_public_key', text(publicKey), publicKey],
    ['update_public_key', native(`-----BEGIN PUBLIC KEY-----\n${publicKey}\n-----END PUBLIC KEY-----\n`), publicKey],
    ['dashboard_files_path', text('ui'), resolve('/lab/ui')],
    ['dashboard_files_path', text('/abs'), resolve('/abs')],
    ['dashboard_files_path', text('~/ui'), resolve('/home/u/ui')],
    ['dashboard_files_path', text('~'), resolve('/home/u')],
    ['dashboard_files_path', native('.madsci/ui'), resolve('/project/.madsci/ui')],
    ['dashboard_files_path', native('.madsci'), resolve('/project/.madsci')],
    ['dashboard_files_path', native('.madscience'), resolve('/lab/.madscience')],
  ])('%s accepts %j', (name, raw, expected) => {
    expect(parse(name, raw)).toEqual({ ok: true, value: expected });
  });
});

describe('invalid values', () => {
  it.each<[SettingName, RawValue, RegExp]>([
    ['verbose', text('maybe'), /not a boolean/],
    ['verbose', native(2), /not a boolean/],
    ['verbose', native([true]), /not a boolean/],
    ['verbose', text(''), /needs a value/],
    ['listen_port', text('65536'), /out of range/],
    ['listen_port', text('-1'), /out of range/],
    ['listen_port', text('80a'), /whole number/],
    ['listen_port', native(12.5), /whole number/],
    ['listen_port', native(true), /whole number/],
    ['rate_limit_requests', native(0), /out of range/],
    ['rate_limit_requests', native(null), /needs a value/],
    ['watch_interval', text('0.5'), /out of range/],
    ['watch_interval', text('3601'), /out of range/],
    ['watch_interval', text('NaN'), /not a number/],
    ['watch_interval', text('Infinity'), /not a number/],
    ['log_level', text('LOUD'), /logging level/],
    ['log_level', native(9), /logging level/],
    ['log_level', native(51), /logging level/],
    ['manager_name', native('Bench\n4'), /contains a line break or another control character/],
    ['name', text('Bench\u001B[31m4'), /contains a line break or another control character/],
    ['name', text('Bench\u20284'), /contains a line break or another control character/],
    ['manager_id', native('\0'), /control character/],
    ['otel_service_name', native('lab\r\nX: 1'), /control character/],
    ['manager_description', native('Liquid\u0007handling'), /control character/],
    ['manager_name', native(123), /a number, not text; put it in quotes/],
    ['manager_name', native(true), /put it in quotes/],
    ['manager_name', native({ a: 1 }), /a mapping, not text/],
    ['listen_host', text('http://a'), /host name/],
    ['listen_host', text('a:80'), /host name/],
    ['listen_host', text('256.1.1.1'), /host name/],
    ['rate_limit_exempt_ips', text('10.0.0.1'), /JSON list/],
    ['rate_limit_exempt_ips', text('[1]'), /JSON list/],
    ['rate_limit_exempt_ips', native('["a"]'), /list of texts/],
    ['rate_limit_exempt_ips', text('["localhost"]'), /"localhost", which is neither/],
    ['rate_limit_exempt_ips', native(['10.0.0.1', '10.0.0.0/33']), /"10.0.0.0\/33", which is neither/],
    ['trusted_proxy', text('["10.0.0"]'), /"10.0.0", which is neither/],
    ['trusted_proxy', native(['fe80::1%eth0']), /neither an IP address nor a network/],
    ['cors_allowed_origins', text('*'), /JSON list/],
    ['cors_allowed_origins', text('["http://a/"]'), /slash at its end.*write "http:\/\/a"/],
    ['cors_allowed_origins', native(['http://a/x']), /write "http:\/\/a"/],
    ['cors_allowed_origins', native(['http://A:80']), /write "http:\/\/a"/],
    ['cors_allowed_origins', native(['bench']), /not an origin/],
    ['cors_allowed_origins', native(null), /needs a value/],
    ['dashboard_files_path', native(3), /text/],
    ['dashboard_files_path', text('a\0b'), /path/],
    ['dashboard_files_path', text('a\u{10ffff}b'), /path/],
    [
      'update_public_key',
      text('RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3'),
      /not an Ed25519 public key/,
    ],
    ['update_public_key', text(publicKey.slice(1)), /not an Ed25519 public key/],
    ['update_public_key', text('MC4CAQAwBQYDK2VwBCIEIA=='), /is a private key/],
    ['update_public_key', native('-----BEGIN PRIVATE KEY-----'), /is a private key/],
    ['update_public_key', native(5), /put it in quotes/],
    ['shared_address', text('10.0.0.0/24'), /^is not an IP address$/],
    ['shared_address', text('0.0.0.0'), /^is not an IP address$/],
    ['shared_address', text('lab-pc'), /^is not an IP address$/],
    ['database_url', text('mysql://lab@db/lab'), /^is not a postgresql address$/],
    ['database_url', text('postgresql:///lab'), /^names no server$/],
    ['database_url', text('postgresql://lab:secret@db:5432'), /^names no database$/],
    ['fleet', native([5]), /not a list of texts/],
    ['fleet', text('bench4,http://ann:hunter2@b'), /^has a lab that has a user or password.*, number 2 of 2$/],
    ['fleet', text('ftp://bench4'), /^has a lab that has the scheme ftp, not http or https$/],
    ['fleet', native(['bench4', 'Again=http://bench4:8000']), /^has http:\/\/bench4:8000\/ twice, as numbers 1 and 2$/],
    ['fleet', native(Array.from({ length: 2001 }, (_none, at) => `lab-${at}`)), /^has 2001 labs; at most 2000/],
    ['fleet', native(['x'.repeat(65_537)]), /^is longer than 65536 characters$/],
    ['server_url', native(8000), /not an address/],
    ['server_url', native(null), /needs a value/],
  ])('%s rejects %j with a reason', (name, raw, message) => {
    const parsed = parse(name, raw);
    expect(parsed).toMatchObject({ ok: false });
    expect(!parsed.ok && parsed.message).toMatch(message);
  });
});

describe('the value none', () => {
  it.each(['None', 'none', 'null', '', ' '])('%j is none for optional settings only, in every source', (word) => {
    for (const raw of [text(word), native(word), option(word), native(null)]) {
      expect(parse('manager_name', raw)).toEqual({ ok: true, value: null });
      expect(parse('event_server_url', raw)).toEqual({ ok: true, value: null });
      expect(parse('dashboard_files_path', raw)).toEqual({ ok: true, value: null });
      expect(parse('rate_limit_short_window', raw)).toEqual({ ok: true, value: null });
      expect(parse('server_url', raw)).toMatchObject({ ok: false });
    }
  });

  it('isOptional follows the schema', () => {
    expect(isOptional(getSetting('listen_port'))).toBe(true);
    expect(isOptional(getSetting('log_level'))).toBe(false);
  });
});

it.each([text('C:\new\table'), native('C:\build\files')])(
  'the error about a path with control characters suggests single quotes',
  (raw) => {
    const parsed = parse('dashboard_files_path', raw);
    expect(parsed).toMatchObject({ ok: false, message: expect.stringContaining('use single quotes, or / instead of') });
  },
);
