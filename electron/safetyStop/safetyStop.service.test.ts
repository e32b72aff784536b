import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { countStopped, SafetyStop, type SafetyStopOptions } from './safetyStop.ts';
import { stopCommands } from '../../api/commandRecord.ts';
import { labKey } from '../../api/lab/followedLab.ts';
import type { LabStop, StopReading } from '../../api/safetyStop/labStop.ts';
import type { KnownNodes } from '../../server/activity/knownNodes.ts';
import { toStoppedNode } from '../../api/safetyStop/stopReport.ts';
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
let knownNodes: KnownNodes;
let refusal: string | null = null;
let shownLab = 'Bench on lab-pc';
const lab = () => shownLab;
let publishedStop: LabStop | null = null;
let isRead = true;
let readAt = 0;
const publishedReading = (): StopReading => ({
  lab: labKey(knownNodes.workcell, null),
  eventManager: `http://${shownLab.split(' ')[0]?.toLowerCase()}:8001/`,
  isRead,
  stopRecord: publishedStop,
});
let recordedEventManagers: (string | null)[] = [];
let records: Parameters<SafetyStopOptions['record']>[0][] = [];
const record: SafetyStopOptions['record'] = (facts, _what, eventManager) => {
  recordedEventManagers.push(eventManager);
  return `event-${records.push(facts)}`;
};
beforeEach(async () => {
  arm = new FakeNode();
  reader = new FakeNode();
  const nodes = [
    { name: 'arm', url: await arm.start(), commands: ['safety_stop', 'reset'] },
    { name: 'reader', url: await reader.start(), commands: ['lock', 'pause', 'unlock', 'resume'] },
  ];
  // No workcell manager is reachable, so the commands go directly to the nodes.
  knownNodes = { workcell: 'http://127.0.0.1:9/', nodes };
  publishedStop = null;
  isRead = true;
  readAt = 0;
  shownLab = 'Bench on lab-pc';
  recordedEventManagers = [];
  refusal = null;
  records = [];
  stop = new SafetyStop({
    nodes: () => knownNodes,
    nodesReadAt: () => readAt,
    lab,
    refusalReason: () => refusal,
    labStop: () => publishedStop,
    reading: publishedReading,
    log: silentLog,
    onChange: () => undefined,
    record,
  });
});
afterEach(() => {
  stop.cancelRetries();
  for (const node of [arm, reader]) node.stop();
});

const states = () => stop.report?.rows.map(({ name, outcome }) => `${name}: ${outcome.state}`) ?? [];

describe('the shell’s safety stop', () => {
  it('records the stop, the result of each node and the release in the event log', async () => {
    await stop.stop();
    await stop.release();
    expect(records.map(({ command, result, stop_id: stopId }) => [command, result, stopId])).toEqual([
      [stopCommands.stop, 'sent', undefined],
      [stopCommands.result, 'unclear', 'event-1'],
      [stopCommands.release, 'done', 'event-1'],
    ]);
    expect(records[1]?.nodes).toMatchObject([
      { name: 'reader', result: 'held', did: ['lock', 'pause'] },
      { name: 'arm', result: 'confirmed', did: ['safety_stop'] },
    ]);
  });

  it('stops each node by its supported commands and releases exactly these', async () => {
    await stop.stop();
    expect(states()).toEqual(['reader: held', 'arm: confirmed']);
    expect(arm.sent).toEqual(['safety_stop']);
    expect(reader.sent.toSorted()).toEqual(['lock', 'pause']);
    expect(stop.report && countStopped(stop.report)).toEqual({ confirmedCount: 1, otherNodes: ['reader'] });
    expect(stop.report?.releasableCount).toBe(2);

    await stop.release();
    expect(arm.sent).toEqual(['safety_stop', 'reset']);
    expect(reader.sent.slice(2).toSorted()).toEqual(['resume', 'unlock']);
    expect(stop.report?.releasableCount).toBe(0);
    expect(
      createStopView(lab(), 2, stop.report, Date.now()).report?.rows.map(({ appearance }) => appearance.label),
    ).toEqual(['Released', 'Released']);
  });

  it('sends no more commands after its retries are cancelled, but shows replies that arrive later', async () => {
    arm.behavior = 'delay';
    const pending = stop.stop();
    await vi.waitFor(() => expect(arm.sent).toHaveLength(1));
    stop.cancelRetries();
    arm.replyToPending();
    await pending;
    expect(states()).toContain('arm: confirmed');
    expect(arm.sent).toEqual(['safety_stop']);
  });

  it('sends the stop again on a second press and ignores replies to the first one', async () => {
    arm.behavior = 'delay';
    const first = stop.stop();
    await vi.waitFor(() => expect(arm.sent).toHaveLength(1));
    arm.behavior = 'reject';
    const second = stop.stop();
    await vi.waitFor(() => expect(states()).toContain('arm: refused'));
    arm.replyToPending();
    await first;
    expect(states()).toContain('arm: refused');
    stop.cancelRetries();
    await second;
    expect(createStopView(lab(), 2, stop.report, Date.now()).report?.rows[0]?.text).toMatch(/^Refused: door open\./);
  });

  it('does not unlock nodes that were locked before the stop', async () => {
    const [first, second] = knownNodes.nodes;
    knownNodes = { ...knownNodes, nodes: [first!, { ...second!, held: ['lock'] }] };
    await stop.stop();
    expect(records.at(-1)?.nodes).toMatchObject([{ name: 'reader', before: ['lock'] }, { name: 'arm' }]);
    await stop.release();
    expect(reader.sent.slice(2)).toEqual(['resume']);
  });

  it('releases the changes of both presses when it was pressed twice', async () => {
    await stop.stop();
    // The second press reads the flags that the first one has set.
    const [first, second] = knownNodes.nodes;
    knownNodes = { ...knownNodes, nodes: [first!, { ...second!, held: ['lock', 'pause'] }] };
    reader.behavior = 'reject';
    await stop.stop();
    reader.behavior = 'confirm';
    const sentBefore = reader.sent.length;
    await stop.release();
    expect(reader.sent.slice(sentBefore).toSorted()).toEqual(['resume', 'unlock']);
  }, 30_000);

  it('releases a slow node only after it has executed the stop', async () => {
    arm.behavior = 'delay';
    const pending = stop.stop();
    await vi.waitFor(() => expect(reader.sent).toHaveLength(2));
    const releasing = stop.release();
    await vi.waitFor(() => expect(reader.sent).toHaveLength(4));
    expect(arm.sent).not.toContain('reset');
    arm.behavior = 'confirm';
    arm.replyToPending();
    await Promise.all([pending, releasing]);
    expect(arm.sent.at(-1)).toBe('reset');
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

  it('shows and releases a stop that was sent from another machine', async () => {
    const node = { name: 'arm', workcell: 'http://lab-pc:8005/', result: 'confirmed', reason: '', before: [] } as const;
    publishedStop = {
      id: 'event-of-lab-pc',
      at: '2026-11-23T14:02:00Z',
      machine: 'lab-pc',
      application: 'dashboard',
      nodes: [{ ...node, did: ['safety_stop'], before: [] }],
    };
    expect(stop.hasReport).toBe(true);
    stop.openReport();
    expect(states()).toEqual(['arm: confirmed']);
    await stop.release();
    expect(arm.sent).toEqual(['reset']);
    expect(records.at(-1)).toMatchObject({ command: stopCommands.release, stop_id: 'event-of-lab-pc', result: 'done' });
  });

  it('sends nothing to an unidentified machine until the user confirms it', async () => {
    refusal = 'the machine is not confirmed';
    await expect(stop.stop()).rejects.toThrow('the machine is not confirmed');
    expect([...arm.sent, ...reader.sent, ...records]).toEqual([]);
    expect(stop.report).toBeNull();
    await stop.stop(true);
    expect(arm.sent).toContain('safety_stop');
    expect(stop.report?.lab).toBe('Bench on lab-pc');
  });

  it('opens an empty report when no nodes are known', async () => {
    const stopWithoutNodes = new SafetyStop({
      nodes: () => null,
      log: silentLog,
      onChange: () => undefined,
      record,
      lab,
      nodesReadAt: () => readAt,
      refusalReason: () => refusal,
      labStop: () => null,
      reading: () => null,
    });
    await stopWithoutNodes.stop();
    expect(stopWithoutNodes.report?.rows).toEqual([]);
    stopWithoutNodes.closeReport();
    expect(stopWithoutNodes.report).toBeNull();
  });

  /** Publishes the stop that this app has sent, as the service does. */
  const publish = (id: string | null = 'event-1'): void => {
    const rows = stop.report?.rows ?? [];
    const at = id === null ? null : new Date(stop.report?.sentAt ?? 0).toISOString();
    publishedStop = { id, at, machine: 'lab-pc', application: 'desktop app', nodes: rows.map(toStoppedNode) };
  };

  it('reports its nodes as stopped after a restart of the service, until the service has read the event log', async () => {
    await stop.stop();
    publish();
    stop.observe();
    publishedStop = null;
    isRead = false;
    stop.observe();
    expect(stop.report?.releasableCount).toBe(2);
    expect(stop.report?.rows.map(({ releasedAt }) => releasedAt)).toEqual([null, null]);
    isRead = true;
    stop.observe();
    expect(stop.report?.releasableCount).toBe(0);
  });

  it('keeps the stop of a lab and its record while another lab with nodes of the same names is shown', async () => {
    await stop.stop();
    publish();
    stop.observe();
    const otherNode = new FakeNode();
    const benchNodes = knownNodes;
    knownNodes = {
      workcell: 'http://127.0.0.1:10/',
      nodes: [{ ...knownNodes.nodes[0]!, url: await otherNode.start() }],
    };
    shownLab = 'Other on this machine';
    publishedStop = null;
    stop.observe();
    expect(stop.report).toMatchObject({ lab: 'Bench on lab-pc', releasableCount: 2 });
    expect(stop.reportsShownLab).toBe(false);
    expect(stop.localStop).toBeNull();
    expect(stop.stopsOfOtherLabs).toEqual([{ lab: 'Bench on lab-pc', unconfirmedNodes: ['reader'] }]);
    await stop.release();
    expect(arm.sent).toEqual(['safety_stop', 'reset']);
    expect(otherNode.sent).toEqual([]);
    expect(recordedEventManagers).toEqual(Array(3).fill('http://bench:8001/'));
    expect(stop.stopsOfOtherLabs).toEqual([]);
    expect(benchNodes.nodes).toHaveLength(2);
    otherNode.stop();
  });

  it('keeps the stop of one lab when another one is stopped, and releases each separately', async () => {
    knownNodes = {
      ...knownNodes,
      nodes: knownNodes.nodes
        .map((node) => ({ ...node, held: ['lock'] as const }))
        .map((node) => ({ ...node, held: [...node.held] })),
    };
    await stop.stop();
    const otherNode = new FakeNode();
    const url = await otherNode.start();
    knownNodes = {
      workcell: 'http://127.0.0.1:10/',
      nodes: [{ name: 'reader', url, commands: ['lock', 'pause', 'unlock', 'resume'] }],
    };
    shownLab = 'Other on this machine';
    await stop.stop();
    expect(stop.report).toMatchObject({
      lab: 'Other on this machine',
      rows: [{ name: 'reader', previousCommands: [] }],
    });
    expect(stop.stopsOfOtherLabs).toHaveLength(1);
    await stop.release();
    expect(otherNode.sent.slice(2).toSorted()).toEqual(['resume', 'unlock']);
    expect(reader.sent).toHaveLength(2);
    otherNode.stop();
  });

  it('reports the app’s own stop while only the nodes’ flags show it, and reopens its report', async () => {
    await stop.stop();
    publish(null);
    stop.closeReport();
    expect(stop.localStop).toEqual({ lab: 'Bench on lab-pc', unconfirmedNodes: ['reader'] });
    stop.openReport();
    expect(states()).toEqual(['reader: held', 'arm: confirmed']);
    expect(stop.report?.releasableCount).toBe(2);
  });
});
