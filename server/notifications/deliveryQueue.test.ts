import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { incidentKey, type DeliveryResult } from '../channels/channel.ts';
import { sampleNotification as notification, sampleSender as sender } from '../fixtures/sampleNotification.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { silentLog } from '../logging/log.ts';
import { DeliveryQueue } from './deliveryQueue.ts';
import { NotificationsFile } from './notificationsFile.ts';

describe('the delivery queue', () => {
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
  const advanceTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const address = 'https://hooks.example.com/secret';

  function createTestQueue(
    deliver: (address: string) => DeliveryResult | Promise<DeliveryResult>,
    retained: string | null = null,
  ) {
    const posted: { address: string; title: string; key: string; at: number }[] = [];
    /** The titles of the messages that wait, or that are done, as they are reported for the other server. */
    const reported: { title: string; isDone: boolean }[] = [];
    const settings = { addresses: [address], format: 'json' as const, areIdempotent: false, sender };
    const lines: string[] = [];
    const log = { ...silentLog, warn: (line: string) => void lines.push(line) };
    const file = new NotificationsFile(retained, log);
    const queue = new DeliveryQueue(
      () => settings,
      '1.2.3',
      file,
      log,
      async (to, _format, { title }, _sender, { key }) => {
        posted.push({ address: to, title, key, at: Date.now() });
        return deliver(to);
      },
      (messages, isDone) => void reported.push(...messages.map(({ notification: { title } }) => ({ title, isDone }))),
    );
    const start = async () => {
      const { waiting, deliveries } = await file.load();
      queue.start(waiting, deliveries);
    };
    const stop = async () => {
      await queue.stop();
      await file.settled();
    };
    const done = () => reported.filter(({ isDone }) => isDone).map(({ title }) => title);
    return { queue, posted, settings, lines, start, stop, done };
  }

  it('stores messages on standby, discards those that another server delivered, and sends the rest once', async () => {
    const { queue, start, stop, posted } = createTestQueue(() => ({ ok: true }));
    queue.isPaused = true;
    await start();
    queue.send([notification('first')]);
    await advanceTime(60_000);
    const later = { ...notification('second'), incidents: ['problem manager event 1'] };
    queue.send([later]);
    queue.send([later]);
    await advanceTime(60_000);
    expect([posted, queue.deliveries()[0]?.waiting]).toEqual([[], 2]);
    queue.discardBefore(performance.now() - 60_000);
    expect(queue.deliveries()[0]?.waiting).toBe(1);
    queue.isPaused = false;
    queue.release();
    await advanceTime(0);
    expect(posted.map(({ title, key }) => [title, key])).toEqual([['second', incidentKey(later.incidents, sender)]]);
    await stop();
  });

  it('drops a message that waited on standby for more than a day, and reports it as done to the other server', async () => {
    const { queue, start, stop, posted, done } = createTestQueue(() => ({ ok: true }));
    queue.isPaused = true;
    await start();
    queue.send([notification()]);
    await advanceTime(25 * 3_600_000);
    queue.isPaused = false;
    queue.release();
    await advanceTime(60_000);
    expect([posted, queue.deliveries()[0]?.waiting]).toEqual([[], 0]);
    expect(done()).toEqual(['Data Manager: unreachable']);
    await stop();
  });

  it('drops the oldest of more than 200 messages, and reports them as done to the other server', async () => {
    const { queue, start, stop, done } = createTestQueue(() => ({ ok: false, reason: 'no', isRetryable: true }));
    await start();
    const titles = Array.from({ length: 202 }, (_, index) => `number ${index}`);
    queue.send(titles.map((title) => ({ ...notification(title), incidents: [title] })));
    expect(queue.deliveries()[0]?.waiting).toBe(200);
    expect(done()).toEqual(titles.slice(0, 2));
    await stop();
  });

  it('posts at once, and at growing intervals after a failure', async () => {
    let isReachable = false;
    const { queue, start, stop, posted, lines } = createTestQueue(() =>
      isReachable ? { ok: true } : { ok: false, reason: 'no', isRetryable: true },
    );
    await start();
    queue.send([notification()]);
    await advanceTime(0);
    expect(posted).toHaveLength(1);
    await advanceTime(36_000);
    expect(posted.map(({ at }) => at - (posted[0]?.at ?? 0))).toEqual([0, 5000, 35_000]);
    isReachable = true;
    await advanceTime(130_000);
    expect(posted).toHaveLength(4);
    await advanceTime(86_400_000);
    expect(posted).toHaveLength(4);
    expect(lines.join()).not.toContain('secret');
    await stop();
  });

  it.each([-1, 1])('keeps its intervals when the clock is set by %d day', async (days) => {
    const { queue, start, stop, posted } = createTestQueue(() => ({ ok: false, reason: 'no', isRetryable: true }));
    await start();
    queue.send([notification()]);
    await advanceTime(0);
    vi.setSystemTime(Date.now() + days * 86_400_000);
    await advanceTime(4000);
    expect(posted).toHaveLength(1);
    await advanceTime(32_000);
    expect(posted).toHaveLength(3);
    await stop();
  });

  it('drops a rejected message, and a repeatedly failing one after a day', async () => {
    const refused = createTestQueue(() => ({ ok: false, reason: 'HTTP 403', isRetryable: false }));
    await refused.start();
    refused.queue.send([notification()]);
    await advanceTime(600_000);
    expect(refused.posted).toHaveLength(1);
    const lost = createTestQueue(() => ({ ok: false, reason: 'no', isRetryable: true }));
    await lost.start();
    lost.queue.send([notification()]);
    await advanceTime(26 * 3_600_000);
    const tries = lost.posted.length;
    await advanceTime(26 * 3_600_000);
    expect(lost.posted).toHaveLength(tries);
    expect(tries).toBeLessThan(60);
  });

  it('posts at most ten a minute; the last of them summarizes the rest', async () => {
    const { queue, start, posted } = createTestQueue(() => ({ ok: true }));
    await start();
    queue.send(Array.from({ length: 30 }, (_, index) => notification(`number ${index}`)));
    await advanceTime(59_000);
    expect(posted.map(({ title }) => title)).toEqual([
      ...Array.from({ length: 9 }, (_, index) => `number ${index}`),
      '21 notifications',
    ]);
    await advanceTime(120_000);
    expect(posted).toHaveLength(10);
  });

  it('delivers to other addresses while one hangs', async () => {
    const otherAddress = 'https://other.example.com/';
    const { queue, start, posted, settings } = createTestQueue((to) =>
      to === address ? new Promise(() => undefined) : { ok: true },
    );
    settings.addresses.push(otherAddress);
    await start();
    queue.send([notification()]);
    await advanceTime(0);
    expect(posted.map(({ address: to }) => to)).toEqual([address, otherAddress]);
  });

  it('delivers a waiting message after a restart, with the same key', async () => {
    const first = createTestQueue(() => ({ ok: false, reason: 'no', isRetryable: true }), path);
    await first.start();
    first.queue.send([notification('kept')]);
    await advanceTime(0);
    await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toContain('"tries":1'));
    await first.stop();
    const second = createTestQueue(() => ({ ok: true }), path);
    await second.start();
    await advanceTime(6000);
    expect(second.posted.map(({ title }) => title)).toEqual(['kept']);
    expect(second.posted[0]?.key).toBe(first.posted[0]?.key);
    await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toContain('"waiting":[]'));
    await second.stop();
  });

  it.each(['{"version":3}', '[{}]', 'text'])('a file of another form is reported: %s', async (text) => {
    await mkdir(join(folder.path, 'state'));
    await writeFile(path, text, { mode: 0o600 });
    const lines: string[] = [];
    expect(
      await new NotificationsFile(path, { ...silentLog, warn: (line) => void lines.push(line) }).load(),
    ).toMatchObject({ waiting: [] });
    expect(lines).toEqual([expect.stringContaining(`can't be read from ${path}: it is damaged`)]);
  });

  it('does not send a message again that may have arrived when the service stopped', async () => {
    let response: (result: DeliveryResult) => void = () => undefined;
    const first = createTestQueue(() => new Promise((resolve) => (response = resolve)), path);
    await first.start();
    first.queue.send([notification()]);
    await advanceTime(0);
    const stopped = first.stop();
    response({ ok: false, reason: 'the lab manager stopped before the response', isRetryable: false });
    await stopped;
    const second = createTestQueue(() => ({ ok: true }), path);
    await second.start();
    await advanceTime(60_000);
    expect(second.posted).toEqual([]);
    await second.stop();
  });

  it('delivers further messages to other addresses while one hangs', async () => {
    const otherAddress = 'https://other.example.com/';
    const { queue, posted, settings, start } = createTestQueue((to) =>
      to === address ? new Promise(() => undefined) : { ok: true },
    );
    settings.addresses.push(otherAddress);
    await start();
    queue.send([notification('one')]);
    await advanceTime(0);
    queue.send([notification('two')]);
    await advanceTime(0);
    expect(posted.filter(({ address: to }) => to === otherAddress).map(({ title }) => title)).toEqual(['one', 'two']);
  });

  it('reports the deliveries to each address, also after a restart', async () => {
    const otherAddress = 'https://hooks.example.com/other';
    const first = createTestQueue(
      (to) => (to === address ? { ok: true } : { ok: false, reason: 'HTTP 404', isRetryable: false }),
      path,
    );
    first.settings.addresses.push(otherAddress);
    await first.start();
    expect(first.queue.deliveries()[0]).toEqual({
      channel: '1: https://hooks.example.com/…',
      waiting: 0,
      delivered: null,
      failure: null,
    });
    first.queue.send([notification()]);
    await advanceTime(0);
    const at = new Date().toISOString();
    const expected = [
      { channel: '1: https://hooks.example.com/…', waiting: 0, delivered: at, failure: null },
      { channel: '2: https://hooks.example.com/…', waiting: 0, delivered: null, failure: { at, reason: 'HTTP 404' } },
    ];
    expect(first.queue.deliveries()).toEqual(expected);
    await first.stop();
    const second = createTestQueue(() => ({ ok: false, reason: 'no', isRetryable: true }), path);
    second.settings.addresses.push(otherAddress);
    await second.start();
    expect(second.queue.deliveries()).toEqual(expected);
    second.queue.send([notification()]);
    await advanceTime(0);
    expect(second.queue.deliveries()[0]).toMatchObject({ waiting: 1, delivered: at, failure: { reason: 'no' } });
    await second.stop();
  });
});
