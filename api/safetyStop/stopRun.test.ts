import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdminCommand } from '../managers/action.ts';
import { stopCommands, type CommandFields } from '../commandRecord.ts';
import type { LabStop, StopReading } from './labStop.ts';
import { planReleases, toStoppedNode, type StopTarget } from './stopReport.ts';
import { StopRun } from './stopRun.ts';

const workcell = 'http://lab:8005/';
const target = (name: string): StopTarget => ({ workcell, name, url: null, commands: ['lock', 'pause', 'unlock'] });

let sent: string[];
let flags: AdminCommand[];
let readAt: number;
let lab: string | null;
let succeeds: boolean;
let delay: (command: string) => Promise<void>;
let records: CommandFields[];
let run: StopRun;
beforeEach(() => {
  sent = [];
  flags = [];
  readAt = 0;
  lab = 'lab A';
  succeeds = true;
  delay = () => Promise.resolve();
  records = [];
  run = new StopRun({
    getRoutes: ({ name }) => ({
      throughWorkcell: async (command) => {
        sent.push(`${command} ${name}`);
        await delay(command);
        return succeeds ? { success: true } : { success: false, errors: [{ message: 'door open' }] };
      },
      direct: null,
      commands: ['lock', 'pause', 'unlock', 'resume'],
      timeoutMs: 10,
    }),
    effectsBefore: () => flags,
    readAt: () => readAt,
    lab: () => lab,
    planReleases: (rows) => planReleases({ rows, nodes: {}, workcell, isRead: () => false }),
    release: async ({ name }, finalRelease, isSuperseded) => {
      const { commands } = await finalRelease;
      for (const command of commands) {
        if (isSuperseded()) return 'pressed again';
        sent.push(`${command} ${name}`);
        await delay(command);
      }
      return null;
    },
    record: (fields) => `event-${records.push(fields)}`,
    onChange: () => undefined,
    now: () => Date.now(),
  });
});

const press = (publishedStop: LabStop | null = null): Promise<void> =>
  run.stop({ readKnownNodes: async () => [target('arm')], readListedNodes: async () => [] }, publishedStop);

/** A stop in the form that the service publishes. */
function createPublishedStop(id: string, changes: Partial<LabStop> = {}): LabStop {
  const node = { name: 'arm', workcell, result: 'held', reason: '', did: ['lock', 'pause'], before: [] } as const;
  return {
    id,
    at: new Date(run.sentAt ?? 0).toISOString(),
    machine: 'lab-pc',
    application: 'dashboard',
    nodes: [{ ...node, did: [...node.did], before: [] }],
    ...changes,
  };
}

const events = 'http://lab:8001/';
const createReading = (stop: LabStop | null, changes: Partial<StopReading> = {}): StopReading => ({
  lab: 'lab A',
  eventManager: events,
  isRead: true,
  stopRecord: stop,
  ...changes,
});

describe('a release after a second safety stop', () => {
  it('also undoes the commands of an acknowledged stop', async () => {
    const acknowledged = { ...createPublishedStop('event-0'), at: new Date(0).toISOString() };
    // The flags read here are those of the first stop.
    flags = ['lock', 'pause'];
    await press(acknowledged);
    await run.release();
    expect(sent.slice(2)).toEqual(['unlock arm', 'resume arm']);
    expect(records.at(-1)).toMatchObject({ command: stopCommands.release, result: 'done' });
  });

  it('undoes the commands of another page’s stop that was not published at the press', async () => {
    flags = ['lock', 'pause'];
    await press();
    run.observe(createReading(createPublishedStop('event-1')));
    sent = [];
    await run.release();
    expect(sent).toEqual(['unlock arm', 'resume arm']);
  });

  it('keeps the lock that a person set after another page released the first stop', async () => {
    await press();
    run.observe(createReading(createPublishedStop('event-1')));
    run.observe(createReading(null));
    expect(run.isOver).toBe(true);
    await vi.waitFor(() => expect(run.rows[0]?.releasedAt).toEqual(expect.any(Number)));
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
    flags = ['lock'];
    readAt = Date.now();
    sent = [];
    await press();
    vi.useRealTimers();
    await run.release();
    expect(sent).toEqual(['lock arm', 'pause arm', 'resume arm']);
  });
});

describe('a release of a stop run', () => {
  it('also undoes commands that a slow node confirms after Release is pressed', async () => {
    const confirmations: (() => void)[] = [];
    delay = (command) =>
      command === 'lock' ? new Promise<void>((resolve) => confirmations.push(resolve)) : Promise.resolve();
    const pending = press();
    await vi.waitFor(() => expect(sent).toEqual(['lock arm', 'pause arm']));
    const releasing = run.release();
    for (const resolve of confirmations) resolve();
    await Promise.all([pending, releasing]);
    expect(sent.slice(2)).toEqual(['unlock arm', 'resume arm']);
    expect(records.at(-1)?.command).toBe(stopCommands.release);
  });
});

describe('a safety stop that is pressed while a release is being sent', () => {
  it('ends the release, is sent again after its last command and stays in force', async () => {
    await press();
    let confirm = (): void => undefined;
    delay = (command) =>
      command === 'unlock' ? new Promise<void>((resolve) => (confirm = resolve)) : Promise.resolve();
    sent = [];
    const releasing = run.release();
    await vi.waitFor(() => expect(sent).toEqual(['unlock arm']));
    const second = press();
    await vi.waitFor(() => expect(sent).toEqual(['unlock arm', 'lock arm', 'pause arm']));
    confirm();
    await Promise.all([releasing, second]);
    expect(sent).toEqual(['unlock arm', 'lock arm', 'pause arm', 'lock arm', 'pause arm']);
    expect(run.rows).toMatchObject([{ outcome: { state: 'held' }, releasedAt: null, previousCommands: [] }]);
    const [first, again] = records.flatMap(({ command }, index) =>
      command === stopCommands.stop ? [`event-${index + 1}`] : [],
    );
    expect(records.filter(({ command }) => command === stopCommands.release)).toMatchObject([
      { result: 'failed', stop_id: first },
    ]);
    expect(run.stopId).toBe(again);
    delay = () => Promise.resolve();
    sent = [];
    await run.release();
    expect(sent).toEqual(['unlock arm', 'resume arm']);
  });
});

describe('a page that closes while its safety stop is being sent', () => {
  it('records the results so far, so that others can release the stop', async () => {
    const listed = () => new Promise<never>(() => undefined);
    void run.stop({ readKnownNodes: async () => [target('arm')], readListedNodes: listed }, null);
    await vi.waitFor(() => expect(run.rows[0]?.outcome.state).toBe('held'));
    expect(records.at(-1)?.command).toBe(stopCommands.stop);
    run.recordProgress();
    expect(records.at(-1)).toMatchObject({
      command: stopCommands.result,
      nodes: [{ name: 'arm', did: ['lock', 'pause'] }],
    });
  });
});

describe('a safety stop that is released by another page', () => {
  it('is not sent again, and no result is recorded after the release', async () => {
    succeeds = false;
    const pending = press();
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0));
    run.observe(createReading(createPublishedStop('event-1', { released: true })));
    await pending;
    expect(run.isActive).toBe(false);
    const count = records.length;
    run.observe(createReading(null));
    expect(run.isOver).toBe(true);
    run.stopSending();
    expect(records).toHaveLength(count);
  });

  it('does not end before the service has published it', async () => {
    await press();
    run.observe(createReading(null));
    expect(run.isOver).toBe(false);
  });

  it('does not end because of the page’s own release', async () => {
    await press();
    run.observe(createReading(createPublishedStop('event-1')));
    await run.release();
    run.observe(createReading(null));
    expect(run.isOver).toBe(false);
    expect(run.rows[0]?.releasedAt).toEqual(expect.any(Number));
  });

  it('stays in force, and is sent again, while the service has not read the event log', async () => {
    succeeds = false;
    const pending = press();
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0));
    run.observe(createReading(createPublishedStop('event-1')));
    run.observe(createReading(null, { isRead: false }));
    // The flags alone show a stop before its record is read.
    run.observe(createReading({ ...createPublishedStop('event-1'), id: null, at: null }, { isRead: false }));
    expect(run.isOver).toBe(false);
    expect(run.isActive).toBe(true);
    run.observe(createReading(null));
    expect(run.isOver).toBe(true);
    await pending;
  });

  it('is not released by the state of another lab or of another event log', async () => {
    await press();
    run.observe(createReading(createPublishedStop('event-1')));
    const later = createPublishedStop('event-of-b', { at: new Date(Date.now() + 60_000).toISOString() });
    for (const otherReading of [null, later]) run.observe(createReading(otherReading, { lab: 'lab B' }));
    run.observe(createReading(null, { eventManager: 'http://other:8001/' }));
    expect(run.isOver).toBe(false);
    expect(run.rows[0]?.releasedAt).toBeNull();
    run.observe(createReading(null));
    expect(run.isOver).toBe(true);
  });

  it('ends with the published state of its lab, even if the lab was unknown at the press', async () => {
    lab = null;
    await press();
    run.observe(createReading(null));
    expect(run.isOver).toBe(false);
    run.observe(createReading(createPublishedStop('event-1')));
    run.observe(createReading(null));
    expect(run.isOver).toBe(true);
  });
});

describe('the state of a node before a safety stop', () => {
  it('is the state before this press, not before an earlier released stop', async () => {
    flags = ['lock', 'pause'];
    await press();
    await run.release();
    // The service still publishes the first stop.
    const stale = createPublishedStop('event-1', { nodes: run.rows.map(toStoppedNode) });
    flags = [];
    readAt = Date.now() + 6000;
    await press(stale);
    sent = [];
    await run.release();
    expect(sent).toEqual(['unlock arm', 'resume arm']);
  });

  it('is the state before the first stop while the flags are older than the release', async () => {
    await press();
    await run.release();
    flags = ['lock', 'pause'];
    readAt = Date.now();
    await press();
    expect(run.rows[0]?.previousCommands).toEqual([]);
  });

  it('is not taken from a node of the same name in another lab', async () => {
    flags = ['lock'];
    await press();
    lab = 'lab B';
    flags = [];
    await press();
    expect(run.rows[0]).toMatchObject({ previousCommands: [], earlierEffects: [] });
  });

  it('is the flags at the press when only the flags show that the node is stopped', async () => {
    flags = ['lock'];
    await press({ ...createPublishedStop('event-0'), id: null, at: null });
    sent = [];
    await run.release();
    expect(sent).toEqual(['resume arm']);
  });
});
