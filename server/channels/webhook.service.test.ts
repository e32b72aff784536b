import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { sampleNotification, sampleSender as sender } from '../fixtures/sampleNotification.ts';
import type { DeliveryResult } from './channel.ts';
import { webhookChannels } from './webhookFormats.ts';
import { post } from './webhook.ts';

describe('a webhook delivery', () => {
  const servers: http.Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  async function startReceiver(handler: http.RequestListener): Promise<URL> {
    const server = http.createServer(handler);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  }
  const request = webhookChannels.json.request(sampleNotification(), sender, 'k');
  const options = { version: '1.2.3', key: 'key-1', isIdempotent: false };

  it.each<[string, http.RequestListener, DeliveryResult]>([
    ['accepts it', (_request, response) => void response.writeHead(204).end(), { ok: true }],
    [
      'is busy',
      (_request, response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
      { ok: false, reason: 'HTTP 429', isRetryable: true, afterMs: 7000 },
    ],
    [
      'fails',
      (_request, response) => void response.writeHead(500).end(),
      { ok: false, reason: 'HTTP 500', isRetryable: true },
    ],
    [
      'rejects it',
      (_request, response) => void response.writeHead(403).end(),
      { ok: false, reason: 'HTTP 403', isRetryable: false },
    ],
    [
      'redirects',
      (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/secret' }).end(),
      { ok: false, reason: 'HTTP 302, a redirect to http://127.0.0.1:9/…, which is not followed', isRetryable: false },
    ],
    [
      'moved permanently to another path of the same server',
      (_request, response) => void response.writeHead(301, { location: '/new/secret' }).end(),
      {
        ok: false,
        reason:
          'HTTP 301: the receiver moved permanently to another path of the same server; set LAB_NOTIFY_WEBHOOK_URL to its new address, which is in the Location header of its answer',
        isRetryable: false,
      },
    ],
    [
      'moved permanently to another server',
      (_request, response) => void response.writeHead(308, { location: 'https://new.example.com/secret' }).end(),
      {
        ok: false,
        reason:
          'HTTP 308: the receiver moved permanently to https://new.example.com/…; set LAB_NOTIFY_WEBHOOK_URL to its new address',
        isRetryable: false,
      },
    ],
  ])('to a receiver that %s returns its result', async (_name, handler, expected) => {
    expect(await post(await startReceiver(handler), request, options)).toEqual(expected);
  });

  it('sends user and password of an address as a header and never in a reason', async () => {
    let received: string | undefined;
    const address = await startReceiver((incoming, response) => {
      received = incoming.headers.authorization;
      response.writeHead(204).end();
    });
    const withPassword = new URL(address.href.replace('http://', 'http://lab:p%40ss@'));
    expect(await post(withPassword, request, options)).toEqual({ ok: true });
    expect(received).toBe(`Basic ${Buffer.from('lab:p@ss').toString('base64')}`);
    expect(JSON.stringify(await post(new URL('http://lab:hunter2@127.0.0.1:9/hook'), request, options))).not.toMatch(
      /hunter2|lab:/,
    );
  });

  it('to an unreachable receiver fails and is retryable', async () => {
    expect(await post(new URL('http://127.0.0.1:9/'), request, options)).toMatchObject({
      ok: false,
      isRetryable: true,
    });
  });

  it('identifies the program and the message', async () => {
    let headers: http.IncomingHttpHeaders = {};
    const address = await startReceiver((received, response) => {
      ({ headers } = received);
      response.writeHead(204).end();
    });
    await post(address, request, options);
    expect(headers).toMatchObject({ 'user-agent': 'lab-manager/1.2.3', 'idempotency-key': 'key-1' });
  });

  it.each([false, true])(
    'to a receiver that closes the connection is retryable only if it is idempotent: %s',
    async (isIdempotent) => {
      let received = 0;
      const address = await startReceiver((incoming) => {
        incoming.resume().on('end', () => {
          received += 1;
          incoming.socket.destroy();
        });
      });
      const result = await post(address, request, { ...options, isIdempotent });
      expect(result).toMatchObject({ ok: false, isRetryable: isIdempotent });
      expect(result).toMatchObject({ reason: expect.stringContaining('the receiver may have the message') as string });
      expect(received).toBe(1);
    },
  );

  it('to a receiver that responds after 7 s succeeds', async () => {
    const time = useManualClock();
    const late = await startReceiver((_request, response) => {
      time.advance(7000);
      response.writeHead(204).end();
    });
    expect(await post(late, request, options)).toEqual({ ok: true });
  });

  it('to a receiver that never responds times out and is not retryable', async () => {
    const time = useManualClock();
    const unresponsive = await startReceiver(() => undefined);
    const reason = 'timed out after 30 s; the receiver may have the message';
    expect(await time.settle(post(unresponsive, request, options))).toEqual({ ok: false, reason, isRetryable: false });
  });

  it('to a receiver that closes the connection before the TLS handshake is retryable', async () => {
    // Without a TLS handshake no part of the message is sent.
    const server = net.createServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await post(new URL(`https://127.0.0.1:${port}/`), request, options)).toMatchObject({
      ok: false,
      isRetryable: true,
    });
    server.close();
  });
});
