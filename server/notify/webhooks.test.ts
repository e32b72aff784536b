import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { silentLog } from '../logging/log.ts';
import type { Notification } from './policy.ts';
import { linkOf, publicUrl, shortenedAddress, webhookFormats, webhookRequest } from './webhookBodies.ts';
import { post, Webhooks, type PostResult } from './webhooks.ts';

const sender = { labName: 'Bench <4>', url: 'http://bench4:8000/' };
const notification = (title = 'Data Manager: unreachable'): Notification => ({
  kind: 'manager',
  level: 'problem',
  title,
  body: 'connection refused',
  path: '/',
  at: Date.now(),
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
      (_asked, answer) => void answer.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      { ok: false, reason: 'HTTP 302, a redirect, which is not followed', again: false },
    ],
  ])('of a receiver that %s', async (_name, handler, expected) => {
    expect(await post(await receiver(handler), request)).toEqual(expected);
  });

  it('sends user and password of an address as a header, and names them in no reason', async () => {
    let received: string | undefined;
    const address = await receiver((asked, answer) => {
      received = asked.headers.authorization;
      answer.writeHead(204).end();
    });
    const own = address.replace('http://', 'http://lab:p%40ss@');
    expect(await post(own, request)).toEqual({ ok: true });
    expect(received).toBe(`Basic ${Buffer.from('lab:p@ss').toString('base64')}`);
    expect(JSON.stringify(await post('http://lab:hunter2@127.0.0.1:9/hook', request))).not.toMatch(/hunter2|lab:/);
  });

  it('of one that is not there, and of one that hangs, ends with the reason', async () => {
    expect(await post('http://127.0.0.1:9/', request)).toMatchObject({ ok: false, again: true });
    const address = await receiver(() => undefined);
    expect(await post(address, request)).toEqual({ ok: false, reason: 'no answer within 5 s', again: true });
  }, 10_000);
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
    const posted: { address: string; title: string; at: number }[] = [];
    const settings = { addresses: [address], format: 'json' as const, sender };
    const lines: string[] = [];
    const log = { ...silentLog, warn: (line: string) => void lines.push(line) };
    const hooks = new Webhooks(
      () => settings,
      kept,
      log,
      async (to, { body }) => {
        posted.push({ address: to, title: (JSON.parse(body) as { title: string }).title, at: Date.now() });
        return answers(to);
      },
    );
    return { hooks, posted, settings, lines };
  }

  it('posts at once, and again later and later where nobody takes it', async () => {
    let taken = false;
    const { hooks, posted, lines } = bench(() => (taken ? { ok: true } : { ok: false, reason: 'no', again: true }));
    await hooks.start();
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
    await hooks.stop();
  });

  it.each([-1, 1])('keeps its intervals when the clock is set by %d day', async (days) => {
    const { hooks, posted } = bench(() => ({ ok: false, reason: 'no', again: true }));
    await hooks.start();
    hooks.send([notification()]);
    await pass(0);
    vi.setSystemTime(Date.now() + days * 86_400_000);
    await pass(4000);
    expect(posted).toHaveLength(1);
    await pass(32_000);
    expect(posted).toHaveLength(3);
    await hooks.stop();
  });

  it('gives up what is refused, and after a day what nobody takes', async () => {
    const refused = bench(() => ({ ok: false, reason: 'HTTP 403', again: false }));
    await refused.hooks.start();
    refused.hooks.send([notification()]);
    await pass(600_000);
    expect(refused.posted).toHaveLength(1);
    const lost = bench(() => ({ ok: false, reason: 'no', again: true }));
    await lost.hooks.start();
    lost.hooks.send([notification()]);
    await pass(26 * 3_600_000);
    const tries = lost.posted.length;
    await pass(26 * 3_600_000);
    expect(lost.posted).toHaveLength(tries);
    expect(tries).toBeLessThan(60);
  });

  it('posts at most ten a minute; the last of them stands for the rest', async () => {
    const { hooks, posted } = bench(() => ({ ok: true }));
    await hooks.start();
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
    const { hooks, posted, settings } = bench((to) => (to === address ? new Promise(() => undefined) : { ok: true }));
    settings.addresses.push(other);
    await hooks.start();
    hooks.send([notification()]);
    await pass(0);
    expect(posted.map(({ address: to }) => to)).toEqual([address, other]);
  });

  it('is kept over a restart, and drops what nobody is to be told any more', async () => {
    const first = bench(() => ({ ok: false, reason: 'no', again: true }), path);
    await first.hooks.start();
    first.hooks.send([notification('kept')]);
    await pass(0);
    await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toContain('"tries":1'));
    await first.hooks.stop();
    const second = bench(() => ({ ok: true }), path);
    await second.hooks.start();
    await pass(6000);
    expect(second.posted.map(({ title }) => title)).toEqual(['kept']);
    await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toBe('[]'));
    await second.hooks.stop();
  });
});
