import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { countStopped, SafetyStop, type SafetyStopWiring } from './safetyStop.ts';
import { stopCommands } from '../../api/commandRecord.ts';
import { labKey } from '../../api/lab/followed.ts';
import type { LabStop, StopReading } from '../../api/safetyStop/labStop.ts';
import type { KnownNodes } from '../../server/activity/knownNodes.ts';
import { stoppedNodeOf } from '../../api/safetyStop/stopReport.ts';
import { stopView } from './stopView.ts';

/** A fake node that confirms, rejects or stays pending, and records its commands. */
class FakeNode {
  readonly sent: string[] = [];
  answer: 'yes' | 'no' | 'waits' = 'yes';
  readonly #waiting: (() => void)[] = [];
  readonly #server = http.createServer((request, response) => {
    this.sent.push((request.url ?? '').split('/').at(-1) ?? '');
    const end = (success: boolean): void =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(success ? { success } : { success, errors: [{ message: 'door open' }] }));
    if (this.answer === 'waits') this.#waiting.push(() => end(true));
    else end(this.answer === 'yes');
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  goOn(): void {
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
let known: KnownNodes;
let refusal: string | null = null;
let shown = 'Bench on lab-pc';
const lab = () => shown;
let inForce: LabStop | null = null;
let isRead = true;
let readAt = 0;
const reading = (): StopReading => ({
  lab: labKey(known.workcell, null),
  eventManager: `http://${shown.split(' ')[0]?.toLowerCase()}:8001/`,
  isRead,
  stopRecord: inForce,
});
let recordedAt: (string | null)[] = [];
let records: Parameters<SafetyStopWiring['record']>[0][] = [];
const record: SafetyStopWiring['record'] = (facts, _what, eventManager) => {
  recordedAt.push(eventManager);
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
  known = { workcell: 'http://127.0.0.1:9/', nodes };
  inForce = null;
  isRead = true;
  readAt = 0;
  shown = 'Bench on lab-pc';
  recordedAt = [];
  refusal = null;
  records = [];
  stop = new SafetyStop({
    nodes: () => known,
    nodesReadAt: () => readAt,
    lab,
    refusal: () => refusal,
    labStop: () => inForce,
    reading,
    log: silentLog,
    onChange: () => undefined,
    record,
  });
});
afterEach(() => {
  stop.callOff();
  for (const node of [arm, reader]) node.stop();
});

const states = () => stop.report?.rows.map(({ name, outcome }) => `${name}: ${outcome.state}`) ?? [];

describe('the shell’s safety stop', () => {
  it('records the stop, the result of each node and the release in the event log', async () => {
    await stop.stop();
    await stop.release();
    expect(records.map(({ command, result, stop_id: of }) => [command, result, of])).toEqual([
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
    expect(stop.report?.left).toBe(2);

    await stop.release();
    expect(arm.sent).toEqual(['safety_stop', 'reset']);
    expect(reader.sent.slice(2).toSorted()).toEqual(['resume', 'unlock']);
    expect(stop.report?.left).toBe(0);
    expect(stopView(lab(), 2, stop.report, Date.now()).report?.rows.map(({ look }) => look.label)).toEqual([
      'Released',
      'Released',
    ]);
  });

  it('sends nothing again after it is aborted, but shows pending replies', async () => {
    arm.answer = 'waits';
    const pending = stop.stop();
    await vi.waitFor(() => expect(arm.sent).toHaveLength(1));
    stop.callOff();
    arm.goOn();
    await pending;
    expect(states()).toContain('arm: confirmed');
    expect(arm.sent).toEqual(['safety_stop']);
  });

  it('starts again on a second press and ignores replies to the first one', async () => {
    arm.answer = 'waits';
    const first = stop.stop();
    await vi.waitFor(() => expect(arm.sent).toHaveLength(1));
    arm.answer = 'no';
    const second = stop.stop();
    await vi.waitFor(() => expect(states()).toContain('arm: refused'));
    arm.goOn();
    await first;
    expect(states()).toContain('arm: refused');
    stop.callOff();
    await second;
    expect(stopView(lab(), 2, stop.report, Date.now()).report?.rows[0]?.text).toMatch(/^Refused: door open\./);
  });

  it('keeps nodes locked that were locked before it', async () => {
    const [first, second] = known.nodes;
    known = { ...known, nodes: [first!, { ...second!, held: ['lock'] }] };
    await stop.stop();
    expect(records.at(-1)?.nodes).toMatchObject([{ name: 'reader', before: ['lock'] }, { name: 'arm' }]);
    await stop.release();
    expect(reader.sent.slice(2)).toEqual(['resume']);
  });

  it('releases after a second press the changes of both presses', async () => {
    await stop.stop();
    // The second press reads the flags that the first one has set.
    const [first, second] = known.nodes;
    known = { ...known, nodes: [first!, { ...second!, held: ['lock', 'pause'] }] };
    reader.answer = 'no';
    await stop.stop();
    reader.answer = 'yes';
    const before = reader.sent.length;
    await stop.release();
    expect(reader.sent.slice(before).toSorted()).toEqual(['resume', 'unlock']);
  }, 30_000);

  it('releases a slow node only after it has executed the stop', async () => {
    arm.answer = 'waits';
    const pending = stop.stop();
    await vi.waitFor(() => expect(reader.sent).toHaveLength(2));
    const releasing = stop.release();
    await vi.waitFor(() => expect(reader.sent).toHaveLength(4));
    expect(arm.sent).not.toContain('reset');
    arm.answer = 'yes';
    arm.goOn();
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

  it('shows and releases a stop that another machine has sent', async () => {
    const node = { name: 'arm', workcell: 'http://lab-pc:8005/', result: 'confirmed', reason: '', before: [] } as const;
    inForce = {
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

  it('reports that no nodes are known', async () => {
    const none = new SafetyStop({
      nodes: () => null,
      log: silentLog,
      onChange: () => undefined,
      record,
      lab,
      nodesReadAt: () => readAt,
      refusal: () => refusal,
      labStop: () => null,
      reading: () => null,
    });
    await none.stop();
    expect(none.report?.rows).toEqual([]);
    none.closeReport();
    expect(none.report).toBeNull();
  });

  /** Publishes the stop that this app has sent, as the service does. */
  const publish = (id: string | null = 'event-1'): void => {
    const rows = stop.report?.rows ?? [];
    const at = id === null ? null : new Date(stop.report?.sentAt ?? 0).toISOString();
    inForce = { id, at, machine: 'lab-pc', application: 'desktop app', nodes: rows.map(stoppedNodeOf) };
  };

  it('reports its nodes as stopped after a restart of the service until the event log is read', async () => {
    await stop.stop();
    publish();
    stop.observe();
    inForce = null;
    isRead = false;
    stop.observe();
    expect(stop.report?.left).toBe(2);
    expect(stop.report?.rows.map(({ releasedAt }) => releasedAt)).toEqual([null, null]);
    isRead = true;
    stop.observe();
    expect(stop.report?.left).toBe(0);
  });

  it('keeps the stop of a lab and its record while another lab with nodes of the same names is shown', async () => {
    await stop.stop();
    publish();
    stop.observe();
    const other = new FakeNode();
    const ofBench = known;
    known = { workcell: 'http://127.0.0.1:10/', nodes: [{ ...known.nodes[0]!, url: await other.start() }] };
    shown = 'Other on this machine';
    inForce = null;
    stop.observe();
    expect(stop.report).toMatchObject({ lab: 'Bench on lab-pc', left: 2 });
    expect(stop.isOfShownLab).toBe(false);
    expect(stop.ownStop).toBeNull();
    expect(stop.stopsOfOtherLabs).toEqual([{ lab: 'Bench on lab-pc', unconfirmedNodes: ['reader'] }]);
    await stop.release();
    expect(arm.sent).toEqual(['safety_stop', 'reset']);
    expect(other.sent).toEqual([]);
    expect(recordedAt).toEqual(Array(3).fill('http://bench:8001/'));
    expect(stop.stopsOfOtherLabs).toEqual([]);
    expect(ofBench.nodes).toHaveLength(2);
    other.stop();
  });

  it('keeps the stop of one lab when another one is stopped, and releases each separately', async () => {
    known = {
      ...known,
      nodes: known.nodes
        .map((node) => ({ ...node, held: ['lock'] as const }))
        .map((node) => ({ ...node, held: [...node.held] })),
    };
    await stop.stop();
    const other = new FakeNode();
    const url = await other.start();
    known = {
      workcell: 'http://127.0.0.1:10/',
      nodes: [{ name: 'reader', url, commands: ['lock', 'pause', 'unlock', 'resume'] }],
    };
    shown = 'Other on this machine';
    await stop.stop();
    expect(stop.report).toMatchObject({
      lab: 'Other on this machine',
      rows: [{ name: 'reader', previousCommands: [] }],
    });
    expect(stop.stopsOfOtherLabs).toHaveLength(1);
    await stop.release();
    expect(other.sent.slice(2).toSorted()).toEqual(['resume', 'unlock']);
    expect(reader.sent).toHaveLength(2);
    other.stop();
  });

  it('reports its own stop while only flags show one, and reopens its own report', async () => {
    await stop.stop();
    publish(null);
    stop.closeReport();
    expect(stop.ownStop).toEqual({ lab: 'Bench on lab-pc', unconfirmedNodes: ['reader'] });
    stop.openReport();
    expect(states()).toEqual(['reader: held', 'arm: confirmed']);
    expect(stop.report?.left).toBe(2);
  });
});
