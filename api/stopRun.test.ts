import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdminCommand } from './managers/action.ts';
import { stopCommands, type CommandFacts } from './commandRecord.ts';
import type { LabStop } from './labStop.ts';
import { releasesOf, rowOf, type StopTarget } from './stopReport.ts';
import { StopRun } from './stopRun.ts';

const workcell = 'http://lab:8005/';
const target = (name: string): StopTarget => ({ workcell, name, url: null, commands: ['lock', 'pause', 'unlock'] });

let sent: string[];
let held: AdminCommand[];
let answers: boolean;
let slow: (command: string) => Promise<void>;
let records: CommandFacts[];
let run: StopRun;
beforeEach(() => {
  sent = [];
  held = [];
  answers = true;
  slow = () => Promise.resolve();
  records = [];
  run = new StopRun({
    waysTo: ({ name }) => ({
      throughWorkcell: async (command) => {
        sent.push(`${command} ${name}`);
        await slow(command);
        return answers ? { success: true } : { success: false, errors: [{ message: 'door open' }] };
      },
      direct: null,
      commands: ['lock', 'pause', 'unlock', 'resume'],
      patienceMs: 10,
    }),
    heldBefore: () => held,
    releases: (rows) => releasesOf({ rows, nodes: {}, workcell, isRead: () => false }),
    release: async ({ name }, settled) => {
      const { commands } = await settled;
      sent.push(...commands.map((command) => `${command} ${name}`));
      return null;
    },
    record: (facts) => `event-${records.push(facts)}`,
    onChange: () => undefined,
    now: () => Date.now(),
  });
});

const press = (inForce: Parameters<StopRun['stop']>[1] = []): Promise<void> =>
  run.stop({ known: async () => [target('arm')], listed: async () => [] }, inForce);

/** As the service publishes it. */
function published(id: string, more: Partial<LabStop> = {}): LabStop {
  const node = { name: 'arm', workcell, result: 'held', reason: '', did: ['lock', 'pause'], before: [] } as const;
  return {
    id,
    at: new Date(run.sentAt ?? 0).toISOString(),
    machine: 'lab-pc',
    application: 'dashboard',
    nodes: [{ ...node, did: [...node.did], before: [] }],
    ...more,
  };
}

describe('a second safety stop', () => {
  it('releases also what an acknowledged stop did', async () => {
    const acknowledged = published('event-0').nodes.map((node) => rowOf(node, workcell));
    // The flags that were read are those of the first stop.
    held = ['lock', 'pause'];
    await press(acknowledged);
    await run.release();
    expect(sent.slice(2)).toEqual(['unlock arm', 'resume arm']);
    expect(records.at(-1)).toMatchObject({ command: stopCommands.release, result: 'done' });
  });

  it('releases what a stop of another page did that was not published at the press', async () => {
    held = ['lock', 'pause'];
    await press();
    run.observe(published('event-1'));
    sent = [];
    await run.release();
    expect(sent).toEqual(['unlock arm', 'resume arm']);
  });

  it('leaves locked what a person locked after another page had released the first stop', async () => {
    await press();
    run.observe(published('event-1'));
    run.observe(null);
    expect(run.isOver).toBe(true);
    await vi.waitFor(() => expect(run.rows[0]?.releasedAt).not.toBeNull());
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
    held = ['lock'];
    sent = [];
    await press();
    vi.useRealTimers();
    await run.release();
    expect(sent).toEqual(['lock arm', 'pause arm', 'resume arm']);
  });
});

describe('a release', () => {
  it('undoes also what a slow node confirms after the press of Release', async () => {
    const open: (() => void)[] = [];
    slow = (command) => (command === 'lock' ? new Promise<void>((resolve) => open.push(resolve)) : Promise.resolve());
    const pending = press();
    await vi.waitFor(() => expect(sent).toEqual(['lock arm', 'pause arm']));
    const releasing = run.release();
    for (const resolve of open) resolve();
    await Promise.all([pending, releasing]);
    expect(sent.slice(2)).toEqual(['unlock arm', 'resume arm']);
    expect(records.at(-1)?.command).toBe(stopCommands.release);
  });
});

describe('a safety stop that is released elsewhere', () => {
  it('is not sent again, and records no result after the release', async () => {
    answers = false;
    const pending = press();
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0));
    run.observe(published('event-1', { released: true }));
    await pending;
    expect(run.isActive).toBe(false);
    const count = records.length;
    run.observe(null);
    expect(run.isOver).toBe(true);
    run.callOff();
    expect(records).toHaveLength(count);
  });

  it('is not over while the service has not published it yet', async () => {
    await press();
    run.observe(null);
    expect(run.isOver).toBe(false);
  });

  it('is not over after its own release', async () => {
    await press();
    run.observe(published('event-1'));
    await run.release();
    run.observe(null);
    expect(run.isOver).toBe(false);
    expect(run.rows[0]?.releasedAt).not.toBeNull();
  });
});
