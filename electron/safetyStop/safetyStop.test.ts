import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { canRelease, countStopped, SafetyStop, type SafetyStopWiring } from './safetyStop.ts';
import { stopCommands } from '../../api/commandRecord.ts';
import { stopView } from './stopView.ts';

/** A node that answers, refuses or waits; and what it was sent. */
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
let records: Parameters<SafetyStopWiring['record']>[0][] = [];
let refusal: string | null = null;
const lab = () => 'Bench on lab-pc';
const record: SafetyStopWiring['record'] = (facts) => `event-${records.push(facts)}`;
beforeEach(async () => {
  arm = new FakeNode();
  reader = new FakeNode();
  const nodes = [
    { name: 'arm', url: await arm.start(), commands: ['safety_stop', 'reset'] },
    { name: 'reader', url: await reader.start(), commands: ['lock', 'pause', 'unlock', 'resume'] },
  ];
  // Nobody is the workcell manager: the nodes are asked themselves.
  const known = { workcell: 'http://127.0.0.1:9/', nodes };
  records = [];
  refusal = null;
  stop = new SafetyStop({
    nodes: () => known,
    lab,
    refusal: () => refusal,
    log: silentLog,
    onChange: () => undefined,
    record,
  });
});
afterEach(() => {
  stop.dismiss();
  for (const node of [arm, reader]) node.stop();
});

const states = () => stop.report?.rows.map(({ name, outcome }) => `${name}: ${outcome.state}`) ?? [];

describe('the shell’s safety stop', () => {
  it('records the press, the result of each node and the release in the event log', async () => {
    await stop.stop();
    await stop.release();
    expect(records.map(({ command, result, stop_id: of }) => [command, result, of])).toEqual([
      [stopCommands.stop, 'sent', undefined],
      [stopCommands.result, 'unclear', 'event-1'],
      [stopCommands.release, 'done', 'event-1'],
    ]);
    expect(records[1]?.nodes).toMatchObject([
      { name: 'arm', result: 'confirmed', did: ['safety_stop'] },
      { name: 'reader', result: 'held', did: ['lock', 'pause'] },
    ]);
  });

  it('stops each node by what it knows, and releases exactly that', async () => {
    await stop.stop();
    expect(states()).toEqual(['arm: confirmed', 'reader: held']);
    expect(arm.sent).toEqual(['safety_stop']);
    expect(reader.sent.toSorted()).toEqual(['lock', 'pause']);
    expect(stop.report && countStopped(stop.report)).toEqual({ confirmed: 1, others: ['reader'] });
    expect(stop.report && canRelease(stop.report)).toBe(true);

    await stop.release();
    expect(arm.sent).toEqual(['safety_stop', 'reset']);
    expect(reader.sent.slice(2).toSorted()).toEqual(['resume', 'unlock']);
    expect(stop.report && canRelease(stop.report)).toBe(false);
    expect(stopView(lab(), 2, stop.report).report?.rows.map(({ text }) => text)).toEqual(['Released', 'Released']);
  });

  it('called off it sends nothing again, and still hears what was on its way', async () => {
    arm.answer = 'waits';
    const pending = stop.stop();
    await vi.waitFor(() => expect(arm.sent).toHaveLength(1));
    stop.callOff();
    arm.goOn();
    await pending;
    expect(states()).toContain('arm: confirmed');
    expect(arm.sent).toEqual(['safety_stop']);
  });

  it('pressed again it begins anew, and hears nothing of the press before', async () => {
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
    expect(stopView(lab(), 2, stop.report).report?.rows[0]?.text).toMatch(/^Refused: door open\./);
  });

  it('sends nothing while the machine is not identified, until a person confirms it', async () => {
    refusal = 'the machine is not confirmed';
    await expect(stop.stop()).rejects.toThrow('the machine is not confirmed');
    expect([...arm.sent, ...reader.sent, ...records]).toEqual([]);
    expect(stop.report).toBeNull();
    await stop.stop(true);
    expect(arm.sent).toContain('safety_stop');
    expect(stop.report?.lab).toBe('Bench on lab-pc');
  });

  it('without known nodes it says so', async () => {
    const none = new SafetyStop({
      nodes: () => null,
      lab,
      refusal: () => refusal,
      log: silentLog,
      onChange: () => undefined,
      record,
    });
    await none.stop();
    expect(none.report?.rows).toEqual([]);
    none.dismiss();
    expect(none.report).toBeNull();
  });
});
