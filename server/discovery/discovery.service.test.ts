/** Tests how labs are announced and found by mDNS on the loopback interface, with real sockets and real messages. */
import Bonjour from 'bonjour-service';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useManualClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import { silentLog, type Log } from '../logging/log.ts';
import { Announcer, type Announcement } from './announcer.ts';
import { LabSearch } from './labSearch.ts';
import { MdnsSocket, type Network } from './mdnsSocket.ts';
import { serviceType } from './mdnsNetworks.ts';

const loopback: Network = { address: '127.0.0.1', cidr: '127.0.0.1/8' };
/** The part of `Bonjour` that sends and receives messages. */
interface Mdns {
  on(event: 'query', listener: (message: { questions: readonly { name: string }[] }) => void): void;
  respond(records: readonly object[]): void;
}
/** Each test has its own lab, because other tests of this machine may run at the same time. */
const uniqueLabName = (port: number) => `Lab ${process.pid} ${port}`;
const running: { stop(): Promise<void> }[] = [];
let time: ManualClock;
/** `expect(value()).toEqual(expected)` once it passes; the library's own timers and the messages take real time. */
const waitUntilEqual = (value: () => unknown, expected: unknown) =>
  time.waitFor(() => expect(value()).toEqual(expected), { stepMs: 20 });

beforeEach(() => {
  time = useManualClock();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});

function collectingLog(lines: string[]): Log {
  const log: Log = {
    ...silentLog,
    info: (line) => lines.push(line),
    warn: (line) => lines.push(line),
    scope: () => log,
  };
  return log;
}

function createAnnouncement(changes: Partial<Announcement> & Pick<Announcement, 'port'>): Announcement {
  return { labName: uniqueLabName(changes.port), id: null, version: '1.2.3', host: null, https: false, ...changes };
}

function announce(announcement: () => Announcement | null, log = silentLog): Announcer {
  const announcer = new Announcer(announcement, log, () => [loopback]);
  running.push(announcer);
  announcer.start();
  return announcer;
}

function search(networks: () => readonly Network[] = () => [loopback], log = silentLog): LabSearch {
  const labSearch = new LabSearch(log, () => [...networks()]);
  running.push(labSearch);
  labSearch.start();
  return labSearch;
}

const findLabs = (labs: LabSearch, name: string) => labs.labs.filter((lab) => lab.name.startsWith(name));

it('a lab is found with its address, under a new name after it was renamed, and no longer after a clean stop', async () => {
  let announcement: Announcement | null = createAnnouncement({ port: 41_001 });
  const announcer = announce(() => announcement);
  const labs = search();
  const url = 'http://127.0.0.1:41001/';
  await waitUntilEqual(() => findLabs(labs, uniqueLabName(41_001)), [expect.objectContaining({ url })]);
  announcement = { ...announcement, labName: `${uniqueLabName(41_001)} renamed` };
  await waitUntilEqual(
    () => findLabs(labs, uniqueLabName(41_001)).map(({ name }) => name),
    [`${uniqueLabName(41_001)} renamed`],
  );
  await announcer.stop();
  // Without a goodbye message it would stay for the time of three queries; no time passes here.
  await expect.poll(() => findLabs(labs, uniqueLabName(41_001))).toEqual([]);
});

it('a lab is no longer announced when the setting is switched off', async () => {
  let announcement: Announcement | null = createAnnouncement({ port: 41_002 });
  announce(() => announcement);
  const labs = search();
  await waitUntilEqual(() => findLabs(labs, uniqueLabName(41_002)).length, 1);
  announcement = null;
  await waitUntilEqual(() => findLabs(labs, uniqueLabName(41_002)), []);
});

it('labs with the same name get different names, also if they start at the same time', async () => {
  const name = uniqueLabName(41_003);
  for (const port of [41_003, 41_004]) announce(() => createAnnouncement({ port, labName: name }));
  const labs = search();
  const names = () => findLabs(labs, name).map(({ name: labName, url }) => [labName, new URL(url).port] as const);
  await waitUntilEqual(() => names().map(([labName]) => labName), [name, `${name} (2)`]);
  expect(
    names()
      .map(([, port]) => port)
      .toSorted(),
  ).toEqual(['41003', '41004']);
});

it('another name is announced if a host answers every query for the first name without announcing it', async () => {
  const name = uniqueLabName(41_008);
  const options: object = { socket: await MdnsSocket.open(loopback, silentLog), bind: false };
  const bonjour = new Bonjour(options);
  const { mdns } = (bonjour as unknown as { server: { mdns: Mdns } }).server;
  const fqdn = `${name}._madsci-lab._tcp.local`;
  mdns.on('query', ({ questions }) => {
    if (!questions.some((question) => question.name === fqdn)) return;
    mdns.respond([{ name: fqdn, type: 'SRV', ttl: 120, data: { target: 'a.local', port: 1 } }]);
  });
  const lines: string[] = [];
  announce(() => createAnnouncement({ port: 41_008 }), collectingLog(lines));
  const labs = search();
  const url = 'http://127.0.0.1:41008/';
  await waitUntilEqual(() => findLabs(labs, name), [expect.objectContaining({ name: `${name} (2)`, url })]);
  expect(lines.filter((line) => line.includes('another name is chosen'))).toHaveLength(1);
  await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
});

it('a network that is joined later is searched too, and one that is left is no longer searched', async () => {
  announce(() => createAnnouncement({ port: 41_005 }));
  const networks: Network[] = [];
  const labs = search(() => networks);
  expect(findLabs(labs, uniqueLabName(41_005))).toEqual([]);
  networks.push(loopback);
  await waitUntilEqual(() => findLabs(labs, uniqueLabName(41_005)).length, 1);
  networks.pop();
  await waitUntilEqual(() => findLabs(labs, uniqueLabName(41_005)), []);
});

it('a network on which mDNS is impossible is logged once, and the others are used', async () => {
  const lines: string[] = [];
  const missing: Network = { address: '203.0.113.77', cidr: '203.0.113.77/24' };
  announce(() => createAnnouncement({ port: 41_006 }));
  const labs = search(() => [missing, loopback], collectingLog(lines));
  await waitUntilEqual(() => findLabs(labs, uniqueLabName(41_006)).length, 1);
  expect(lines.filter((line) => line.includes("mDNS can't be used on the network 203.0.113.77/24"))).toHaveLength(1);
});

it('hostile and damaged messages add no unusable lab and stop neither search nor announcement', async () => {
  announce(() => createAnnouncement({ port: 41_007 }));
  const labs = search();
  await waitUntilEqual(() => findLabs(labs, uniqueLabName(41_007)).length, 1);
  const socket = await MdnsSocket.open(loopback, silentLog);
  const received: Buffer[] = [];
  socket.on('message', (message: Buffer) => received.push(message));
  const send = (message: Buffer) =>
    new Promise<void>((resolve) => socket.send(message, 5353, '224.0.0.251', () => resolve()));
  const options: object = { socket, bind: false };
  const bonjour = new Bonjour(options);
  const name = (text: string) => `Hostile ${process.pid} ${text}`;
  const publish = (text: string, address: string, port: number) => {
    const service = bonjour.publish({ name: name(text), type: serviceType, port: 1, host: 'x.local' });
    const records = service.records.bind(service);
    service.records = () => [
      ...records()
        .filter(({ type }) => !type.startsWith('A'))
        .map((record) => (record.type === 'SRV' ? { ...record, data: { ...record.data, port } } : record))
        .map((record) => (record.type === 'TXT' ? { ...record, data: ['path=/../x', '__proto__=x', '='] } : record)),
      { name: 'x.local', type: 'A', ttl: 120, data: address },
    ];
  };
  publish('elsewhere', '198.51.100.1', 80);
  publish('without port', '127.0.0.1', 0);
  publish('usable', '127.0.0.1', 80);
  const hostileUrls = () => findLabs(labs, name('')).map(({ url }) => url);
  await waitUntilEqual(hostileUrls, ['http://127.0.0.1/']);
  await send(Buffer.from('no message'));
  for (const whole of received.slice(-10))
    for (let length = 0; length < whole.length; length += 7)
      await send(Buffer.concat([whole.subarray(0, length), Buffer.alloc(9, 0xff)]));
  const seen = received.length;
  await send(Buffer.from('the last message'));
  await expect.poll(() => received.length).toBeGreaterThan(seen);
  expect(hostileUrls()).toEqual(['http://127.0.0.1/']);
  expect(findLabs(labs, uniqueLabName(41_007))).toHaveLength(1);
  await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
});
