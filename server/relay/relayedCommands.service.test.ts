import express from 'express';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostileJson } from '../../api/fixtures/hostileNumbers.ts';
import { createCommandEvent, createRecord, type CommandFields } from '../../api/commandRecord.ts';
import type { RemoteAccess } from '../../api/lab/relay.ts';
import type { Sender } from '../access/sender.ts';
import type { CommandSender } from '../commandLog/commandLog.ts';
import { findRoute } from './route.ts';
import { testRelay } from '../fixtures/testRelay.ts';
import { RelayedCommands } from './relayedCommands.ts';

interface Recorded {
  readonly fields: CommandFields;
  readonly title: string;
  readonly sender: CommandSender;
}

const ann: Sender = { caller: { name: 'ann', role: 'operator', via: 'session' }, expiredCaller: null };

/** The memory for responses, in bytes. */
const maxMemory = 64 * 1024;

let recorded: Recorded[];
/** The events that the event manager has stored: like MongoDB, it ignores another one of the same ID. */
let stored: { readonly _id: string; readonly event_data: Record<string, unknown> }[];
/** The last event as the event manager received it. */
let receivedText: string;
let status: number;
/** Whether the event manager closes the connection instead of responding. */
let losesResponses: boolean;
/** Resolves when the event manager may respond. */
let mayRespond: Promise<void>;
/** The same for the read of a stored event. */
let mayRead: Promise<void>;
/** The number of reads of stored events, and of the responses of the service that have ended. */
let readCount: number;
let closedCount: number;
/** The text in each response of the event manager to a new event. */
let padding: string;
let sender: Sender;
let mode: RemoteAccess;
let commands: RelayedCommands;
let manager: http.Server;
let service: http.Server;

const getAddress = (server: http.Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(async () => {
  [recorded, stored, status, mayRespond, sender, mode] = [[], [], 200, Promise.resolve(), ann, 'operate'];
  losesResponses = false;
  [mayRead, readCount, closedCount, padding] = [Promise.resolve(), 0, 0, ''];
  manager = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      if (request.url === '/event' && status === 200) {
        receivedText = Buffer.concat(chunks).toString('utf8');
        const event = JSON.parse(receivedText) as (typeof stored)[number];
        const { _id: added } = event;
        if (added === undefined || !stored.some(({ _id: id }) => id === added)) stored.push(event);
        await mayRespond;
      }
      if (losesResponses) return void request.socket.destroy();
      const storedEvent = request.method === 'GET' && stored.find(({ _id: id }) => request.url === `/event/${id}`);
      if (storedEvent) {
        readCount += 1;
        await mayRead;
      }
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(storedEvent || { success: true, padding }));
    });
  });
  await new Promise<void>((resolve) => manager.listen(0, '127.0.0.1', resolve));
  const record = (fields: CommandFields, title: string, from: CommandSender): string =>
    `event-${recorded.push({ fields, title, sender: from })}`;
  commands = new RelayedCommands(record);
  const app = express();
  app.set('trust proxy', true);
  app.use(
    testRelay({
      address: getAddress(manager),
      mode: () => mode,
      identifyCaller: () => sender.caller,
      identifySender: () => sender,
      commands,
      limits: { memoryBytes: maxMemory, commandBytes: 0, operatorBytes: 0 },
    }),
  );
  service = app.listen(0, '127.0.0.1');
  service.on('request', (_request, response: http.ServerResponse) => response.once('close', () => (closedCount += 1)));
  await new Promise<void>((resolve) => service.once('listening', resolve));
});
afterEach(() => {
  void commands.stop();
  for (const server of [service, manager]) {
    server.closeAllConnections();
    server.close();
  }
});

async function post(path: string, body?: unknown, signal: AbortSignal | null = null): Promise<number> {
  return postBytes(path, body === undefined ? null : JSON.stringify(body), signal);
}

async function postBytes(
  path: string,
  body: string | Buffer | null,
  signal: AbortSignal | null = null,
): Promise<number> {
  const headers = { 'x-forwarded-for': '10.0.0.9', 'content-type': 'application/json' };
  const response = await fetch(`${getAddress(service)}/managers/${path}`, {
    method: 'POST',
    headers,
    body,
    signal,
  });
  await response.arrayBuffer();
  return response.status;
}

/** The record of a page whose user claims to be `user`. */
function pageRecord(user?: string, id = '01KF0000000000000000000000') {
  const record = createRecord(
    {
      command: 'pause',
      target: { kind: 'node', id: null, name: 'arm' },
      result: 'done',
      reason: '',
      sent_at: '2026-01-15T12:00:00.000Z',
      duration_ms: 5,
      application: 'dashboard',
      machine: '10.0.0.9',
      ...(user !== undefined && { user }),
    },
    'Pause arm',
  );
  return createCommandEvent({ id, record }, null);
}

describe('a relayed command', () => {
  it('is recorded with its user, address and result when a program sends it', async () => {
    await post('workcell/admin/pause/arm');
    status = 500;
    await post('workcell/admin/reset/arm');
    expect(recorded).toEqual([]);
    void commands.stop();
    expect(recorded.map(({ fields, sender: from }) => [fields.command, fields.result, fields.reason, from])).toEqual([
      ['pause', 'done', 'POST workcell/admin/pause/arm: HTTP 200', { user: 'ann', machine: '10.0.0.9' }],
      ['reset', 'failed', 'POST workcell/admin/reset/arm: HTTP 500', { user: 'ann', machine: '10.0.0.9' }],
    ]);
    expect(recorded[0]?.fields.target).toEqual({ kind: 'node', id: null, name: 'arm' });
  });

  it('is recorded as failed when no connection was accepted, and as unclear when it may have been executed', async () => {
    losesResponses = true;
    await post('workcell/admin/reset/arm');
    manager.closeAllConnections();
    await new Promise((resolve) => manager.close(resolve));
    await post('workcell/admin/pause/arm');
    void commands.stop();
    expect(recorded.map(({ fields }) => [fields.result, fields.reason])).toEqual([
      ['unclear', 'POST workcell/admin/reset/arm: HTTP 502'],
      ['failed', 'POST workcell/admin/pause/arm: HTTP 502, not sent'],
    ]);
  });

  it('shares one record with the commands of the same kind in a batch', async () => {
    for (let node = 0; node < 60; node += 1) await post(`workcell/admin/lock/arm_${node}`);
    void commands.stop();
    expect(recorded).toHaveLength(1);
    expect(recorded[0]?.fields).toMatchObject({ command: 'lock', reason: '60 requests', result: 'done' });
    expect(recorded[0]?.fields.relayed).toHaveLength(51);
    expect(recorded[0]?.fields.relayed?.at(-1)).toBe('and 10 more');
  });

  it('is recorded even while its program keeps sending commands', () => {
    const request = { ip: '10.0.0.9', headers: {}, socket: { remoteAddress: '10.0.0.9' } } as never;
    const result = findRoute('POST', '/managers/workcell/admin/lock/arm');
    if (!result.ok) throw new Error(result.refusal.detail);
    const successfulCommand = { route: result.route, method: 'POST', status: 200, wasSent: true };
    for (let minute = 0; minute <= 20; minute += 1)
      commands.add(request, ann, { ...successfulCommand, sentAt: minute * 60_000, endedAt: minute * 60_000 + 1 });
    expect(recorded.map(({ fields }) => fields.reason)).toEqual(['11 requests']);
    for (let count = 0; count < 2000; count += 1)
      commands.add(request, ann, { ...successfulCommand, sentAt: 1, endedAt: 2 });
    expect(recorded).toHaveLength(2);
  });

  it('is added to the record of its page, which keeps the digits of its numbers', async () => {
    expect(await post('workcell/admin/pause/arm')).toBe(200);
    const record = JSON.stringify(pageRecord('ann')).replace(
      '"event_data":{',
      `"event_data":{"numbers":${hostileJson},`,
    );
    expect(await postBytes('event/event', record)).toBe(200);
    expect(receivedText).toContain(`"numbers":${hostileJson}`);
    expect(receivedText).toContain('"relayed":[');
  });

  it('is recorded once, in the record of the page that sent it', async () => {
    await post('workcell/admin/pause/arm');
    expect(await post('event/event', pageRecord('ann'))).toBe(200);
    void commands.stop();
    expect(recorded).toEqual([]);
    expect(
      stored.map(({ event_data: data }) => [data['user'], data['machine'], data['relayed'], data['message']]),
    ).toEqual([
      ['ann', '10.0.0.9', ['POST workcell/admin/pause/arm: HTTP 200'], 'Pause arm (ann on 10.0.0.9, dashboard): done'],
    ]);
  });

  it('stays visible when a record claims another command or another user', async () => {
    await post('workcell/admin/shutdown/arm');
    await post('event/event', pageRecord('bob'));
    expect(stored[0]?.event_data).toMatchObject({
      user: 'ann',
      message: expect.stringMatching(/; sent by ann$/),
      relayed: ['POST workcell/admin/shutdown/arm: HTTP 200'],
    });
  });

  it.each([
    ['names the lab manager in another field', { logger: 'lab_manager', message: 'Released (adm, dashboard): done' }],
    [
      'has the message of another user',
      { ...Object(pageRecord('ann').event_data), message: 'Released (adm, dashboard): done' },
    ],
    ...['annie on adm-pc, dashboard', 'ann), by adm (on adm-pc', 'ann of adm on adm-pc'].map(
      (name): [string, object] => [
        `names another sender: ${name}`,
        { ...Object(pageRecord('ann').event_data), message: `Released (${name}): done` },
      ],
    ),
    ['has a message that is no text', { ...Object(pageRecord('ann').event_data), message: { toString: 'x' } }],
  ])('gets its sender when it %s', async (_name, data) => {
    await post('event/event', { ...pageRecord('ann'), event_data: data });
    expect(stored[0]?.event_data).toMatchObject({
      component_name: 'lab_manager',
      user: 'ann',
      message: expect.stringMatching(/^(?:Released .*: done)?; sent by ann$/),
    });
  });

  it('stays visible when another user at the same address records it, or when its record is not stored', async () => {
    await post('workcell/admin/pause/arm');
    sender = { caller: { name: 'bob', role: 'operator', via: 'session' }, expiredCaller: null };
    await post('event/event', pageRecord('bob'));
    sender = ann;
    status = 500;
    await post('event/event', pageRecord('ann'));
    void commands.stop();
    expect(recorded.map(({ fields, sender: from }) => [fields.command, from.user])).toEqual([['pause', 'ann']]);
  });

  it.each([
    ['of a program', false],
    ['that claims to name it', true],
  ])('stays visible when a record has the ID of an event %s', async (_kind, isClaimed) => {
    const record = pageRecord('ann');
    await post('workcell/admin/shutdown/arm');
    await post('event/event', pageRecord('ann', '01KF0000000000000000000001'));
    const claims = isClaimed ? { ...Object(record.event_data), relayed: stored[0]?.event_data['relayed'] } : {};
    await post('event/event', { ...record, event_data: { message: 'an event', ...claims } });
    await post('workcell/admin/shutdown/arm');
    expect(await post('event/event', record)).toBe(200);
    void commands.stop();
    expect(stored).toHaveLength(2);
    expect(stored[1]?.event_data['relayed']).toBeUndefined();
    expect(recorded.map(({ fields, sender: from }) => [fields.command, from.user])).toEqual([['shutdown', 'ann']]);
  });

  it('stays visible when its page sends a record with the ID of an earlier one', async () => {
    for (let count = 0; count < 2; count += 1) {
      await post('workcell/admin/shutdown/arm');
      expect(await post('event/event', pageRecord('ann'))).toBe(200);
    }
    void commands.stop();
    expect(stored).toHaveLength(1);
    expect(recorded.map(({ fields }) => fields.reason)).toEqual(['POST workcell/admin/shutdown/arm: HTTP 200']);
  });

  it('is recorded once when its page’s record was stored but the response was lost', async () => {
    await post('workcell/admin/pause/arm');
    losesResponses = true;
    expect(await post('event/event', pageRecord('ann'))).toBe(502);
    losesResponses = false;
    expect(await post('event/event', pageRecord('ann'))).toBe(200);
    void commands.stop();
    expect([recorded, stored.length]).toEqual([[], 1]);
  });

  it('stays visible while a page’s record is being stored', async () => {
    await post('workcell/admin/pause/arm');
    let release = (): void => undefined;
    mayRespond = new Promise((resolve) => (release = resolve));
    const storing = post('event/event', pageRecord('ann'));
    await expect.poll(() => stored).toHaveLength(1);
    await post('workcell/admin/shutdown/arm');
    release();
    expect(await storing).toBe(200);
    void commands.stop();
    expect(recorded.map(({ fields }) => fields.command)).toEqual(['shutdown']);
  });

  it('uses no memory for a response whose client has disconnected before it is sent', async () => {
    await post('workcell/admin/pause/arm');
    let release = (): void => undefined;
    mayRead = new Promise((resolve) => (release = resolve));
    padding = 'x'.repeat(maxMemory * 0.75);
    const controller = new AbortController();
    const storing = post('event/event', pageRecord('ann'), controller.signal);
    await expect.poll(() => readCount).toBe(1);
    controller.abort();
    await expect(storing).rejects.toThrow();
    await expect.poll(() => closedCount).toBe(2);
    release();
    await expect.poll(() => post('event/event', pageRecord('ann', '01KF0000000000000000000001'))).toBe(200);
  });

  it('stays visible among many commands of another kind', async () => {
    for (let count = 0; count < 51; count += 1) await post('workcell/admin/lock/arm');
    await post('workcell/admin/shutdown/arm');
    await post('event/event', pageRecord('ann'));
    expect(stored[0]?.event_data['relayed']).toEqual([
      ...Array.from({ length: 50 }, () => 'POST workcell/admin/lock/arm: HTTP 200'),
      'POST workcell/admin/shutdown/arm: HTTP 200',
      'and 1 more',
    ]);
  });

  it('is recorded at once after the service stops', async () => {
    void commands.stop();
    await post('workcell/admin/pause/arm');
    await expect.poll(() => recorded.map(({ fields }) => fields.command)).toEqual(['pause']);
  });

  it.each([
    ['with a byte order mark', 200, (text: string) => Buffer.from(`\ufeff${text}`)],
    ['in UTF-16', 400, (text: string) => Buffer.from(text, 'utf16le')],
    ['with a value that JSON does not have', 400, (text: string) => Buffer.from(text.replace('{', '{"x": NaN, '))],
  ])('has no record that claims another user when the record is sent %s', async (_how, expectedStatus, encode) => {
    expect(await postBytes('event/event', encode(JSON.stringify(pageRecord('bob'))))).toBe(expectedStatus);
    expect(stored.map(({ event_data: data }) => data['user'])).toEqual(expectedStatus === 200 ? ['ann'] : []);
  });

  it('is not recorded when it stores an event of a program', async () => {
    const event = { event_type: 'log_info', event_data: { message: 'a program logs' } };
    await post('event/event', event);
    void commands.stop();
    expect([recorded, stored]).toEqual([[], [event]]);
  });
});
