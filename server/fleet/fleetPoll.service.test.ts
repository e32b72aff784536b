/** Tests the fleet with real HTTP servers. Only the time is simulated. */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useManualClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import { compareUrgency, fleetLabs, type FleetLab, type LabSummary } from '../../api/lab/fleet.ts';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { silentLog } from '../logging/log.ts';
import { Fleet } from './fleet.ts';

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const findExample = (path: string): unknown => labEndpoints.find((endpoint) => endpoint.path === path)?.example;
const summary = (changes: Partial<LabSummary> = {}): LabSummary => ({
  ...(findExample('/summary') as LabSummary),
  now: new Date(time.now()).toISOString(),
  ...changes,
});

let servers: http.Server[] = [];
let fleet: Fleet;
let time: ManualClock;

beforeEach(() => {
  time = useManualClock(Date.now());
  fleet = new Fleet(silentLog);
});
afterEach(() => {
  fleet.stop();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a lab manager that responds with `handler`. @returns its base address */
async function listen(handler: Handler): Promise<string> {
  const server = http.createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const json =
  (bodies: Readonly<Record<string, () => unknown>>): Handler =>
  ({ url = '' }, response) => {
    const body = bodies[url];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body === undefined ? { detail: 'Not Found' } : body()));
  };
const serveSummary = (changes: Partial<LabSummary> = {}): Handler => json({ '/summary': () => summary(changes) });

/** The time of the last snapshot; each further one is taken after the time for which the fleet keeps it. */
let snapshotAt = Date.now();
const rows = (): FleetLab[] => fleetLabs.parse(JSON.parse(fleet.snapshot((snapshotAt += 60_000)).text)).labs;
const untilAllRead = () => time.waitFor(() => expect(rows().every(isRead)).toBe(true));
/** Reads the lab at `url`, the only one of the fleet, until its row `isExpected`. */
async function waitForRow(url: string, isExpected: (row: FleetLab) => boolean): Promise<FleetLab> {
  fleet.configure([url]);
  return time.waitFor(() => {
    const row = rows()[0];
    if (row === undefined || !isExpected(row)) throw new Error(`Not yet: ${JSON.stringify(row)}`);
    return row;
  });
}
const isRead = ({ answered }: FleetLab): boolean => answered !== null;
const isLost = ({ state }: FleetLab): boolean => state === 'unreachable';

describe('a lab of the fleet', () => {
  it('is reported with its complete summary when it runs a lab manager of this project', async () => {
    const { service: _service, now: _now, lab_name: _name, state: _state, since: _since, ...ownFields } = summary();
    delete ownFields.in_need;
    const { needs, ...listedFields } = ownFields;
    const row = await waitForRow(await listen(serveSummary()), isRead);
    const { safety_stop: stop, ...rest } = listedFields;
    expect(row).toMatchObject({ name: 'Example Lab', state: 'degraded', version: '0.1.0', ...rest });
    expect(row.safety_stop).toMatchObject({ machine: stop?.machine, in_force: false });
    expect(row.reason).toBe(`${needs?.first} (and 1 more)`);
  });

  it('has the name of the settings, otherwise the reported one, otherwise its host and path', async () => {
    const url = await listen(serveSummary());
    const unnamed = await listen(serveSummary({ lab_name: null }));
    const belowPath = await listen(json({ '/bench4/summary': () => summary({ lab_name: null }) }));
    fleet.configure([`Cell culture=${url}`, unnamed, `${belowPath}bench4/`]);
    await untilAllRead();
    const hosts = [unnamed, belowPath].map((address) => new URL(address).host);
    expect(rows().map(({ name }) => name)).toEqual(['Cell culture', hosts[0], `${hosts[1]}/bench4`]);
  });

  it('is reported with times of this machine and no future time when its clock is an hour off', async () => {
    for (const offset of [-3_600_000, 3_600_000]) {
      const at = (ms: number) => new Date(time.now() + offset + ms).toISOString();
      const handler = json({
        '/summary': () =>
          summary({
            now: at(0),
            since: at(-60_000),
            safety_stop: { at: at(300_000), machine: null, in_force: true, unconfirmed: 0 },
            incidents: { open: 1, last: { name: 'arm', reason: null, from: at(-120_000), to: null } },
          }),
      });
      const row = await waitForRow(await listen(handler), isRead);
      const age = (iso: string | null | undefined) => time.now() - Date.parse(iso ?? '');
      expect(age(row.incidents?.last?.from)).toBeGreaterThanOrEqual(119_000);
      expect(age(row.incidents?.last?.from)).toBeLessThan(180_000);
      expect(age(row.answered)).toBeLessThan(60_000);
      expect(age(row.safety_stop?.at)).toBeGreaterThanOrEqual(0);
      expect(age(row.safety_stop?.at)).toBeLessThan(60_000);
    }
  });

  it('keeps its times when a response takes longer than the previous one', async () => {
    const since = '2026-11-23T14:00:00.000Z';
    const response = json({ '/summary': () => summary({ now: new Date(time.now() - delayMs).toISOString(), since }) });
    let delayMs = 0;
    const url = await listen(response);
    const first = await waitForRow(url, isRead);
    delayMs = 800;
    const second = await waitForRow(url, ({ answered }) => answered !== first.answered);
    expect([first.since, second.since]).toEqual([since, since]);
  });

  it('a lab is down when MADSci’s lab manager reports no manager', async () => {
    const url = await listen(json({ '/lab_health': () => ({ managers: {} }) }));
    expect(await waitForRow(url, isRead)).toMatchObject({ state: 'down', managers: { healthy: 0, total: 0 } });
  });

  it('is reported with the health of its managers when it runs MADSci’s lab manager, and its summary is rarely requested', async () => {
    const requests: string[] = [];
    const respond = json({ '/lab_health': () => findExample('/lab_health') });
    const url = await listen((request, response) => {
      requests.push(request.url ?? '');
      respond(request, response);
    });
    const row = await waitForRow(url, isRead);
    expect(row).toMatchObject({ state: 'down', managers: { healthy: 1, total: 2 }, version: null, workflows: null });
    expect(row).toMatchObject({ safety_stop: null, stops_read: false });
    const count = (path: string) => requests.filter((requested) => requested === path).length;
    await time.waitFor(() => expect(count('/summary')).toBe(2), { stepMs: 500 });
    expect(count('/lab_health')).toBeGreaterThanOrEqual(11);
  });

  it('is reported without control characters and with shortened names and reasons', async () => {
    const evil = `\u001b[31mred\u202e\n${'x'.repeat(5000)}`;
    const row = await waitForRow(
      await listen(
        json({
          '/summary': () =>
            summary({
              lab_name: evil,
              service: { name: 'lab-manager', version: evil },
              incidents: {
                open: 1,
                last: { name: evil, reason: evil, from: new Date(time.now()).toISOString(), to: null },
              },
              safety_stop: { at: null, machine: evil, in_force: false, unconfirmed: 0 },
            }),
        }),
      ),
      isRead,
    );
    const { name, version, incidents, safety_stop: stop } = row;
    for (const text of [name, version, incidents?.last?.name, incidents?.last?.reason, stop?.machine]) {
      expect(text).toMatch(/^red x+…$/);
      expect(text?.length).toBe(200);
    }
  });

  it('is reported with the known parts of a summary of another version', async () => {
    const body = () => ({ ...summary(), state: 'calibrating', workflows: [], nodes: { flying: 3 }, stops_read: 5 });
    const row = await waitForRow(await listen(json({ '/summary': body })), isRead);
    expect(row).toMatchObject({ state: 'unknown', workflows: null, nodes: null, stops_read: false });
    expect(row).toMatchObject({ managers: { healthy: 5, total: 6 }, version: '0.1.0' });
  });
});

describe('an address without a lab manager', () => {
  const dashboard: Handler = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>x</title>');
  const endless: Handler = (_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    let sent = 0;
    const write = (): void => {
      while (sent < 100 && !response.destroyed) {
        sent += 1;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  };
  it.each<[string, Handler, RegExp]>([
    ['that serves pages', dashboard, /something that is not a JSON object/],
    ['that sends 100 MB', endless, /more than 0.25 MiB/],
    [
      'that sends other JSON',
      json({ '/summary': () => ({}), '/lab_health': () => ({ managers: 5 }) }),
      /neither a summary/,
    ],
    [
      'that sends a list',
      json({ '/summary': () => [], '/lab_health': () => [] }),
      /something that is not a JSON object/,
    ],
    ['that fails', (_request, response) => response.writeHead(500).end(), /^HTTP 500$/],
    ['that closes the connection', (request) => request.socket.destroy(), /connection was closed/],
    ['that does not respond', () => undefined, /timed out after 5 s/],
  ])('%s is unreachable, with the reason', async (_kind, handler, reason) => {
    const row = await waitForRow(await listen(handler), isLost);
    expect(row).toMatchObject({ answered: null, version: null, managers: null, reason: expect.stringMatching(reason) });
  });

  it('is unreachable with a redirect, which is not followed', async () => {
    let followed = 0;
    const target = await listen((_request, response) => {
      followed += 1;
      response.end(JSON.stringify(summary()));
    });
    const url = await listen((_request, response) => response.writeHead(302, { location: `${target}summary` }).end());
    expect((await waitForRow(url, isLost)).reason).toContain('redirects are not followed');
    expect(followed).toBe(0);
  });
});

describe('a lab manager that stops responding', () => {
  it('is unreachable after two failures, keeps its last safety stop, is read less often, and returns', async () => {
    let isUp = true;
    let requests = 0;
    const stop = { at: new Date(time.now()).toISOString(), machine: 'lab-pc', in_force: true, unconfirmed: 1 };
    const respond = serveSummary({ safety_stop: stop });
    const url = await listen((request, response) => {
      requests += 1;
      if (isUp) respond(request, response);
      else request.socket.destroy();
    });
    expect(await waitForRow(url, isRead)).toMatchObject({ state: 'stopped' });
    isUp = false;
    const before = requests;
    await time.waitFor(() => expect(requests).toBe(before + 1));
    expect(rows()[0]).toMatchObject({ state: 'stopped', workflows: { running: 2 } });
    const lost = await time.waitFor(() => {
      const row = rows()[0];
      expect(row?.state).toBe('unreachable');
      return row;
    });
    expect(lost).toMatchObject({ workflows: null, managers: null, safety_stop: { in_force: true } });
    // It is still ranked like a stopped lab.
    const otherLab = { ...(lost as FleetLab), name: 'a', safety_stop: null };
    expect([otherLab, lost as FleetLab].toSorted(compareUrgency)[0]).toBe(lost);
    // Its intervals are now 30 s, then 60 s.
    const failed = requests;
    await time.advanceInSteps(20_000, 1000);
    expect(requests).toBe(failed);
    isUp = true;
    await time.waitFor(() => expect(rows()[0]?.state).toBe('stopped'));
  });
});

describe('a thousand labs', () => {
  it('are read evenly within the interval with few connections at a time, and hanging ones delay no other', async () => {
    const [labs, hanging] = [1000, 200];
    const isHanging = (lab: number): boolean => lab % (labs / hanging) === 0;
    const readLabs = new Set<string>();
    const sockets = new Set<Socket>();
    let maxSockets = 0;
    let server: http.Server | undefined;
    const url = await listen((request, response) => {
      const [, lab = ''] = (request.url ?? '').split('/');
      if (isHanging(Number(lab))) return;
      readLabs.add(lab);
      response.end(JSON.stringify(summary({ lab_name: `Lab ${lab}` })));
    });
    server = servers.at(-1);
    server?.on('connection', (socket: Socket) => {
      sockets.add(socket);
      maxSockets = Math.max(maxSockets, sockets.size);
      socket.once('close', () => sockets.delete(socket));
    });
    fleet.configure(Array.from({ length: labs }, (_none, index) => `${url}${index}/`));
    const stepMs = 100;
    for (let elapsed = stepMs; elapsed <= 15_000; elapsed += stepMs) {
      time.advance(stepMs);
      // The simulated clock waits for the real requests that are due by now, so that a slow machine causes no timeout.
      const due = Array.from({ length: Math.floor((elapsed * labs) / 15_000) }, (_none, lab) => lab);
      const expected = due.filter((lab) => !isHanging(lab)).length;
      while (readLabs.size < expected) await new Promise((resolve) => setImmediate(resolve));
      if (elapsed === 7500) expect(readLabs.size).toBeLessThan(0.6 * (labs - hanging));
    }
    const degraded = () => rows().filter(({ state }) => state === 'degraded');
    await expect.poll(degraded).toHaveLength(labs - hanging);
    expect(maxSockets).toBeLessThanOrEqual(48 + 128);
  });
});

describe('a change of the fleet’s settings', () => {
  it('adds and removes labs without reading the others again', async () => {
    const requests: string[] = [];
    const countRequests = (name: string): Handler => {
      const respond = serveSummary({ lab_name: name });
      return (request, response) => {
        requests.push(name);
        respond(request, response);
      };
    };
    const [firstUrl, secondUrl] = [await listen(countRequests('a')), await listen(countRequests('b'))];
    await waitForRow(firstUrl, isRead);
    fleet.configure([secondUrl, firstUrl]);
    await untilAllRead();
    expect(rows().map(({ name }) => name)).toEqual(['b', 'a']);
    expect(requests).toEqual(['a', 'b']);
    fleet.configure([]);
    expect([fleet.size, rows()]).toEqual([0, []]);
    expect(time.pendingCount).toBe(0);
  });
});

it('Fleet serves one snapshot to all readers for five seconds', async () => {
  fleet.configure([await listen(serveSummary())]);
  const now = time.now();
  const first = fleet.snapshot(now);
  expect(fleet.snapshot(now + 4999)).toBe(first);
  expect(fleet.snapshot(now + 5000).tag).not.toBe(first.tag);
});
