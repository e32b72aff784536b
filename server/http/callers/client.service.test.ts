import express from 'express';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendRequest } from '#e2e/support/rawRequest.ts';
import { silentLog } from '../../logging/log.ts';
import { identifyClient, trustProxy, unknownClient, warnOfUnconfiguredProxy } from './client.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Starts an app that returns the detected client. @returns its port */
async function serve(trusted: readonly string[], warn = vi.fn()): Promise<number> {
  const app = express();
  app.set(
    'trust proxy',
    trustProxy(() => trusted),
  );
  app.use(warnOfUnconfiguredProxy(() => trusted, { ...silentLog, warn }));
  app.get('/', (request, response) => void response.json({ ...identifyClient(request), protocol: request.protocol }));
  const server = app.listen(0, '127.0.0.1');
  closers.push(() => server.close());
  await vi.waitFor(() => expect(server.listening).toBe(true));
  return (server.address() as AddressInfo).port;
}

describe('identifyClient', () => {
  it.each([
    ['no trusted proxy', [], '10.0.0.9', '127.0.0.1', false],
    ['no header', ['127.0.0.1'], undefined, '127.0.0.1', false],
    ['a trusted proxy', ['127.0.0.1'], '10.0.0.9', '10.0.0.9', true],
    ['a trusted network of the proxy', ['127.0.0.0/8'], '10.0.0.9', '10.0.0.9', true],
    ['another trusted proxy', ['10.0.0.2'], '10.0.0.9', '127.0.0.1', false],
    ['addresses that the client added', ['127.0.0.1'], '127.0.0.1, 10.0.0.9', '10.0.0.9', true],
    ['two proxies', ['127.0.0.1', '10.0.0.2'], '10.0.0.9, 10.0.0.2', '10.0.0.9', true],
    ['a proxy behind an untrusted one', ['127.0.0.1'], '10.0.0.9, 10.0.0.2', '10.0.0.2', true],
    ['IPv6', ['127.0.0.1'], '2001:db8::9', '2001:db8::9', true],
    ['IPv6 in brackets with a port', ['127.0.0.1'], '[2001:db8::9]:4711', '2001:db8::9', true],
    ['IPv4 with a port', ['127.0.0.1'], '10.0.0.9:4711', '10.0.0.9', true],
    ['mapped IPv4', ['127.0.0.1'], '::ffff:10.0.0.9', '10.0.0.9', true],
    ['an invalid header', ['127.0.0.1'], 'evil', unknownClient, true],
    ['a loopback name', ['127.0.0.1'], 'localhost', unknownClient, true],
  ])('returns address and protocol with %s', async (_name, trusted, forwarded, address, isProxied) => {
    const port = await serve(trusted);
    const headers = {
      'x-forwarded-proto': 'https',
      ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
    };
    const { body } = await sendRequest(port, '/', { headers });
    const isTrusted = trusted.some((network) => network.startsWith('127.'));
    expect(JSON.parse(body)).toEqual({ address, isProxied, protocol: isTrusted ? 'https' : 'http' });
  });
});

describe('a local proxy', () => {
  it.each([
    ['forwards an address', [], { 'x-forwarded-for': '10.0.0.9' }, 1],
    ['forwards nothing', [], {}, 0],
    ['is trusted', ['127.0.0.1'], { 'x-forwarded-for': '10.0.0.9' }, 0],
  ])(
    'is reported once only if it forwards an address and is not configured: %s',
    async (_name, trusted, headers, times) => {
      const warn = vi.fn();
      const port = await serve(trusted, warn);
      for (let i = 0; i < 3; i += 1) await sendRequest(port, '/', { headers });
      expect(warn).toHaveBeenCalledTimes(times);
    },
  );
});
