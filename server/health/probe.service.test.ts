import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { selfSignedCertificate } from '../../e2e/support/network/selfSigned.ts';
import { maxBodyBytes, probe, type ProbeOutcome } from './probe.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
  vi.unstubAllEnvs();
});

async function listen(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return (server.address() as AddressInfo).port;
}

/** Starts a manager with the request handler `handler`. @returns its address */
async function startManager(handler: http.RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(http.createServer(handler))}/`;
}

/** Starts a program that responds with `onSocket` to each connection. @returns its address */
async function startListener(onSocket: (socket: net.Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listen(net.createServer(onSocket))}/`;
}

const failureReason = (outcome: ProbeOutcome) => (outcome.kind === 'failed' ? outcome.reason : outcome.kind);

describe('a manager that responds to the probe', () => {
  it('is requested once at <address>/health with its base path, on its own connection', async () => {
    const received: (string | undefined)[] = [];
    const url = await startManager((request, response) => {
      received.push(request.url, request.method, request.headers.connection, request.headers.accept);
      response.end('{"healthy": true, "extra": 1}');
    });
    expect(await probe(`${url}base/path/`)).toMatchObject({ kind: 'answered', body: { healthy: true, extra: 1 } });
    expect(received).toEqual(['/base/path/health', 'GET', 'close', 'application/json']);
  });

  it('is busy with status 429 and any body', async () => {
    const url = await startManager((_request, response) => response.writeHead(429).end('{"detail": "too many"}'));
    expect(await probe(url)).toMatchObject({ kind: 'busy' });
  });

  it('is requested directly, despite a proxy in the environment', async () => {
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'])
      vi.stubEnv(name, 'http://127.0.0.1:9/');
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    const url = await startManager((_request, response) => response.end('{"healthy": true}'));
    expect((await probe(url)).kind).toBe('answered');
  });

  it.each([
    ['', '(nothing)'],
    ['<html>\n  <b>hello</b>\u0007</html>', '<html> <b>hello</b> </html>'],
    ['[1]', '[1]'],
    ['"fine"', '"fine"'],
    ['null', 'null'],
    [`x${'y'.repeat(200)}`, `x${'y'.repeat(79)}…`],
  ])('is reachable, but without a health object, when it sends %j', async (body, excerpt) => {
    const url = await startManager((_request, response) => response.end(body));
    expect(await probe(url)).toMatchObject({
      kind: 'failed',
      reached: true,
      reason: `answered with something that is not a health object: ${excerpt}`,
    });
  });

  it.each([
    [503, 'HTTP 503'],
    [404, 'HTTP 404'],
    [204, 'HTTP 204'],
    [500, 'HTTP 500'],
  ])('is reachable but unusable with status %i', async (status, reason) => {
    const url = await startManager((_request, response) => response.writeHead(status).end());
    expect(await probe(url)).toMatchObject({ kind: 'failed', reached: true, reason });
  });

  it('is reachable with a redirect, which is not followed', async () => {
    let followed = 0;
    const redirectTarget = await startManager((_request, response) => {
      followed += 1;
      response.end('{"healthy": true}');
    });
    const url = await startManager((_request, response) =>
      response.writeHead(307, { location: `${redirectTarget}health` }).end(),
    );
    expect(failureReason(await probe(url))).toBe(
      `HTTP 307 (redirects to ${redirectTarget}health; redirects are not followed)`,
    );
    expect(followed).toBe(0);
  });

  it.each([
    [maxBodyBytes, 'answered'],
    [maxBodyBytes + 1, 'answered with more than 64 KiB, which is not a health object'],
  ])('with a response of %i bytes gives the result “%s”', async (size, outcome) => {
    const body = JSON.stringify({ healthy: true, pad: '' });
    const url = await startManager((_request, response) =>
      response.end(body.replace('""', `"${'x'.repeat(size - body.length)}"`)),
    );
    expect(failureReason(await probe(url))).toBe(outcome);
  });

  it('is disconnected when its response is endless', async () => {
    let sent = 0;
    let closed = false;
    const url = await startManager((_request, response) => {
      const writeMore = () => {
        if (closed) return;
        sent += 16_384;
        if (response.write('x'.repeat(16_384))) setImmediate(writeMore);
        else response.once('drain', writeMore);
      };
      response.on('close', () => (closed = true));
      writeMore();
    });
    expect(failureReason(await probe(url))).toContain('64 KiB');
    await vi.waitFor(() => expect(closed).toBe(true));
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });
});

describe('a probe without a valid response', () => {
  it('reports that the connection was refused', async () => {
    const server = net.createServer();
    const port = await listen(server);
    await closers.pop()?.();
    expect(await probe(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'failed',
      reached: false,
      reason: `Failed to connect: connection refused (127.0.0.1:${port})`,
    });
  });

  it.each([
    ['never sends anything', () => undefined],
    [
      'sends headers and then nothing',
      (socket: net.Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'),
    ],
    [
      'sends a byte from time to time',
      (socket: net.Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n');
        const timer = setInterval(() => socket.write(' '), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('times out and closes the socket when the manager %s', async (_name, onSocket) => {
    let closed = false;
    const url = await startListener((socket) => {
      socket.on('close', () => (closed = true));
      socket.once('data', () => onSocket(socket));
    });
    expect(await probe(url, { timeoutMs: 250 })).toMatchObject({
      kind: 'failed',
      reached: false,
      reason: 'timed out after 0.25 s',
    });
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  it.each([
    ['does not use HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', /^answered with something that is not HTTP/],
    [
      'closes the connection immediately',
      '',
      /^Failed to connect: the connection was closed before a response arrived/,
    ],
    [
      'closes the connection in the middle of the response',
      'HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"healthy": true',
      'the connection was closed in the middle of the response',
    ],
  ])('fails with the reason when the manager %s', async (_name, bytes, reason) => {
    const url = await startListener((socket) => socket.once('data', () => socket.end(bytes)));
    const outcome = await probe(url);
    expect(outcome).toMatchObject({ kind: 'failed', reached: false });
    expect(failureReason(outcome)).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
  });

  it('reports that the host name cannot be resolved', async () => {
    expect(failureReason(await probe('http://no-such-host.invalid:8001/'))).toMatch(
      /^host not found: no-such-host\.invalid/,
    );
  });

  it('reports why the certificate is not trusted', async () => {
    const port = await listen(
      https.createServer(selfSignedCertificate, (_request, response) => response.end('{"healthy": true}')),
    );
    expect(failureReason(await probe(`https://127.0.0.1:${port}/`))).toBe(
      `TLS: the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT, 127.0.0.1:${port})`,
    );
  });

  it('reports that the port of an https address does not use TLS', async () => {
    const url = await startManager((_request, response) => response.end('{}'));
    expect(failureReason(await probe(url.replace('http:', 'https:')))).toMatch(
      /^TLS: 127\.0\.0\.1:\d+ does not speak TLS/,
    );
  });
});

describe('an aborted probe', () => {
  it('closes its connection', async () => {
    let closed = false;
    const arrived = new Promise<void>((resolve) => {
      void startManager((request) => {
        request.socket.on('close', () => (closed = true));
        resolve();
      }).then((url) => (pending = probe(url, { signal: controller.signal })));
    });
    const controller = new AbortController();
    let pending: Promise<ProbeOutcome> | undefined;
    await arrived;
    controller.abort();
    expect(await pending).toEqual({ kind: 'aborted' });
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  it('sends nothing if its signal is already aborted', async () => {
    let connections = 0;
    const url = await startListener(() => (connections += 1));
    expect(await probe(url, { signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' });
    expect(connections).toBe(0);
  });
});
