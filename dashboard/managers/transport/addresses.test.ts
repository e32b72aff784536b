import { isLoopbackHost, resolveContext } from '#api/hosts.ts';
import { describe, expect, it } from 'vitest';
import type { LabContext } from '#api/lab/lab.ts';
import { parseHost, listMixedContentServices, shortAddress } from './addresses.ts';

const context: LabContext = {
  lab_server_url: 'http://localhost:8000/',
  event_server_url: 'http://127.0.0.1:8001/',
  experiment_server_url: 'https://lab-pc:8002/',
  resource_server_url: 'http://[::1]:8003/base/path/',
  data_server_url: null,
  workcell_server_url: 'http://10.0.0.5:8005/',
  location_server_url: 'not an address',
};

describe('isLoopbackHost', () => {
  it.each([
    ['localhost', true],
    ['LOCALHOST', true],
    ['localhost.', true],
    ['lab.localhost', true],
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['[::1]', true],
    ['[::ffff:7f00:1]', true],
    ['0.0.0.0', true],
    ['lab-pc', false],
    ['127.example.org', false],
    ['localhost.example.org', false],
    ['10.0.0.5', false],
    ['[fe80::1]', false],
  ])('returns for %s: %s', (host, isLoopback) => {
    expect(isLoopbackHost(host)).toBe(isLoopback);
  });
});

describe('resolveContext', () => {
  it('changes nothing for a page on the same machine', () => {
    expect(resolveContext(context, 'localhost')).toEqual({ context, replacedServices: [] });
    expect(resolveContext(context, '[::1]').replacedServices).toEqual([]);
  });

  it('replaces loopback hosts by the page’s host and keeps ports and paths', () => {
    const resolved = resolveContext(context, 'lab-pc');
    expect(resolved.replacedServices).toEqual(['lab', 'event', 'resource']);
    expect(resolved.context).toEqual({
      ...context,
      lab_server_url: 'http://lab-pc:8000/',
      event_server_url: 'http://lab-pc:8001/',
      resource_server_url: 'http://lab-pc:8003/base/path/',
    });
    expect(context.event_server_url).toBe('http://127.0.0.1:8001/');
  });

  it('writes IPv6 hosts in brackets', () => {
    expect(resolveContext(context, '[fd00::2]').context.event_server_url).toBe('http://[fd00::2]:8001/');
  });
});

describe('mixedContent', () => {
  it('lists every manager at http on another machine for an https page', () => {
    expect(listMixedContentServices(context, 'https:')).toEqual(['workcell']);
    expect(listMixedContentServices(resolveContext(context, 'lab-pc').context, 'https:')).toEqual([
      'event',
      'resource',
      'workcell',
    ]);
  });

  it('is empty for an http page', () => {
    expect(listMixedContentServices(context, 'http:')).toEqual([]);
  });
});

describe('shortAddress', () => {
  it.each([
    ['http://lab-pc:8001/', 'lab-pc:8001'],
    ['http://lab-pc:8001/base/', 'lab-pc:8001/base/'],
    ['https://lab-pc/', 'https://lab-pc'],
    ['odd', 'odd'],
  ])('returns for %s: %s', (address, short) => {
    expect(shortAddress(address)).toBe(short);
  });
});

describe('parseHost', () => {
  it('returns the host of an address, and null for an invalid one', () => {
    expect(parseHost('nonsense')).toBeNull();
    expect(parseHost('http://lab-pc:1/')).toBe('lab-pc');
  });
});
