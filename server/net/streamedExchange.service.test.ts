import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { StreamError, streamedExchange, type StreamLimits } from './streamedExchange.ts';

let server: http.Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

async function serve(respond: RequestListener): Promise<URL> {
  server = http.createServer(respond);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

const generous: StreamLimits = {
  headTimeoutMs: 10_000,
  idleTimeoutMs: 10_000,
  totalTimeoutMs: 20_000,
  maxRequestBytes: 1024,
  maxResponseBytes: 1024,
};

function send(
  url: URL,
  options: { readonly body?: Readable; readonly limits?: Partial<StreamLimits>; readonly signal?: AbortSignal } = {},
) {
  const { body = null, limits, signal = new AbortController().signal } = options;
  return streamedExchange(url, {
    method: body === null ? 'GET' : 'POST',
    headers: {},
    body,
    limits: { ...generous, ...limits },
    signal,
  });
}

async function findFailure(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StreamError)) throw new Error(`no StreamError: ${String(error)}`);
  return `${error.failure}: ${error.message}`;
}

describe('streamedExchange', () => {
  it('streams both bodies', async () => {
    const url = await serve((request, response) => request.pipe(response));
    const { status, body } = await send(url, {
      body: Readable.from(['a', 'b', 'c'].map((chunk) => Buffer.from(chunk))),
    });
    expect([status, await text(body)]).toEqual([200, 'abc']);
  });

  it('fails when the response does not begin in time', async () => {
    const url = await serve(() => undefined);
    expect(await findFailure(send(url, { limits: { headTimeoutMs: 50 } }))).toBe('timeout: timed out after 0.05 s');
  });

  it('fails when the body of the response stops', async () => {
    const url = await serve((_request, response) => response.write('a'));
    const { body } = await send(url, { limits: { idleTimeoutMs: 50 } });
    expect(await findFailure(text(body))).toBe('timeout: timed out after 0.05 s');
  });

  it('fails when the body of the response never ends', async () => {
    const url = await serve((_request, response) => {
      const timer = setInterval(() => response.write('a'), 5);
      response.once('close', () => clearInterval(timer));
    });
    const received = send(url, { limits: { totalTimeoutMs: 200 } }).then(({ body }) => text(body));
    expect(await findFailure(received)).toBe('timeout: timed out after 0.2 s');
  });

  it('counts no time while the request is being sent', async () => {
    const time = useManualClock();
    const url = await serve((request, response) => request.pipe(response));
    async function* slowly(): AsyncGenerator<Buffer> {
      for (let part = 0; part < 8; part += 1) {
        time.advance(150);
        yield Buffer.from('a');
      }
    }
    const { body } = await send(url, { body: Readable.from(slowly()), limits: { headTimeoutMs: 1000 } });
    expect(await text(body)).toBe('aaaaaaaa');
  });

  it('fails when a body is longer than its limit', async () => {
    const url = await serve((request, response) => {
      request.resume();
      request.once('end', () => response.end('x'.repeat(2000)));
    });
    const { body } = await send(url);
    expect(await findFailure(text(body))).toBe('tooLong: more than 0.0009765625 MiB');
    const sent = send(url, { body: Readable.from([Buffer.alloc(2000)]) });
    expect(await findFailure(sent)).toMatch(/^tooMuch: /);
  });

  it('distinguishes a manager that received nothing from one that dropped the connection', async () => {
    const url = await serve((request) => request.socket.destroy());
    expect(await findFailure(send(url))).toMatch(/^lost: the connection was closed before a response arrived/);
    server?.close();
    await new Promise((resolve) => server?.once('close', resolve));
    expect(await findFailure(send(url))).toMatch(/^unreachable: Failed to connect: connection refused/);
  });

  it('fails when the caller aborts, before and during the response', async () => {
    const url = await serve((_request, response) => response.write('a'));
    const controller = new AbortController();
    const { body } = await send(url, { signal: controller.signal });
    controller.abort();
    expect(await findFailure(text(body))).toBe('aborted: aborted');
    expect(await findFailure(send(url, { signal: controller.signal }))).toBe('aborted: aborted');
  });

  it('fails when the body of the request breaks off', async () => {
    const url = await serve((request) => request.resume());
    const broken = new Readable({ read: () => undefined });
    broken.push('a');
    const sent = send(url, { body: broken });
    broken.destroy(new Error('gone'));
    expect(await findFailure(sent)).toBe('aborted: the request broke off');
  });
});

it('a server whose TLS handshake fails is unreachable, because it has received nothing', async () => {
  const url = await serve((_request, response) => response.end());
  url.protocol = 'https:';
  await expect(send(url, { body: Readable.from(['x']) })).rejects.toMatchObject({ failure: 'unreachable' });
});
