import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { useManualClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import { silentLog } from '../../server/logging/log.ts';
import { countStopped, SafetyStop, type SafetyStopOptions } from './safetyStop.ts';
import { stopCommands } from '../../api/commandRecord.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import type { KnownNodes } from '../../server/lab/knownNodes.ts';
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { createStopView } from './stopView.ts';

/** A fake node that confirms, rejects or delays its commands, and records them. */
class FakeNode {
  readonly sent: string[] = [];
  behavior: 'confirm' | 'reject' | 'delay' = 'confirm';
  readonly #waiting: (() => void)[] = [];
  readonly #server = http.createServer((request, response) => {
    this.sent.push((request.url ?? '').split('/').at(-1) ?? '');
    const respond = (success: boolean): void =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(success ? { success } : { success, errors: [{ message: 'door open' }] }));
    if (this.behavior === 'delay') this.#waiting.push(() => respond(true));
    else respond(this.behavior === 'confirm');
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  replyToPending(): void {
    for (const end of this.#waiting.splice(0)) end();
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

let arm: FakeNode;
let reader: FakeNode;
let stop: SafetyStop;
let clock: ManualClock;
let knownNodes: KnownNodes | null;
let refusal: string | null = null;
let shownLab = 'Bench on lab-pc';
let serviceUrl: string | null = null;
let publishedStop: LabStop | null = null;
let recordedEventManagers: (string | null)[] = [];
let records: Parameters<SafetyStopOptions['record']>[0][] = [];

beforeEach(async () => {
  clock = useManualClock();
  arm = new FakeNode();
  reader = new FakeNode();
  const nodes = [
    { name: 'arm', url: await arm.start(), commands: ['safety_stop', 'reset'] },
    { name: 'reader', url: await reader.start(), commands: ['lock', 'pause', 'unlock', 'resume'] },
  ];
  // No workcell manager is reachable, so the commands go directly to the nodes.
  knownNodes = { workcell: 'http://127.0.0.1:9/', nodes };
  [publishedStop, serviceUrl, refusal, shownLab] = [null, null, null, 'Bench on lab-pc'];
  [recordedEventManagers, records] = [[], []];
  stop = new SafetyStop({
    nodes: () => knownNodes,
    eventManager: () => `http://${shownLab.split(' ')[0]?.toLowerCase()}:8001/`,
    lab: () => shownLab,
    refusalReason: () => refusal,
    labStop: () => publishedStop,
    service: () => (serviceUrl === null ? null : { url: serviceUrl, key: 'key' }),
    log: silentLog,
    onChange: () => undefined,
    record: (fields, _title, eventManager) => {
      recordedEventManagers.push(eventManager);
      return `event-${records.push(fields)}`;
    },
  });
});
afterEach(() => {
  for (const node of [arm, reader]) node.stop();
});

const states = () => stop.report?.stop.nodes.map(({ name, result }) => `${name}: ${result}`) ?? [];
const view = () => createStopView(shownLab, 2, stop.report, clock.now()).report;

/** A service that accepts a stop; `requests` has its paths, and the key of the app. */
async function startService(response: unknown): Promise<string[]> {
  const requests: string[] = [];
  const server = http.createServer((request, reply) => {
    requests.push(`${request.method} ${request.url} ${String(request.headers['x-lab-manager-app'])}`);
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  serviceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return requests;
}

describe('the app’s safety stop by the service', () => {
  const published: LabStop = {
    id: '01JDMSTOP0000000000000000A',
    at: '2026-11-21T09:00:00.000Z',
    machine: 'lab-pc',
    application: 'desktop app',
    nodes: [{ name: 'arm', workcell: '', result: 'confirmed', reason: '', did: ['safety_stop'], before: [] }],
  };
  const state = {
    stop: published,
    in_effect: true,
    acknowledged: false,
    known_nodes: 1,
    releases: [],
    refusals: { stop: null, release: null, acknowledge: null },
  };

  it('sends the nodes nothing itself, and shows the published state', async () => {
    const requests = await startService(state);
    await stop.stop();
    publishedStop = published;
    stop.observe();
    expect(requests).toEqual(['POST /safety_stop key']);
    expect([...arm.sent, ...reader.sent, ...records]).toEqual([]);
    expect(states()).toEqual(['arm: confirmed']);
    await stop.release();
    expect(requests.at(-1)).toBe('POST /safety_stop/release key');
  });

  it('shows the progress of its release, and the result when the service publishes no stop any more', async () => {
    const response = { ...state };
    await startService(response);
    await stop.stop();
    publishedStop = published;
    stop.observe();
    response.stop = { ...published, releasing: true };
    const release = stop.release();
    await vi.waitFor(() => expect(view()).toMatchObject({ progress: texts.releasing, canRelease: false }));
    const released = published.nodes.map((node) => ({ ...node, released_at: '2026-11-21T09:05:00.000Z' }));
    response.stop = { ...published, nodes: released };
    publishedStop = null;
    await clock.settle(release);
    stop.observe();
    expect(view()).toMatchObject({ progress: null, canRelease: false, rows: [{ appearance: { label: 'Released' } }] });
  });

  it('is sent from here when the service does not answer within 300 ms', async () => {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => server.closeAllConnections());
    serviceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const pressed = stop.stop();
    await vi.waitFor(() => expect(clock.pendingCount).toBeGreaterThan(0));
    clock.advance(299);
    expect(arm.sent).toEqual([]);
    clock.advance(1);
    await pressed;
    expect(arm.sent).toEqual(['safety_stop']);
    server.close();
  });
});

describe('the app’s own safety stop', () => {
  it('stops each node by its supported commands and releases exactly these', async () => {
    await stop.stop();
    expect(states()).toEqual(['reader: held', 'arm: confirmed']);
    expect(arm.sent).toEqual(['safety_stop']);
    expect(reader.sent.toSorted()).toEqual(['lock', 'pause']);
    expect(stop.report && countStopped(stop.report.stop)).toEqual({ confirmedCount: 1, otherNodes: ['reader'] });
    expect(stop.report?.releasableCount).toBe(2);
    expect(view()?.effects).toEqual(['arm: reset', 'reader: unlock, resume']);

    await stop.release();
    expect(arm.sent).toEqual(['safety_stop', 'reset']);
    expect(reader.sent.slice(2).toSorted()).toEqual(['resume', 'unlock']);
    expect(stop.report?.releasableCount).toBe(0);
    expect(view()?.rows.map(({ appearance }) => appearance.label)).toEqual(['Released', 'Released']);
  });

  it('is recorded with the result of each node and its release', async () => {
    await stop.stop();
    await stop.release();
    expect(records.map(({ command, result, stop_id: stopId }) => [command, result, stopId])).toEqual([
      [stopCommands.stop, 'sent', undefined],
      [stopCommands.result, 'unclear', 'event-1'],
      [stopCommands.release, 'done', 'event-1'],
    ]);
    expect(records[1]?.nodes).toMatchObject([
      { name: 'reader', result: 'held' },
      { name: 'arm', result: 'confirmed' },
    ]);
  });

  it('does not unlock nodes that were locked before the stop', async () => {
    const [first, second] = knownNodes?.nodes ?? [];
    if (first && second)
      knownNodes = { workcell: 'http://127.0.0.1:9/', nodes: [first, { ...second, held: ['lock'] }] };
    await stop.stop();
    await stop.release();
    expect(reader.sent.slice(2)).toEqual(['resume']);
  });

  it('reopens a closed report and sends nothing', async () => {
    await stop.stop();
    stop.closeReport();
    expect(stop.report).toBeNull();
    expect(stop.hasReport).toBe(true);
    stop.openReport();
    expect(states()).toEqual(['reader: held', 'arm: confirmed']);
    expect(arm.sent).toEqual(['safety_stop']);
  });

  it('sends nothing to an unidentified machine until the user confirms it', async () => {
    refusal = 'the machine is not confirmed';
    await expect(stop.stop()).rejects.toThrow('the machine is not confirmed');
    expect([...arm.sent, ...reader.sent, ...records]).toEqual([]);
    await stop.stop(true);
    expect(arm.sent).toContain('safety_stop');
    expect(stop.report?.lab).toBe('Bench on lab-pc');
  });

  it('can be ended when no node has confirmed anything', async () => {
    knownNodes = { workcell: 'http://127.0.0.1:9/', nodes: [{ name: 'gone', url: null, commands: null }] };
    const pressed = stop.stop();
    await clock.settle(pressed);
    expect(view()).toMatchObject({ canRelease: true, releasableCount: 0 });
    expect(stop.localStop?.unconfirmedNodes).toEqual(['gone']);
    await stop.release();
    expect(view()?.canRelease).toBe(false);
    expect(stop.localStop).toBeNull();
  });

  it('opens an empty report when no nodes are known', async () => {
    knownNodes = null;
    await stop.stop();
    expect(stop.report?.stop.nodes).toEqual([]);
    expect(view()?.summary).toContain('No node is known');
  });

  it('of one lab stays while another lab with nodes of the same names is shown', async () => {
    await stop.stop();
    const otherNode = new FakeNode();
    const url = await otherNode.start();
    onTestFinished(() => otherNode.stop());
    knownNodes = { workcell: 'http://127.0.0.1:10/', nodes: [{ name: 'arm', url, commands: null }] };
    shownLab = 'Other on this machine';
    stop.observe();
    expect(stop.report).toMatchObject({ lab: 'Bench on lab-pc', releasableCount: 2 });
    expect(stop.localStop).toBeNull();
    expect(stop.stopsOfOtherLabs).toEqual([{ lab: 'Bench on lab-pc', unconfirmedNodes: ['reader'] }]);
    await stop.release();
    expect(arm.sent).toEqual(['safety_stop', 'reset']);
    expect(otherNode.sent).toEqual([]);
    expect(new Set(recordedEventManagers)).toEqual(new Set(['http://bench:8001/']));
  });

  it('is no longer shown as its own once the service publishes it', async () => {
    await stop.stop();
    expect(stop.localStop).toEqual({ lab: 'Bench on lab-pc', unconfirmedNodes: ['reader'] });
    publishedStop = stop.report && { ...stop.report.stop, id: 'event-1' };
    stop.observe();
    expect(stop.localStop).toBeNull();
    expect(states()).toEqual(['reader: held', 'arm: confirmed']);
  });
});
