/** The records of safety stops whose senders cannot record them, with a relay and a workcell manager on real sockets. */
import express from 'express';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, describe, it } from 'vitest';
import { createRecord, type CommandFields } from '../../api/commandRecord.ts';
import type { Sender } from '../access/sender.ts';
import type { CommandSender } from '../commandLog/commandLog.ts';
import { testRelay } from '../fixtures/testRelay.ts';
import { RelayedStops } from './relayedStops.ts';

const anonymous: Sender = { caller: null, expiredCaller: null };
const ann: Sender = { caller: null, expiredCaller: { name: 'ann', role: 'operator', via: 'session' } };

let recorded: { readonly fields: CommandFields; readonly sender: CommandSender }[];
/** The response of the workcell manager to each command: a status, or a successful response. */
let statuses: Readonly<Record<string, number>>;
let nodes: readonly string[];
let sender: Sender;
let stops: RelayedStops;
let manager: http.Server;
let service: http.Server;

const getAddress = (server: http.Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(async () => {
  [recorded, statuses, nodes, sender] = [[], {}, ['arm', 'reader'], anonymous];
  manager = http.createServer((request, response) => {
    const [, , command = ''] = (request.url ?? '').split('/');
    response.writeHead(statuses[command] ?? 200, { 'content-type': 'application/json' }).end('{"success": true}');
  });
  await new Promise<void>((resolve) => manager.listen(0, '127.0.0.1', resolve));
  const address = getAddress(manager);
  stops = new RelayedStops({
    record: (fields, _what, from) => `event-${recorded.push({ fields, sender: from })}`,
    effectsBefore: () => [],
    workcell: () => address,
  });
  const app = express();
  app.set('trust proxy', true);
  app.use(
    testRelay({
      address,
      identifyCaller: () => sender.caller,
      identifySender: () => sender,
      nodeNames: () => nodes,
      stops,
    }),
  );
  service = app.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => service.once('listening', resolve));
});
afterEach(() => {
  stops.stop();
  for (const server of [service, manager]) {
    server.closeAllConnections();
    server.close();
  }
});

async function send(command: string, node = 'arm', from = '10.0.0.9'): Promise<number> {
  const headers = { 'x-forwarded-for': from };
  const response = await fetch(`${getAddress(service)}/managers/workcell/admin/${command}/${node}`, {
    method: 'POST',
    headers,
  });
  await response.arrayBuffer();
  return response.status;
}

/** The last recorded results; a response is recorded when its connection has closed. */
function results() {
  stops.stop();
  return recorded.at(-1)?.fields.nodes?.map(({ name, result, did }) => [name, result, did]);
}
const stopRecords = () => recorded.filter(({ fields }) => fields.command === 'safety_stop');

describe('the recorded result of a relayed safety stop', () => {
  it.each([
    ['confirmed the stop', {}, ['safety_stop'], 'confirmed', ['safety_stop']],
    [
      'has no safety stop, and was locked and paused',
      { safety_stop: 400 },
      ['safety_stop', 'lock', 'pause'],
      'held',
      ['lock', 'pause'],
    ],
    ['was locked, while it is unknown whether it paused', { pause: 504 }, ['lock', 'pause'], 'sent', ['lock']],
    ['was locked, while its pause failed', { pause: 500 }, ['pause', 'lock'], 'sent', ['lock']],
    [
      'was locked, and can neither pause nor cancel',
      { pause: 400, cancel: 400 },
      ['lock', 'pause', 'cancel'],
      'held',
      ['lock'],
    ],
    [
      'was paused, while its lock was lost',
      { safety_stop: 400, lock: 502 },
      ['safety_stop', 'lock', 'pause'],
      'sent',
      ['pause'],
    ],
    [
      'has no safety stop, and failed otherwise',
      { safety_stop: 400, lock: 500, pause: 500 },
      ['safety_stop', 'lock', 'pause'],
      'failed',
      [],
    ],
    [
      'confirmed the stop after commands that failed',
      { lock: 500 },
      ['lock', 'safety_stop'],
      'confirmed',
      ['safety_stop'],
    ],
    ['may have received the stop', { safety_stop: 502 }, ['safety_stop'], 'sent', []],
  ] as const)('is $3 for a node that %s', async (_what, nodeStatuses, commands, result, did) => {
    statuses = nodeStatuses;
    for (const command of commands) await send(command);
    await expect.poll(results).toEqual([['arm', result, did]]);
  });

  it('improves when a command is repeated', async () => {
    statuses = { pause: 504 };
    for (const command of ['lock', 'pause']) await send(command);
    statuses = {};
    await send('pause');
    await expect.poll(results).toEqual([['arm', 'held', ['lock', 'pause']]]);
  });

  it('is “failed”, with the reason, while the workcell manager refuses connections', async () => {
    await new Promise<void>((resolve) => {
      manager.close(() => resolve());
      manager.closeAllConnections();
    });
    expect(await send('safety_stop')).toBe(502);
    await expect.poll(results).toEqual([['arm', 'failed', []]]);
    expect(recorded.at(-1)?.fields.nodes?.[0]?.reason).toBe('the workcell manager is unreachable');
  });
});

describe('the record of a safety stop by clients without a role', () => {
  it('contains only known nodes, and does not exist while no node is known', async () => {
    expect(await send('safety_stop', 'ghost')).toBe(404);
    stops.stop();
    expect(recorded).toEqual([]);
    nodes = [];
    expect(await send('safety_stop', 'ghost')).toBe(200);
    stops.stop();
    expect(recorded).toEqual([]);
    // The sender of this one is known.
    sender = ann;
    await send('safety_stop', 'arm');
    await expect.poll(results).toEqual([['arm', 'confirmed', ['safety_stop']]]);
  });

  it('combines all addresses that one host may use', async () => {
    for (const from of ['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1:ffff::3']) await send('lock', 'arm', from);
    await send('lock', 'arm', '2001:db8:0:2::1');
    stops.stop();
    expect(stopRecords().map(({ sender: { machine } }) => machine)).toEqual(['2001:db8:0:1::1', '2001:db8:0:2::1']);
  });

  it('combines all machines beyond 32, loses no node and occupies no record of an operator', async () => {
    for (let machine = 1; machine <= 40; machine += 1) await send('lock', 'arm', `10.0.1.${machine}`);
    await send('lock', 'reader', '10.0.1.41');
    sender = ann;
    await send('safety_stop', 'reader', '10.0.0.9');
    stops.stop();
    const senders = stopRecords().map(({ sender: by }) => by);
    expect(senders).toHaveLength(34);
    expect(senders.slice(-2)).toEqual([
      { user: null, machine: 'several machines' },
      { user: 'ann', machine: '10.0.0.9' },
    ]);
    const merged = recorded.findLast(({ sender: by }) => by.machine === 'several machines');
    expect(merged?.fields.nodes?.map(({ name, did }) => [name, did])).toEqual([
      ['arm', ['lock']],
      ['reader', ['lock']],
    ]);
  });
});

it('the record of a safety stop has a limited size for any names of its nodes', () => {
  const long = 'x'.repeat(15_000);
  const node = { name: long, workcell: long, result: 'sent' as const, reason: long, did: [], before: [] };
  const record = createRecord(
    {
      command: 'safety_stop',
      target: { kind: 'lab', id: null, name: 'all nodes' },
      result: 'sent',
      reason: '',
      sent_at: '2026-01-15T12:00:00.000Z',
      duration_ms: 5,
      application: 'relay',
      machine: '10.0.0.9',
      nodes: Array.from({ length: 1000 }, () => node),
    },
    'Safety stop',
  );
  expect(record.nodes).toHaveLength(500);
  for (const { name, workcell, reason } of record.nodes ?? [])
    expect([name.length, workcell.length, reason.length]).toEqual([300, 300, 300]);
});
