/** The relay over real sockets, between hostile clients and hostile managers. */
// cspell:ignore fadmin danagers
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { requestBytes, requestRaw, sendRequest, type RawResponse } from '../../e2e/support/rawRequest.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';
import { relayFailureHeader } from '../../api/client/relayFailure.ts';
import type { Role } from '../../api/lab/access.ts';
import { createContextRecord } from '../../api/managers.ts';
import { OtherLabManager } from '../../e2e/support/network/otherLabManager.ts';
import type { RemoteAccess } from '../../api/lab/relay.ts';

/** A manager that responds with given bytes and records what it receives. */
class ScriptedManager {
  /** The bytes of each connection, those of the service's own checks included. */
  readonly #received: string[] = [];
  /** Responds to the first bytes of a connection. */
  respond: (socket: Socket) => void = () => undefined;
  readonly #server = net.createServer((socket) => {
    const index = this.#received.push('') - 1;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const isFirst = this.#received[index] === '';
      this.#received[index] += data.toString('latin1');
      if (isFirst) this.respond(socket);
    });
  });

  /** The requests of the relay, which unlike the service's checks refuse compression. */
  get received(): readonly string[] {
    return this.#received.filter((text) => text.includes('accept-encoding: identity'));
  }

  clearReceived(): void {
    this.#received.length = 0;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.#server.close();
  }

  respondWith(head: string, body = ''): void {
    this.respond = (socket) => socket.end(`${head}\r\n\r\n${body}`);
  }
}

const emptyContext = createContextRecord(() => null);
const healthyBody = '{"healthy":true}';
const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json';
const headFor = (body: string) => `${json}\r\ncontent-length: ${body.length}`;

let manager: ScriptedManager;
let service: TestService;
let port = 0;
let role: Role | null = 'administrator';

beforeAll(async () => {
  manager = new ScriptedManager();
  await manager.start();
  service = await startService({
    files: { 'settings.yaml': settings('operate') },
    managerOptions: { identifyCaller: () => role && { name: 'ann', role, via: 'session' } },
  });
  ({ port } = service);
});
afterAll(async () => {
  await service.stop();
  manager.stop();
});
afterEach(() => {
  role = 'administrator';
  manager.clearReceived();
});

function settings(mode: RemoteAccess): string {
  const managerAddress = (path = '') => `http://127.0.0.1:${manager.port}/${path}`;
  return [
    `lab_remote_access: ${mode}`,
    `event_server_url: ${managerAddress('base')}`,
    `workcell_server_url: ${managerAddress()}`,
    `data_server_url: ${managerAddress()}`,
    'location_server_url: http://127.0.0.1:1/',
    'resource_server_url: None',
    'lab_watch_interval: 3600',
  ].join('\n');
}

function readDetail(response: RawResponse): string {
  const { detail } = JSON.parse(response.body) as { detail: string };
  return detail;
}

const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  requestBytes(
    port,
    [
      `POST ${path} HTTP/1.1`,
      `host: 127.0.0.1:${port}`,
      'connection: close',
      `content-length: ${Buffer.byteLength(body)}`,
      ...Object.entries({ 'content-type': 'application/json', ...headers }).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  );

describe('a relayed request', () => {
  it('reaches the manager below its configured address and returns the manager’s response', async () => {
    manager.respondWith(headFor(healthyBody), healthyBody);
    const response = await sendRequest(port, '/managers/event/events?number=5');
    expect([response.status, response.body]).toEqual([200, healthyBody]);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(manager.received).toHaveLength(1);
    expect(manager.received[0]).toMatch(/^GET \/base\/events\?number=5 HTTP\/1\.1\r\n/);
    expect(manager.received[0]).toContain(`Host: 127.0.0.1:${manager.port}\r\n`);
  });

  it('forwards its body, but neither credentials nor hop-by-hop headers', async () => {
    manager.respondWith(headFor(healthyBody), healthyBody);
    const body = '{"a": "ü"}';
    const response = await post('/managers/event/event', body, {
      authorization: 'Bearer secret',
      'proxy-authorization': 'Basic secret',
      cookie: 'session=secret',
      'x-forwarded-for': '10.0.0.7',
      'x-api-key': 'secret',
      te: 'trailers',
      expect: '100-continue',
      'keep-alive': 'timeout=5',
    });
    expect(response.status).toBe(100);
    expect(response.body).toContain('200 OK');
    const [received = ''] = manager.received;
    expect(received.split('\r\n\r\n')[1]).toBe(Buffer.from(body).toString('latin1'));
    expect(received).toMatch(/content-type: application\/json/i);
    expect(received).not.toMatch(/secret|10\.0\.0\.7|trailers|100-continue|keep-alive:/i);
  });

  it('returns no cookies, credential requests or CORS headers of the manager', async () => {
    const headers = [
      'set-cookie: a=b',
      'www-authenticate: Basic',
      'access-control-allow-origin: *',
      'clear-site-data: "*"',
      'x-ratelimit-limit: 1',
      'content-security-policy: script-src *',
      'refresh: 0; url=http://evil/',
      'link: <http://evil/>; rel=preload',
      'retry-after: 7',
    ];
    manager.respondWith(
      [json.replace('200 OK', '429 Too Many'), `content-length: ${healthyBody.length}`, ...headers].join('\r\n'),
      healthyBody,
    );
    const response = await sendRequest(port, '/managers/event/health', { headers: { host: 'localhost' } });
    expect([response.status, response.headers['retry-after']]).toEqual([429, '7']);
    expect(Object.keys(response.headers).toSorted()).toEqual([
      'age',
      'cache-control',
      'connection',
      'content-length',
      'content-security-policy',
      'content-type',
      'cross-origin-resource-policy',
      'date',
      'referrer-policy',
      'retry-after',
      'x-content-type-options',
      'x-frame-options',
    ]);
    expect(response.headers['content-security-policy']).toContain('sandbox');
  });

  it('gets a type of the relay’s own instead of the manager’s text', async () => {
    manager.respondWith(`${json}; a, text/html\r\ncontent-length: ${healthyBody.length}`, healthyBody);
    const response = await sendRequest(port, '/managers/event/health');
    expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json']);
  });

  it('sends no body with GET', async () => {
    manager.respondWith(headFor(healthyBody), healthyBody);
    await requestRaw(port, '/managers/event/health', { headers: { 'content-length': '0' } });
    expect(manager.received[0]).not.toMatch(/content-length|transfer-encoding/i);
  });

  it('is logged with its caller when it is a command', async () => {
    manager.respondWith(headFor('[]'), '[]');
    await post('/managers/workcell/admin/lock?x=1', '');
    await expect
      .poll(() => service.log)
      .toContain(
        'info Relayed POST /managers/workcell/admin/lock for “ann” (administrator, session) from 127.0.0.1: 200',
      );
  });

  it('is logged each time, however often it is sent', async () => {
    manager.respondWith(headFor('[]'), '[]');
    const logged = () => service.log.filter((line) => line.includes('/admin/unlock for “ann”')).length;
    for (let index = 0; index < 25; index += 1) await post('/managers/workcell/admin/unlock', '');
    await expect.poll(logged).toBe(25);
  });

  it('is logged with this machine as its caller when it comes from loopback without a session', async () => {
    const defaultService = await startService({ files: { 'settings.yaml': settings('operate') } });
    try {
      manager.respondWith(headFor('[]'), '[]');
      expect((await sendRequest(defaultService.port, '/managers/workcell/admin/lock', { method: 'POST' })).status).toBe(
        200,
      );
      await expect
        .poll(() => defaultService.log)
        .toContain(
          'info Relayed POST /managers/workcell/admin/lock for “this machine” (administrator, loopback) from 127.0.0.1: 200',
        );
    } finally {
      await defaultService.stop();
    }
  });
});

describe('access to the relay', () => {
  it('requires a role, and for commands the role operator', async () => {
    manager.respondWith(headFor(healthyBody), healthyBody);
    role = null;
    const stranger = await sendRequest(port, '/managers/event/health');
    expect([stranger.status, readDetail(stranger)]).toEqual([401, expect.stringContaining('signed-in')]);
    role = 'viewer';
    expect((await sendRequest(port, '/managers/event/health')).status).toBe(200);
    const command = await post('/managers/workcell/admin/lock', '');
    expect([command.status, readDetail(command)]).toEqual([403, expect.stringContaining('viewer')]);
    expect(manager.received).toHaveLength(1);
  });

  it('sends a command with the key of an earlier one to no manager, and reports that it may have been executed', async () => {
    manager.respondWith(headFor(healthyBody), healthyBody);
    role = 'operator';
    const send = (key: string) => post('/managers/workcell/admin/lock', '', { 'idempotency-key': key });
    expect((await send('a')).status).toBe(200);
    const repeated = await send('a');
    expect(repeated.status).toBe(409);
    expect(repeated.headers[relayFailureHeader.toLowerCase()]).toBe('lost');
    expect((await send('b')).status).toBe(200);
    expect(manager.received).toHaveLength(2);
    expect(manager.received.join('')).toContain('Connection: close');
  });

  it('is reported by /managers', async () => {
    role = 'operator';
    const response = await sendRequest(port, '/managers');
    expect(JSON.parse(response.body)).toEqual({
      remote_access: 'operate',
      role: 'operator',
      managers: ['event', 'experiment', 'data', 'workcell', 'location'],
    });
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each([
    ['a page of another origin', { origin: 'http://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a page of the same host on another port', { origin: 'http://127.0.0.1:1' }],
    ['an image of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a sibling site', { 'sec-fetch-site': 'same-site' }],
  ])('is refused to %s, without CORS headers', async (_name, headers) => {
    for (const response of [
      await sendRequest(port, '/managers/event/health', { headers }),
      await post('/managers/workcell/admin/lock', '', headers),
    ]) {
      expect([response.status, readDetail(response)]).toEqual([403, expect.stringContaining('another origin')]);
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    }
    const preflight = await sendRequest(port, '/managers/event/health', {
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
    expect(manager.received).toHaveLength(0);
  });

  it('is granted to the page of this service', async () => {
    manager.respondWith(headFor(healthyBody), healthyBody);
    const headers = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
    expect((await sendRequest(port, '/managers/event/health', { headers })).status).toBe(200);
  });

  it('is refused for the content type text/plain, which an HTML form can send', async () => {
    const response = await post('/managers/event/event', '{"a": 1}', { 'content-type': 'text/plain' });
    expect([response.status, manager.received.length]).toEqual([415, 0]);
  });

  it('is granted for a URL-encoded form without files', async () => {
    manager.respondWith(headFor(healthyBody), healthyBody);
    const type = 'application/x-www-form-urlencoded';
    const response = await post('/managers/workcell/workflow', 'workflow_definition_id=1', { 'content-type': type });
    expect(response.status).toBe(200);
    expect(manager.received[0]).toContain(`content-type: ${type}`);
  });

  it.each(['GET', 'POST', 'DELETE'])(
    'can be switched off: %s then returns 404 and names the setting',
    async (method) => {
      const off = await startService({ files: { 'settings.yaml': settings('off') } });
      try {
        const response = await sendRequest(off.port, '/managers/event/health', { method });
        expect([response.status, readDetail(response)]).toEqual([404, expect.stringContaining('LAB_REMOTE_ACCESS')]);
        expect(manager.received).toHaveLength(0);
      } finally {
        await off.stop();
      }
    },
  );

  it('is off while another lab manager is followed, because its addresses come from the network', async () => {
    const otherManager = new OtherLabManager();
    otherManager.context = { ...emptyContext, event_server_url: `http://127.0.0.1:${manager.port}/` };
    await otherManager.start();
    const following = await startService({
      env: { LAB_REMOTE_ACCESS: 'operate' },
      managerOptions: { follow: otherManager.url, listen: { host: '127.0.0.1', port: 0 } },
    });
    try {
      const context = await sendRequest(following.port, '/context');
      expect(JSON.parse(context.body)).toMatchObject({ event_server_url: `http://127.0.0.1:${manager.port}/` });
      expect((await sendRequest(following.port, '/managers/event/health')).status).toBe(404);
      expect(manager.received).toHaveLength(0);
    } finally {
      await following.stop();
      await otherManager.stop();
    }
  });

  it('changes with the settings', async () => {
    const changing = await startService({ files: { 'settings.yaml': settings('view') } });
    try {
      manager.respondWith(headFor(healthyBody), healthyBody);
      expect((await sendRequest(changing.port, '/managers/event/health')).status).toBe(200);
      await changing.write({ 'settings.yaml': settings('off') });
      await expect.poll(async () => (await sendRequest(changing.port, '/managers/event/health')).status).toBe(404);
    } finally {
      await changing.stop();
    }
  });
});

describe('attacks by path or method', () => {
  it.each([
    '/managers/event/../../admin/lock',
    '/managers/event/%2e%2e/%2e%2e/admin/lock',
    '/managers/event/..%2fadmin/lock',
    '/managers/event//admin/lock',
    '//managers/event/health',
    '/managers\\event\\health',
    '/managers/event\\..\\admin',
    '/%6danagers/event/health',
    '/managers/event@evil.example/health',
    '/managers/http://evil.example/health',
  ])('%s reaches no manager', async (path) => {
    for (const method of ['GET', 'POST']) {
      const response = await requestRaw(port, path, { method, headers: { accept: 'text/html' } });
      expect(response.status).toBe(404);
      expect(readDetail(response)).toMatch(/^Not Found/);
    }
    expect(manager.received).toHaveLength(0);
  });

  it.each(['http://evil.example/managers/event/health', 'https://127.0.0.1/managers/event/health'])(
    'an absolute target is not relayed: %s',
    async (target) => {
      expect((await requestRaw(port, target)).status).toBe(404);
      expect(manager.received).toHaveLength(0);
    },
  );

  it('CONNECT opens no tunnel', async () => {
    const response = await requestBytes(port, 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: 127.0.0.1:22\r\n\r\n').catch(
      () => null,
    );
    expect(response?.status ?? 0).not.toBe(200);
    expect(manager.received).toHaveLength(0);
  });

  it('an Upgrade request is relayed as an ordinary request', async () => {
    manager.respondWith(headFor(healthyBody), healthyBody);
    const response = await requestBytes(
      port,
      `GET /managers/event/health HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade, close\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n`,
    );
    expect([response.status, response.body]).toEqual([200, healthyBody]);
    expect(manager.received[0]).not.toMatch(/upgrade|websocket/i);
  });
});

describe('request smuggling', () => {
  const smuggled = 'GET /managers/workcell/state HTTP/1.1\r\nhost: x\r\n\r\n';
  const head = (path = 'event/event') =>
    `POST /managers/${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;

  it.each([
    ['both lengths', () => `${head()}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['two lengths', () => `${head()}content-length: 5\r\ncontent-length: 6\r\n\r\n{"a":1}`],
    ['a signed length', () => `${head()}content-length: +5\r\n\r\n{"a":1}`],
    ['a list of lengths', () => `${head()}content-length: 5, 5\r\n\r\n{"a":1}`],
    ['an obscured encoding', () => `${head()}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    [
      'an encoding that does not end in chunked',
      () => `${head()}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    ['a space before the colon', () => `${head()}content-length : 5\r\n\r\n{"a":1}`],
    ['a folded header', () => `${head()}transfer-encoding:\r\n chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`],
    ['an invalid chunk size', () => `${head()}transfer-encoding: chunked\r\n\r\n0x5\r\n{"a":\r\n0\r\n\r\n`],
  ])('with %s reaches no manager as a second request', async (_name, bytes) => {
    manager.respondWith(headFor(healthyBody), healthyBody);
    const response = await requestBytes(port, bytes());
    expect(response.status).toBe(400);
    expect(manager.received.join('')).not.toContain('/state');
    expect(
      manager.received.filter((text) => text.startsWith('POST')).every((text) => !text.includes(healthyBody)),
    ).toBe(true);
  });

  it('is prevented: a chunked request is forwarded as one chunked request without a length', async () => {
    manager.respondWith(headFor(healthyBody), healthyBody);
    const response = await requestBytes(
      port,
      `${head('workcell/workflow_definition')}transfer-encoding: chunked\r\nconnection: close\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n`,
    );
    expect([response.status, manager.received.length]).toEqual([200, 1]);
    expect(manager.received[0]).toMatch(/transfer-encoding: chunked[^]*\r\n\r\n7\r\n\{"a":1\}\r\n0\r\n\r\n$/i);
    expect(manager.received[0]).not.toMatch(/content-length/i);
  });
});

describe('a relay to a hostile or broken manager', () => {
  it.each([301, 302, 303, 304, 307, 308])('does not follow a redirect with status %i', async (status) => {
    manager.respondWith(
      `HTTP/1.1 ${status} Elsewhere\r\nlocation: http://127.0.0.1:${port}/context\r\ncontent-length: 0`,
    );
    const response = await sendRequest(port, '/managers/event/health');
    expect([response.status, readDetail(response)]).toEqual([
      502,
      expect.stringMatching(/redirect \(HTTP \d+\) to .*not followed/),
    ]);
    expect(response.headers).not.toHaveProperty('location');
    expect(manager.received).toHaveLength(1);
  });

  it.each(['200 OK', '500 Internal Server Error'])('reports an HTML response with status %s', async (status) => {
    manager.respondWith(`HTTP/1.1 ${status}\r\ncontent-type: text/html`, '<script>alert(1)</script>');
    const response = await sendRequest(port, '/managers/event/health');
    expect(response.status).toBe(502);
    expect(readDetail(response)).toMatch(
      /^Event Manager at http:.*: it answered HTTP \d+ with text\/html instead of JSON$/,
    );
    expect(response.headers['content-type']).toContain('application/json');
  });

  it('accepts a plain-text error response', async () => {
    manager.respondWith('HTTP/1.1 500 Oops\r\ncontent-type: text/plain; charset=utf-8', 'Internal Server Error');
    const response = await sendRequest(port, '/managers/event/health');
    expect([response.status, response.body]).toEqual([500, 'Internal Server Error']);
    expect(response.headers).not.toHaveProperty(relayFailureHeader.toLowerCase());
  });

  it('ends a JSON response of 1000 MB and returns an error instead of a part of it', async () => {
    let sent = 0;
    manager.respond = (socket) => {
      socket.write(`${json}\r\ncontent-length: 1048576000\r\n\r\n`);
      const chunk = Buffer.alloc(1024 * 1024, ' ');
      const sendChunks = (): void => {
        while (sent < 1000 && !socket.destroyed) {
          sent += 1;
          if (!socket.write(chunk)) return void socket.once('drain', sendChunks);
        }
      };
      sendChunks();
    };
    const response = await sendRequest(port, '/managers/event/events');
    expect([response.status, readDetail(response)]).toEqual([502, expect.stringContaining('more than 64 MiB')]);
    expect(sent).toBeLessThan(1000);
  });

  it('times out after the limit of the endpoint when the manager does not respond', async () => {
    const time = useManualClock(Date.now());
    manager.respond = () => undefined;
    await using ownService = await startService({
      files: { 'settings.yaml': settings('operate') },
      managerOptions: { identifyCaller: () => ({ name: 'ann', role: 'administrator', via: 'session' }) },
    });
    const response = await time.settle(sendRequest(ownService.port, '/managers/event/health'));
    expect([response.status, readDetail(response)]).toEqual([
      504,
      `Event Manager at http://127.0.0.1:${manager.port}/base: timed out after 5 s`,
    ]);
    expect(response.headers[relayFailureHeader.toLowerCase()]).toBe('timeout');
  });

  it.each([
    ['closes the connection', (socket: Socket) => socket.destroy()],
    ['sends half an answer', (socket: Socket) => socket.end(`${json}\r\ncontent-length: 100\r\n\r\n{"a":`)],
    ['sends half a chunk', (socket: Socket) => socket.end(`${json}\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"a":`)],
    ['sends no HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9\r\n\r\n')],
    [
      'sends both lengths',
      (socket: Socket) => socket.end(`${headFor(healthyBody)}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    ],
    [
      'switches protocols',
      (socket: Socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
  ])('reports a lost connection when the manager %s', async (_name, respond) => {
    manager.respond = respond;
    const response = await sendRequest(port, '/managers/event/health');
    expect(response.status).toBe(502);
    expect(readDetail(response)).toContain(`Event Manager at http://127.0.0.1:${manager.port}/base: `);
    expect(response.headers[relayFailureHeader.toLowerCase()]).toBe('lost');
  });

  it('returns no bytes after the announced length of a response', async () => {
    manager.respondWith(headFor(healthyBody), `${healthyBody}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`);
    const response = await sendRequest(port, '/managers/event/health');
    expect(response.body).not.toContain('evil');
    expect([200, 502]).toContain(response.status);
  });

  it('reports a manager that refuses connections', async () => {
    const response = await sendRequest(port, '/managers/location/locations');
    expect([response.status, JSON.parse(response.body)]).toEqual([
      502,
      {
        detail: 'Location Manager at http://127.0.0.1:1/: connection refused (127.0.0.1:1)',
        reason: 'connection refused (127.0.0.1:1)',
      },
    ]);
    expect(response.headers[relayFailureHeader.toLowerCase()]).toBe('unreachable');
  });

  it('returns 404 for a manager that the lab does not have', async () => {
    const response = await sendRequest(port, '/managers/resource/health');
    expect([response.status, readDetail(response)]).toEqual([404, 'Not Found: the lab has no Resource Manager']);
    expect(response.headers[relayFailureHeader.toLowerCase()]).toBe('refused');
  });
});

describe('a relayed file', () => {
  it('is streamed as a download that no page executes', async () => {
    manager.respondWith(
      'HTTP/1.1 200 OK\r\ncontent-type: text/javascript\r\ncontent-disposition: attachment; filename=setup.bat\r\ncontent-length: 25',
      '<script>alert(1)</script>',
    );
    const response = await sendRequest(port, '/managers/data/datapoint/1/value');
    expect([response.status, response.body]).toEqual([200, '<script>alert(1)</script>']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'content-length': '25',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });

  it('fails visibly when it breaks off', async () => {
    manager.respondWith('HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\ntransfer-encoding: chunked', 'ff\r\na,b,c');
    await expect(sendRequest(port, '/managers/data/datapoint/1/value')).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });

  it('is streamed although its 100 MB exceed the limit of buffered responses', async () => {
    const megabytes = 100;
    manager.respond = (socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: ${megabytes * 1048576}\r\n\r\n`,
      );
      const chunk = Buffer.alloc(1048576);
      let remaining = megabytes;
      const sendChunks = (): void => {
        while (remaining > 0) {
          remaining -= 1;
          if (!socket.write(chunk)) return void socket.once('drain', sendChunks);
        }
        socket.end();
      };
      sendChunks();
    };
    const response = await fetch(`http://127.0.0.1:${port}/managers/data/datapoint/1/value`);
    let size = 0;
    for await (const chunk of response.body ?? []) size += (chunk as Uint8Array).length;
    expect(size).toBe(megabytes * 1048576);
  });
});

describe('a client that disconnects', () => {
  it('aborts the request to the manager', async () => {
    let closed = false;
    manager.respond = (socket) => void socket.once('close', () => (closed = true));
    const controller = new AbortController();
    const response = sendRequest(port, '/managers/workcell/nodes', { signal: controller.signal });
    await expect.poll(() => manager.received.length).toBe(1);
    expect(closed).toBe(false);
    controller.abort();
    await expect(response).rejects.toThrow();
    await expect.poll(() => closed).toBe(true);
  });
});
