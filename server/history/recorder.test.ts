import { batch } from '@preact/signals-core';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useManualClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import type { NodeActivity } from '../../api/lab/lab.ts';
import type { ManagerKey } from '../../api/managers.ts';
import type { ManagerState } from '../../api/states.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { checkOf, createTestModel, setChecks, setNodes } from '../fixtures/testModel.ts';
import { silentLog } from '../logging/log.ts';
import { noMaintenance } from '../maintenance/entries.ts';
import { HistoryRecorder } from './recorder.ts';

const begin = Date.UTC(2026, 0, 15);
const hour = 3_600_000;
let folder: TempFolder;
let path: string;
let time: ManualClock;
beforeEach(async () => {
  folder = await makeTempFolder();
  path = join(folder.path, 'history.jsonl');
  time = useManualClock(begin);
});
afterEach(async () => {
  await folder.remove();
});

type States = Partial<Record<'event' | 'data', ManagerState>>;

/** A lab whose states the test sets; time passes in hours and is always watched. */
class SimulatedLab {
  #managers: States = { event: 'healthy', data: 'healthy' };
  #nodes: readonly Pick<NodeActivity, 'name' | 'state' | 'flags'>[] = [];
  lastChecked: string | null = null;
  readonly model = createTestModel();
  readonly recorder = new HistoryRecorder(this.model, silentLog);

  constructor() {
    this.#publish();
  }

  get managers(): States {
    return this.#managers;
  }

  set managers(states: States) {
    this.#managers = states;
    this.#publish();
  }

  get nodes(): readonly Pick<NodeActivity, 'name' | 'state' | 'flags'>[] {
    return this.#nodes;
  }

  set nodes(nodes: readonly Pick<NodeActivity, 'name' | 'state' | 'flags'>[]) {
    this.#nodes = nodes;
    this.#publish();
  }

  #publish(): void {
    // As in the watch after a sleep: the state's start is long ago.
    const since = begin;
    const lastChecked = this.lastChecked === null ? null : Date.parse(this.lastChecked);
    const checks = Object.entries(this.#managers).map(([manager, state]) =>
      checkOf(manager as ManagerKey, state, { since, lastChecked, intervalMs: Number.POSITIVE_INFINITY }),
    );
    batch(() => {
      setNodes(
        this.model,
        this.#nodes.map((node) => ({ ...node, reason: null, since: new Date(since).toISOString() })),
      );
      setChecks(this.model, checks);
    });
  }

  async advanceHours(hours: number): Promise<void> {
    this.#publish();
    for (let minute = 0; minute < hours * 60; minute += 1) time.advance(60_000);
    await this.recorder.settled();
  }

  incidents(): readonly (readonly [id: string, hours: number, ended: boolean])[] {
    return this.recorder.getWindow(2000).incidents.map(({ id, seconds, to }) => [id, seconds / 3600, to !== null]);
  }
}

describe('the time of a recorded change', () => {
  it('a recorded change has the time of its check, regardless of how long the recording takes', async () => {
    const lab = new SimulatedLab();
    await lab.recorder.start(path, '1');
    await lab.advanceHours(1);
    lab.lastChecked = new Date(time.now()).toISOString();
    lab.managers = { event: 'unreachable', data: 'healthy' };
    time.advance(40);
    await lab.advanceHours(1);
    expect(lab.recorder.getWindow(24).managers.get('event')?.changes.at(-1)).toMatchObject({
      at: lab.lastChecked,
      state: 'unreachable',
    });
    await lab.recorder.stop();
  });
});

describe('a workcell whose nodes are replaced repeatedly', () => {
  it('is recorded within limits and hides no outage of a manager', async () => {
    const lab = new SimulatedLab();
    await lab.recorder.start(path, '1');
    lab.managers = { event: 'unreachable', data: 'healthy' };
    await lab.advanceHours(1);
    lab.managers = { event: 'healthy', data: 'healthy' };
    for (let round = 0; round < 4; round += 1) {
      lab.nodes = Array.from({ length: 1000 }, (_, index) => ({
        name: `n${round}-${index}`,
        state: 'errored' as const,
      }));
      await lab.advanceHours(1 / 60);
    }
    expect((await readFile(path, 'utf8')).split('\n').length).toBeLessThan(1500);
    const { incidents } = lab.recorder.getWindow(2000);
    expect(incidents).toHaveLength(1000);
    expect(incidents.filter(({ kind }) => kind === 'manager').map(({ id }) => id)).toEqual(['event']);
    await lab.recorder.stop();
  });
});

describe('the history of a window', () => {
  it('is computed once until something changes or some seconds pass', async () => {
    const lab = new SimulatedLab();
    await lab.recorder.start(path, '1');
    await lab.advanceHours(1);
    const first = lab.recorder.getWindow(24);
    expect(lab.recorder.getWindow(24)).toBe(first);
    time.setTime(time.now() + 6000);
    const second = lab.recorder.getWindow(24);
    expect(second).not.toBe(first);
    lab.managers = { event: 'unreachable', data: 'healthy' };
    await lab.advanceHours(0);
    expect(lab.recorder.getWindow(24)).not.toBe(second);
    await lab.recorder.stop();
  });
});

describe('the recorded history', () => {
  it('keeps the state of a manager that is unchanged after a sleep', async () => {
    const lab = new SimulatedLab();
    await lab.recorder.start(path, '1');
    await lab.advanceHours(10);
    lab.managers = { event: 'unreachable', data: 'healthy' };
    await lab.advanceHours(2);
    lab.managers = { event: 'healthy', data: 'healthy' };
    await lab.advanceHours(10);
    lab.managers = { event: 'unknown', data: 'unknown' };
    await lab.advanceHours(1);
    lab.managers = { event: 'healthy', data: 'healthy' };
    await lab.advanceHours(10);
    expect(lab.incidents()).toEqual([['event', 2, true]]);
    const { availability } = lab.recorder.getWindow(2000).managers.get('event') ?? {};
    expect(availability?.counted_seconds).toBeGreaterThan(31 * 3600);
    expect(availability?.percent).toBeCloseTo((100 * 30) / 32, 0);
    await lab.recorder.stop();
  });

  it.each([
    ['starts again after a sleep of three hours', 180, 240],
    ['continues after the clock steps back half an hour', -30, 0],
  ])('contains watched time that %s', async (_name, minutes, startMinutes) => {
    const lab = new SimulatedLab();
    await lab.recorder.start(path, '1');
    await lab.advanceHours(1);
    const wake = time.now() + minutes * 60_000;
    time.setTime(wake);
    lab.managers = { event: 'unreachable', data: 'healthy' };
    await lab.advanceHours(0);
    time.advance(30_000);
    const { watched } = lab.recorder.getWindow(2);
    expect(watched.at(-1)).toEqual({
      from: new Date(begin + startMinutes * 60_000).toISOString(),
      to: new Date(wake + 30_000).toISOString(),
    });
    expect(watched.every(({ from, to }) => from <= to)).toBe(true);
    await lab.recorder.stop();
  });

  it('ends the outages of removed objects after a restart, and continues those of the others', async () => {
    const first = new SimulatedLab();
    first.managers = { event: 'unreachable', data: 'unreachable' };
    first.nodes = [
      { name: 'arm', state: 'errored' },
      { name: 'gone', state: 'errored' },
    ];
    await first.recorder.start(path, '1');
    await first.advanceHours(1);
    await first.recorder.stop();
    time.setTime(begin + 10 * hour);
    const second = new SimulatedLab();
    second.managers = { event: 'unreachable' };
    second.nodes = [{ name: 'arm', state: 'errored' }];
    await second.recorder.start(path, '1');
    await second.advanceHours(1);
    expect(new Map(second.incidents().map(([id, , ended]) => [id, ended]))).toEqual(
      new Map([
        ['event', false],
        ['data', true],
        ['arm', false],
        ['gone', true],
      ]),
    );
    await second.recorder.stop();
  });

  it('includes the start of a node’s state, across a restart, until the node leaves the state', async () => {
    const since = new Date(time.now()).toISOString();
    const first = new SimulatedLab();
    await first.recorder.start(path, '1');
    first.nodes = [{ name: 'arm', state: 'disconnected' }];
    await first.advanceHours(2);
    await first.recorder.stop();
    const second = new SimulatedLab();
    second.nodes = first.nodes;
    await second.recorder.start(path, '1');
    expect(second.recorder.getNodeStateStart('arm', 'disconnected')).toBe(since);
    expect(second.recorder.getNodeStateStart('arm', 'errored')).toBeNull();
    expect(second.recorder.getNodeStateStart('other', 'disconnected')).toBeNull();
    second.nodes = [{ name: 'arm', state: 'errored' }];
    await second.advanceHours(1);
    const back = new Date(time.now()).toISOString();
    second.nodes = [{ name: 'arm', state: 'disconnected' }];
    await second.advanceHours(1);
    expect(
      Math.abs(Date.parse(second.recorder.getNodeStateStart('arm', 'disconnected') ?? '') - Date.parse(back)),
    ).toBeLessThan(120_000);
    await second.recorder.stop();
  });

  it('excludes maintenance from uptime and downtime, also after a restart', async () => {
    const from = new Date(begin).toISOString();
    const until = (hours: number) => new Date(begin + hours * hour).toISOString();
    const maintenance = (hours: number) => ({
      entries: [{ kind: 'manager' as const, id: 'event' as const, from, until: until(hours) }],
      rules: [],
    });
    const first = new SimulatedLab();
    await first.recorder.start(path, '1');
    await first.advanceHours(8);
    first.model.maintenance.value = maintenance(10);
    first.managers = { event: 'unreachable', data: 'healthy' };
    await first.advanceHours(1);
    first.model.maintenance.value = maintenance(30);
    await first.advanceHours(3);
    await first.recorder.stop();

    const second = new SimulatedLab();
    second.managers = { event: 'unreachable', data: 'healthy' };
    second.model.maintenance.value = maintenance(30);
    await second.recorder.start(path, '1');
    await second.advanceHours(1);
    // Ended early while the manager is still down: the outage counts from now on.
    second.model.maintenance.value = noMaintenance;
    await second.advanceHours(2);
    const past = second.recorder.getWindow(2000);
    expect(past.maintenance.map(({ id, from: began, until: ended }) => [id, began, ended])).toEqual([
      ['event', until(8), until(13)],
    ]);
    expect(second.incidents()).toEqual([['event', 2, false]]);
    const availability = past.managers.get('event')?.availability;
    expect(availability?.counted_seconds).toBe(10 * 3600);
    expect(availability?.percent).toBeCloseTo(80, 5);
    await second.recorder.stop();
  });
});

it('the watched time of a killed service lasts until its last recorded change', async () => {
  const killed = new SimulatedLab();
  await killed.recorder.start(path, '1');
  await killed.advanceHours(1);
  time.advance(40_000);
  killed.managers = { event: 'unreachable', data: 'healthy' };
  await killed.advanceHours(0);
  const copyPath = join(folder.path, 'left.jsonl');
  await copyFile(path, copyPath);
  await killed.recorder.stop();
  time.advance(12_000);

  const next = new SimulatedLab();
  next.managers = killed.managers;
  await next.recorder.start(copyPath, '1');
  await next.advanceHours(1);
  const { watched, incidents } = next.recorder.getWindow(24);
  const [first, second] = watched;
  expect(first).toEqual({ from: new Date(begin).toISOString(), to: new Date(begin + hour + 40_000).toISOString() });
  expect(second?.from).toBe(new Date(begin + hour + 52_000).toISOString());
  expect(incidents[0]?.from).toBe(first?.to);
  await next.recorder.stop();
});

it('incidents include the flags of a node, except in records of older versions', async () => {
  const at = (hours: number) => new Date(begin + hours * hour).toISOString();
  const older = [
    { kind: 'node', at: at(-2), name: 'old', state: 'errored', reason: null },
    { kind: 'watched', at: at(-1), since: at(-2) },
  ];
  await writeFile(path, older.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const lab = new SimulatedLab();
  lab.nodes = [{ name: 'arm', state: 'errored', flags: ['busy', 'locked'] }];
  await lab.recorder.start(path, '1');
  await lab.advanceHours(1);
  lab.nodes = [{ name: 'arm', state: 'errored', flags: ['locked'] }];
  await lab.advanceHours(1);
  expect(
    lab.recorder
      .getWindow(48)
      .incidents.map((incident) => [incident.id, incident.state, incident.kind === 'node' ? incident.flags : null]),
  ).toEqual([
    ['arm', 'errored', ['busy', 'locked']],
    ['old', 'errored', undefined],
  ]);
  // The node keeps one state all the time.
  expect(lab.recorder.getNodeStateStart('arm', 'errored')).toBe(new Date(begin).toISOString());
  await lab.recorder.stop();
  const records = (await readFile(path, 'utf8')).split('\n').filter((line) => line.includes('"name":"arm"'));
  expect(records.map((line) => (JSON.parse(line) as { flags?: string[] }).flags)).toEqual([
    ['busy', 'locked'],
    ['locked'],
  ]);
});
