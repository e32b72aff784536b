import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { unreadLab } from '../../api/lab/followed.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { silentLog } from '../logging/log.ts';
import type { Notification } from './notification.ts';
import { NotificationsFile } from './notificationsFile.ts';
import { post, type PostResult } from './post.ts';
import { shortenedAddress } from '../logging/text.ts';
import { webhookFormats } from '../settings/schema/definition.ts';
import { linkOf, publicUrl, senderOf, webhookRequest } from './webhookBodies.ts';
import { Webhooks } from './webhooks.ts';

const sender = { labName: 'Bench <4>', url: 'http://bench4:8000/' };
const notification = (title = 'Data Manager: unreachable'): Notification => ({
  kind: 'manager',
  level: 'problem',
  title,
  body: 'connection refused',
  path: '/',
  at: Date.now(),
  since: null,
  subjects: ['manager data'],
});

describe('what is posted', () => {
  it.each(webhookFormats)('has lab, title, reason and the page: %s', (format) => {
    const { headers, body } = webhookRequest(format, { ...notification(), path: '/workflows/1' }, sender);
    const all = `${JSON.stringify(headers)} ${body}`;
    expect(all).toContain('Data Manager: unreachable');
    expect(all).toContain('connection refused');
    expect(all).toContain('http://bench4:8000/workflows/1');
  });

  it.each(webhookFormats)('names the lab once, also where the title begins with it: %s', (format) => {
    const named = { ...notification('Bench is back'), kind: 'lab' as const };
    const { headers, body } = webhookRequest(format, named, { labName: 'Bench', url: null });
    const text =
      format === 'json' ? (JSON.parse(body) as { title: string }).title : `${headers['title'] ?? ''} ${body}`;
    expect(text.match(/Bench/g)).toHaveLength(1);
    const unnamed = webhookRequest(format, { ...named, title: 'The lab is back' }, { labName: null, url: null });
    expect(`${unnamed.headers['title'] ?? ''} ${unnamed.body}`).not.toContain('Lab');
    const manager = webhookRequest(format, notification('Benchmark is back'), { labName: 'Bench', url: null });
    expect(`${manager.headers['title'] ?? ''} ${manager.body}`).toMatch(/Bench\b/);
  });

  it('is text for Slack, whatever a name holds', () => {
    const { body } = webhookRequest('slack', notification('<!channel> & more'), sender);
    expect(JSON.parse(body)).toEqual({
      text: expect.stringContaining('&lt;!channel&gt; &amp; more') as string,
    });
  });

  it.each(['slack', 'teams', 'ntfy'] as const)(
    'has no mention, link or formatting that a name of the lab brings: %s',
    (format) => {
      const name = '@everyone [Log in](http://evil.example/) www.evil.example *b* _i_ ~s~ `c` ||s|| arm_1_left';
      const { headers, body } = webhookRequest(format, notification(name), { labName: name, url: null });
      const [, base64 = ''] = /^=\?UTF-8\?B\?(.*)\?=$/.exec(headers['title'] ?? '') ?? [];
      const text = format === 'ntfy' ? Buffer.from(base64, 'base64').toString() : JSON.stringify(JSON.parse(body));
      expect(text).not.toMatch(/@everyone|\]\(|http:\/\/evil|www\.evil|\*b\*|(?<!\w)_i_|~s~|`|\|\|/);
      expect(text).toContain('arm_1_left');
      expect(headers['title'] ?? '').not.toMatch(/[\r\n]/);
    },
  );

  it('has no encoded word of a name in a header', () => {
    const { headers } = webhookRequest('ntfy', notification('=?UTF-8?B?QGV2ZXJ5b25l?='), sender);
    expect(headers['title']).not.toContain('QGV2ZXJ5b25l?=');
  });

  it('has only letters in headers that headers may have', () => {
    const { headers } = webhookRequest('ntfy', notification('Größe\r\nx: y'), sender);
    expect(headers['title']).toMatch(/^=\?UTF-8\?B\?[\w+/=]+\?=$/);
  });

  it.each([
    ['http://lab-pc:8000/', null, 'http://lab-pc:8000/'],
    ['http://localhost:8000/', 'bench4', 'http://bench4:8000/'],
    ['http://localhost:8000/', 'auto', null],
    ['http://127.0.0.1:8000/', null, null],
  ])('%s, advertised as %s, is found at %s', (serverUrl, advertised, expected) => {
    expect(publicUrl(serverUrl, advertised)).toBe(expected);
  });

  const own = { managerName: 'Lab A', serverUrl: 'http://localhost:8000/', advertisedHost: 'bench-1' };
  const followed = { ...unreadLab('http://bench-2:8000/'), reported: null };

  it('has the name and address of these settings while their own lab is watched', () => {
    expect(senderOf(own, { lab_name: 'Lab A' })).toEqual({ labName: 'Lab A', url: 'http://bench-1:8000/' });
    expect(senderOf(own, null)).toEqual({ labName: 'Lab A', url: 'http://bench-1:8000/' });
  });

  it('has the name, machine and address of the lab that is followed, not those of these settings', () => {
    const url = 'http://bench-2:8000/';
    expect(senderOf(own, { lab_name: 'Lab B', followed })).toEqual({ labName: 'Lab B on bench-2', url });
    expect(senderOf(own, { lab_name: null, followed })).toEqual({ labName: 'The lab on bench-2', url });
    const tunnel = unreadLab('http://localhost:9000/');
    expect(senderOf(own, { lab_name: 'Lab B', followed: tunnel })).toEqual({
      labName: 'Lab B on localhost:9000',
      url: null,
    });
  });

  it.each(webhookFormats)('has no link where nobody else could use it: %s', (format) => {
    const { headers, body } = webhookRequest(format, notification(), { ...sender, url: null });
    expect(`${JSON.stringify(headers)} ${body}`).not.toContain('http://localhost');
    expect(body.length).toBeGreaterThan(10);
  });

  it('leads below a base path, and never tells an address', () => {
    expect(linkOf('/events', { ...sender, url: 'http://lab/base/' })).toBe('http://lab/base/events');
    expect(shortenedAddress('https://hooks.example.com/T0/secret?x=1')).toBe('https://hooks.example.com/…');
    expect(shortenedAddress('nonsense')).toBe('…');
  });
});

describe('one try', () => {
  const servers: http.Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  async function receiver(handler: http.RequestListener): Promise<string> {
    const server = http.createServer(handler);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }
  const request = webhookRequest('json', notification(), sender);
  const options = { version: '1.2.3', key: 'key-1', isIdempotent: false };

  it.each<[string, http.RequestListener, PostResult]>([
    ['takes it', (_asked, answer) => void answer.writeHead(204).end(), { ok: true }],
    [
      'is busy',
      (_asked, answer) => void answer.writeHead(429, { 'retry-after': '7' }).end(),
      { ok: false, reason: 'HTTP 429', again: true, afterMs: 7000 },
    ],
    ['fails', (_asked, answer) => void answer.writeHead(500).end(), { ok: false, reason: 'HTTP 500', again: true }],
    ['refuses', (_asked, answer) => void answer.writeHead(403).end(), { ok: false, reason: 'HTTP 403', again: false }],
    [
      'redirects',
      (_asked, answer) => void answer.writeHead(302, { location: 'http://127.0.0.1:9/secret' }).end(),
      { ok: false, reason: 'HTTP 302, a redirect to http://127.0.0.1:9/…, which is not followed', again: false },
    ],
    [
      'moved permanently to another path of the same server',
      (_asked, answer) => void answer.writeHead(301, { location: '/new/secret' }).end(),
      {
        ok: false,
        reason:
          'HTTP 301: the receiver moved permanently to another path of the same server; set LAB_NOTIFY_WEBHOOK_URL to its new address, which is in the Location header of its answer',
        again: false,
      },
    ],
    [
      'moved permanently',
      (_asked, answer) => void answer.writeHead(308, { location: 'https://new.example.com/secret' }).end(),
      {
        ok: false,
        reason:
          'HTTP 308: the receiver moved permanently to https://new.example.com/…; set LAB_NOTIFY_WEBHOOK_URL to its new address',
        again: false,
      },
    ],
  ])('of a receiver that %s', async (_name, handler, expected) => {
    expect(await post(await receiver(handler), request, options)).toEqual(expected);
  });

  it('sends user and password of an address as a header, and names them in no reason', async () => {
    let received: string | undefined;
    const address = await receiver((asked, answer) => {
      received = asked.headers.authorization;
      answer.writeHead(204).end();
    });
    const own = address.replace('http://', 'http://lab:p%40ss@');
    expect(await post(own, request, options)).toEqual({ ok: true });
    expect(received).toBe(`Basic ${Buffer.from('lab:p@ss').toString('base64')}`);
    expect(JSON.stringify(await post('http://lab:hunter2@127.0.0.1:9/hook', request, options))).not.toMatch(
      /hunter2|lab:/,
    );
  });

  it('of one that is not there ends with the reason, and is repeated', async () => {
    expect(await post('http://127.0.0.1:9/', request, options)).toMatchObject({ ok: false, again: true });
  });

  it('names the program and the message', async () => {
    let headers: http.IncomingHttpHeaders = {};
    const address = await receiver((asked, answer) => {
      ({ headers } = asked);
      answer.writeHead(204).end();
    });
    await post(address, request, options);
    expect(headers).toMatchObject({ 'user-agent': 'lab-manager/1.2.3', 'idempotency-key': 'key-1' });
  });

  it.each([false, true])(
    'of one that closes the connection after the whole message is repeated where it is idempotent: %s',
    async (isIdempotent) => {
      let received = 0;
      const address = await receiver((asked) => {
        asked.resume().on('end', () => {
          received += 1;
          asked.socket.destroy();
        });
      });
      const result = await post(address, request, { ...options, isIdempotent });
      expect(result).toMatchObject({ ok: false, again: isIdempotent });
      expect(result).toMatchObject({ reason: expect.stringContaining('the receiver may have the message') as string });
      expect(received).toBe(1);
    },
  );

  it('of one that answers after 7 s is delivered', async () => {
    const late = await receiver((_asked, answer) => void setTimeout(() => answer.writeHead(204).end(), 7000));
    expect(await post(late, request, options)).toEqual({ ok: true });
  });

  it('of one that never answers ends, and is not repeated', async () => {
    const silent = await receiver(() => undefined);
    const reason = 'timed out after 0.5 s; the receiver may have the message';
    expect(await post(silent, request, options, undefined, 500)).toEqual({ ok: false, reason, again: false });
  });

  it('of one that accepts the connection, and never gets the message, is repeated', async () => {
    // Without a TLS handshake nothing of the message leaves this machine.
    const server = net.createServer((socket) => void setTimeout(() => socket.destroy(), 200));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await post(`https://127.0.0.1:${port}/`, request, options)).toMatchObject({ ok: false, again: true });
    server.close();
  });
});

describe('the queue', () => {
  let folder: TempFolder;
  let path: string;
  beforeEach(async () => {
    folder = await makeTempFolder();
    path = join(folder.path, 'state', 'notifications.json');
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 15), toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await folder.remove();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const address = 'https://hooks.example.com/secret';

  function bench(answers: (address: string) => PostResult | Promise<PostResult>, kept: string | null = null) {
    const posted: { address: string; title: string; key: string; at: number }[] = [];
    const settings = { addresses: [address], format: 'json' as const, areIdempotent: false, sender };
    const lines: string[] = [];
    const log = { ...silentLog, warn: (line: string) => void lines.push(line) };
    const file = new NotificationsFile(kept, log);
    const hooks = new Webhooks(
      () => settings,
      '1.2.3',
      file,
      log,
      async (to, { body }, { key }) => {
        const { title } = JSON.parse(body) as { title: string };
        posted.push({ address: to, title, key, at: Date.now() });
        return answers(to);
      },
    );
    const start = async () => {
      const { waiting, deliveries } = await file.load();
      hooks.start(waiting, deliveries);
    };
    const stop = async () => {
      await hooks.stop();
      await file.settled();
    };
    return { hooks, posted, settings, lines, start, stop };
  }

  it('posts at once, and again later and later where nobody takes it', async () => {
    let taken = false;
    const { hooks, start, stop, posted, lines } = bench(() =>
      taken ? { ok: true } : { ok: false, reason: 'no', again: true },
    );
    await start();
    hooks.send([notification()]);
    await pass(0);
    expect(posted).toHaveLength(1);
    await pass(36_000);
    expect(posted.map(({ at }) => at - (posted[0]?.at ?? 0))).toEqual([0, 5000, 35_000]);
    taken = true;
    await pass(130_000);
    expect(posted).toHaveLength(4);
    await pass(86_400_000);
    expect(posted).toHaveLength(4);
    expect(lines.join()).not.toContain('secret');
    await stop();
  });

  it.each([-1, 1])('keeps its intervals when the clock is set by %d day', async (days) => {
    const { hooks, start, stop, posted } = bench(() => ({ ok: false, reason: 'no', again: true }));
    await start();
    hooks.send([notification()]);
    await pass(0);
    vi.setSystemTime(Date.now() + days * 86_400_000);
    await pass(4000);
    expect(posted).toHaveLength(1);
    await pass(32_000);
    expect(posted).toHaveLength(3);
    await stop();
  });

  it('gives up what is refused, and after a day what nobody takes', async () => {
    const refused = bench(() => ({ ok: false, reason: 'HTTP 403', again: false }));
    await refused.start();
    refused.hooks.send([notification()]);
    await pass(600_000);
    expect(refused.posted).toHaveLength(1);
    const lost = bench(() => ({ ok: false, reason: 'no', again: true }));
    await lost.start();
    lost.hooks.send([notification()]);
    await pass(26 * 3_600_000);
    const tries = lost.posted.length;
    await pass(26 * 3_600_000);
    expect(lost.posted).toHaveLength(tries);
    expect(tries).toBeLessThan(60);
  });

  it('posts at most ten a minute; the last of them stands for the rest', async () => {
    const { hooks, start, posted } = bench(() => ({ ok: true }));
    await start();
    hooks.send(Array.from({ length: 30 }, (_, index) => notification(`number ${index}`)));
    await pass(59_000);
    expect(posted.map(({ title }) => title)).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `number ${index}`),
      '21 notifications',
    ]);
    await pass(120_000);
    expect(posted).toHaveLength(10);
  });

  it('holds up no other address', async () => {
    const other = 'https://other.example.com/';
    const { hooks, start, posted, settings } = bench((to) =>
      to === address ? new Promise(() => undefined) : { ok: true },
    );
    settings.addresses.push(other);
    await start();
    hooks.send([notification()]);
    await pass(0);
    expect(posted.map(({ address: to }) => to)).toEqual([address, other]);
  });

  it('is kept over a restart, and drops what nobody is to be told any more', async () => {
    const first = bench(() => ({ ok: false, reason: 'no', again: true }), path);
    await first.start();
    first.hooks.send([notification('kept')]);
    await pass(0);
    await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toContain('"tries":1'));
    await first.stop();
    const second = bench(() => ({ ok: true }), path);
    await second.start();
    await pass(6000);
    expect(second.posted.map(({ title }) => title)).toEqual(['kept']);
    expect(second.posted[0]?.key).toBe(first.posted[0]?.key);
    await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toContain('"waiting":[]'));
    await second.stop();
  });

  it('goes on with what an earlier version left', async () => {
    const { since: _since, ...old } = notification('old');
    const waiting = [{ address, notification: old, tries: 1, nextAt: Date.now(), queuedAt: Date.now() }];
    await mkdir(join(folder.path, 'state'));
    await writeFile(path, JSON.stringify(waiting), { mode: 0o600 });
    const { posted, start, stop } = bench(() => ({ ok: true }), path);
    await start();
    await pass(10);
    expect(posted.map(({ title }) => title)).toEqual(['old']);
    await stop();
  });

  it('keeps no message that may have arrived when the service stops', async () => {
    let answer: (result: PostResult) => void = () => undefined;
    const first = bench(() => new Promise((resolve) => (answer = resolve)), path);
    await first.start();
    first.hooks.send([notification()]);
    await pass(0);
    const stopped = first.stop();
    answer({ ok: false, reason: 'the lab manager stopped before the answer', again: false });
    await stopped;
    const second = bench(() => ({ ok: true }), path);
    await second.start();
    await pass(60_000);
    expect(second.posted).toEqual([]);
    await second.stop();
  });

  it('holds up no other address, also when messages come while one hangs', async () => {
    const other = 'https://other.example.com/';
    const { hooks, posted, settings, start } = bench((to) =>
      to === address ? new Promise(() => undefined) : { ok: true },
    );
    settings.addresses.push(other);
    await start();
    hooks.send([notification('one')]);
    await pass(0);
    hooks.send([notification('two')]);
    await pass(0);
    expect(posted.filter(({ address: to }) => to === other).map(({ title }) => title)).toEqual(['one', 'two']);
  });

  it('reports what became of the messages to each address, also after a restart', async () => {
    const other = 'https://hooks.example.com/other';
    const first = bench(
      (to) => (to === address ? { ok: true } : { ok: false, reason: 'HTTP 404', again: false }),
      path,
    );
    first.settings.addresses.push(other);
    await first.start();
    expect(first.hooks.deliveries()[0]).toEqual({
      channel: '1: https://hooks.example.com/…',
      waiting: 0,
      delivered: null,
      failure: null,
    });
    first.hooks.send([notification()]);
    await pass(0);
    const at = new Date().toISOString();
    const expected = [
      { channel: '1: https://hooks.example.com/…', waiting: 0, delivered: at, failure: null },
      { channel: '2: https://hooks.example.com/…', waiting: 0, delivered: null, failure: { at, reason: 'HTTP 404' } },
    ];
    expect(first.hooks.deliveries()).toEqual(expected);
    await first.stop();
    const second = bench(() => ({ ok: false, reason: 'no', again: true }), path);
    second.settings.addresses.push(other);
    await second.start();
    expect(second.hooks.deliveries()).toEqual(expected);
    second.hooks.send([notification()]);
    await pass(0);
    expect(second.hooks.deliveries()[0]).toMatchObject({ waiting: 1, delivered: at, failure: { reason: 'no' } });
    await second.stop();
  });
});
