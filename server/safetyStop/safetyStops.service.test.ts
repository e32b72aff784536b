/** The safety stop as an operation of the service: real sockets to failing nodes, and a clock that the tests advance. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useManualClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import { requestJson } from '../net/requestJson.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import type { StopRecord } from '../../api/safetyStop/stopRecord.ts';
import { readKnownNodes } from '../activity/knownNodes.ts';
import { StopLab, type NodeKind } from '../fixtures/stopLab.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import { silentLog } from '../logging/log.ts';
import { waitForStateFiles } from '../storage/stateFile.ts';
import { SafetyStops } from './safetyStops.ts';
import type { StopSender, StopStoreOptions } from './stopStore.ts';

const ann: StopSender = { machine: 'lab-pc', user: 'ann', application: 'dashboard' };

interface Operation {
  readonly lab: StopLab;
  readonly clock: ManualClock;
  readonly stops: SafetyStops;
  readonly records: StopRecord[];
  /** Reads the nodes from the workcell manager, as the service does every 15 s. */
  readonly read: () => Promise<void>;
  /** Lets time pass in steps, between which sockets respond. */
  readonly pass: (ms: number) => Promise<void>;
}

async function startOperation(
  nodes: Readonly<Record<string, NodeKind>>,
  {
    workflows,
    path = null,
    logged = () => null,
  }: {
    readonly workflows?: Parameters<typeof StopLab.start>[0]['workflows'];
    readonly path?: string | null;
    readonly logged?: () => LabStop | null;
  } = {},
): Promise<Operation> {
  const lab = await StopLab.start({ nodes, ...(workflows && { workflows }) });
  onTestFinished(() => lab.stop());
  const clock = useManualClock();
  return openOperation(lab, clock, path, logged);
}

async function openOperation(
  lab: StopLab,
  clock: ManualClock,
  path: string | null,
  logged: () => LabStop | null = () => null,
): Promise<Operation> {
  const records: StopRecord[] = [];
  let flags: ReturnType<StopStoreOptions['flags']> = null;
  const stops = new SafetyStops({
    workcell: () => lab.workcell,
    flags: () => flags,
    states: () => [],
    loggedStop: logged,
    undoneStop: () => null,
    isAcknowledgedInLog: () => false,
    isReleasedInLog: () => false,
    record: (record) => {
      records.push(record);
      return `01JDMSTOP${String(records.length).padStart(17, '0')}`;
    },
    onChange: () => undefined,
    log: silentLog,
  });
  onTestFinished(async () => {
    const stopped = stops.stop();
    clock.advance(5000);
    await stopped;
  });
  const read = async (): Promise<void> => {
    const response = await requestJson(`${lab.workcell}nodes`, 5000);
    const known = response.ok ? readKnownNodes(lab.workcell, response.body) : null;
    if (known === null) throw new Error('The fake workcell manager did not respond');
    stops.setNodes(known);
    flags = {
      at: clock.now(),
      nodes: known.nodes.map(({ name, now }) => {
        const has = (flag: 'stopped' | 'locked' | 'paused') =>
          now?.state === flag || now?.flags.includes(flag) === true;
        return { name, isKnown: true, stopped: has('stopped'), locked: has('locked'), paused: has('paused') };
      }),
    };
    stops.observe();
  };
  await read();
  await stops.start(path);
  return { lab, clock, stops, records, read, pass: (ms) => pass(clock, ms) };
}

async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    clock.advance(50);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const results = ({ stops }: Operation) =>
  Object.fromEntries((stops.last?.nodes ?? []).map(({ name, result }) => [name, result]));

describe('press', () => {
  it('sends every node with an address its first command at once, and the others through the workcell manager', async () => {
    const operation = await startOperation({ arm: 'stopper', far: 'remote', hung: 'hanging' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.lab.log).toHaveLength(3));
    expect(operation.lab.log).toEqual(
      expect.arrayContaining([
        { node: 'arm', command: 'safety_stop', via: 'node' },
        { node: 'far', command: 'safety_stop', via: 'workcell' },
        { node: 'hung', command: 'safety_stop', via: 'node' },
      ]),
    );
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed', far: 'confirmed', hung: 'sending' }));
    expect(operation.stops.current?.sending).toBe(true);
  });

  it.each<[NodeKind, string]>([
    ['without-stop', 'held'],
    ['refuser', 'held'],
    ['unsuccessful', 'held'],
    ['deaf', 'refused'],
  ])('sends a node that is “%s” at least lock and pause by both ways', async (kind, result) => {
    const operation = await startOperation({ arm: kind });
    operation.stops.press(ann);
    await operation.pass(1000);
    const expected = ['node lock', 'node pause', ...(kind === 'deaf' ? ['workcell safety_stop', 'workcell lock'] : [])];
    await vi.waitFor(() => expect(operation.lab.commandsTo('arm')).toEqual(expect.arrayContaining(expected)));
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: result }));
  });

  it('sends a slow node lock and pause after 500 ms, and counts its late answer', async () => {
    const operation = await startOperation({ arm: 'slow' });
    operation.stops.press(ann);
    await operation.pass(1000);
    const expected = ['node safety_stop', 'workcell safety_stop', 'node lock', 'node pause'];
    await vi.waitFor(() => expect(operation.lab.commandsTo('arm')).toEqual(expect.arrayContaining(expected)));
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'held' }));
    operation.lab.answerSlow();
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
  });

  it('waits for no workcell manager that hangs', async () => {
    const operation = await startOperation({ arm: 'stopper', deaf: 'deaf' });
    operation.lab.workcellState = 'hung';
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toMatchObject({ arm: 'confirmed' }));
    expect(operation.lab.commandsTo('deaf')).toContain('node safety_stop');
  });

  it('joins the stop that is being sent', async () => {
    const operation = await startOperation({ arm: 'deaf' });
    operation.stops.press(ann);
    operation.stops.press({ ...ann, user: 'bob' });
    await vi.waitFor(() => expect(operation.lab.commandsTo('arm')).toContain('node pause'));
    expect(operation.lab.commandsTo('arm').filter((command) => command === 'node safety_stop')).toHaveLength(1);
    expect(operation.stops.current?.user).toBe('ann');
    expect(operation.records.map(({ fields }) => fields.command)).toEqual(['safety_stop']);
  });

  it('also stops nodes that the workcell manager has added since the last reading', async () => {
    const operation = await startOperation({ arm: 'stopper' });
    operation.lab.nodes.set('added', 'stopper');
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.lab.commandsTo('added')).toEqual(['workcell safety_stop']));
  });

  it('records the press, the changes at most once a second, and the end', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'deaf' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed', bad: 'refused' }));
    await operation.pass(1000);
    expect(operation.records.map(({ fields }) => fields.command)).toEqual(['safety_stop', 'safety_stop_result']);
    expect(operation.records[1]?.fields.nodes).toMatchObject([{ name: 'bad' }, { name: 'arm', result: 'confirmed' }]);
    expect(operation.records[1]?.fields.stop_id).toBe(operation.stops.current?.id);
  });
});

describe('workflows', () => {
  const workflows = {
    queued: { node: 'bad', running: false },
    next: { node: 'arm', secondNode: 'bad', running: true },
    other: { node: 'arm', running: false },
  };

  it('that would start on a node without any confirmation are paused after 2 s, and resumed by the release', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'deaf' }, { workflows });
    operation.stops.press(ann);
    await operation.pass(1900);
    expect(operation.lab.workflowLog).toEqual([]);
    await operation.pass(400);
    await vi.waitFor(() => expect(operation.lab.workflowLog.toSorted()).toEqual(['pause next', 'pause queued']));
    expect(operation.stops.current?.workflows?.map(({ name }) => name).toSorted()).toEqual([
      'workflow next',
      'workflow queued',
    ]);
    operation.lab.workflowLog.length = 0;
    operation.lab.nodes.set('bad', 'stopper');

    const release = operation.stops.release(ann);
    expect(operation.stops.current?.releasing).toBe(true);
    await vi.waitFor(() => expect(operation.lab.workflowLog).toEqual(['resume queued']));
    await operation.pass(3000);
    expect(operation.lab.workflowLog).toEqual(['resume queued']);
    const next = operation.lab.workflows.get('next');
    if (next !== undefined) next.index = 1;
    await operation.pass(2000);
    await release;
    expect(operation.lab.workflowLog).toEqual(['resume queued', 'resume next']);
    expect(operation.stops.current).toBeNull();
  });

  it('are resumed although the manager executed their pause after its timeout', async () => {
    const operation = await startOperation({ bad: 'deaf' }, { workflows: { queued: { node: 'bad', running: false } } });
    operation.lab.delaysPauses = true;
    operation.stops.press(ann);
    await operation.clock.waitFor(() => expect(operation.lab.workflowLog).toEqual(['pause queued']));
    expect(operation.stops.current?.workflows).toMatchObject([{ id: 'queued', unconfirmed: true }]);
    // No further pause is sent when the first one is executed after its timeout.
    await operation.clock.waitFor(() => expect(operation.lab.workflowLog).toHaveLength(2));
    operation.lab.executePauses();
    await operation.clock.waitFor(() =>
      expect(operation.stops.current?.workflows?.every(({ unconfirmed }) => unconfirmed !== true)).toBe(true),
    );
    operation.lab.nodes.set('bad', 'stopper');
    await operation.clock.settle(operation.stops.release(ann));
    expect(operation.lab.workflowLog.at(-1)).toBe('resume queued');
    expect(operation.stops.current).toBeNull();
  });

  it('for nodes that confirm anything are not paused', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'refuser' }, { workflows });
    operation.stops.press(ann);
    await operation.pass(5000);
    expect(operation.lab.workflowLog).toEqual([]);
  });
});

describe('release', () => {
  it('undoes exactly what each node confirmed, and ends the stop for good', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'refuser' });
    operation.lab.setFlag('bad', 'locked', true);
    await operation.read();
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed', bad: 'held' }));
    await vi.waitFor(() => expect(operation.stops.last?.nodes[0]?.did).toEqual(['lock', 'pause']));
    operation.lab.log.length = 0;
    await operation.stops.release(ann);
    expect(operation.lab.commandsTo('arm')).toEqual(['workcell reset']);
    expect(operation.lab.commandsTo('bad')).toEqual(['workcell resume']);
    expect(operation.stops.current).toBeNull();
    expect(operation.records.at(-1)?.fields).toMatchObject({ command: 'safety_stop_release', result: 'done' });
    expect(operation.stops.last?.nodes.every(({ released_at: releasedAt }) => releasedAt !== undefined)).toBe(true);
  });

  it('ends commands that still wait for the workcell manager, which would lock nodes again', async () => {
    const nodes = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`arm_${index}`, 'deaf' as const]));
    const operation = await startOperation(nodes);
    operation.lab.workcellState = 'hung';
    operation.stops.press(ann);
    await operation.clock.waitFor(() =>
      expect(Object.values(results(operation))).toEqual(Object.keys(nodes).map(() => 'refused')),
    );
    await operation.pass(600);
    const release = operation.stops.release(ann);
    operation.lab.workcellState = 'healthy';
    operation.lab.log.length = 0;
    await operation.clock.settle(release);
    expect(operation.lab.log).toEqual([]);
  });

  it('uses the addresses that the workcell manager reports now', async () => {
    const operation = await startOperation({ arm: 'stopper' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
    await operation.lab.moveNode('arm');
    await operation.read();
    operation.lab.workcellState = 'dead';
    operation.lab.log.length = 0;
    await operation.stops.release(ann);
    expect(operation.lab.commandsTo('arm')).toEqual(['node reset']);
    expect(operation.stops.current).toBeNull();
  });

  it('is superseded by a further press', async () => {
    const operation = await startOperation({ arm: 'slow' });
    operation.stops.press(ann);
    await operation.pass(600);
    const release = operation.stops.release(ann);
    operation.stops.press(ann);
    operation.lab.answerSlow();
    await operation.pass(500);
    await release;
    expect(operation.lab.commandsTo('arm')).not.toContain('workcell reset');
    expect(operation.stops.current?.nodes).toHaveLength(1);
  });

  it('also releases a stop that only the event log shows', async () => {
    const logged: LabStop = {
      id: '01JDMOTHER000000000000000A',
      at: new Date(0).toISOString(),
      machine: 'other',
      application: null,
      nodes: [{ name: 'arm', workcell: '', result: 'held', reason: '', did: ['lock'], before: [] }],
    };
    let current: LabStop | null = logged;
    const operation = await startOperation({ arm: 'stopper' }, { logged: () => current });
    expect(operation.stops.current?.machine).toBe('other');
    await operation.stops.release(ann);
    current = null;
    expect(operation.lab.commandsTo('arm')).toEqual(['workcell unlock']);
    expect(operation.stops.current).toBeNull();
  });
});

it('an acknowledged stop is hidden, and stays in effect', async () => {
  const operation = await startOperation({ arm: 'stopper' });
  operation.stops.press(ann);
  await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
  operation.stops.acknowledge(ann);
  expect(operation.stops.current).toBeNull();
  expect(operation.stops.acknowledged?.nodes).toHaveLength(1);
});

describe('restart of the service', () => {
  const stateFile = async (): Promise<string> => {
    const folder = await makeTempFolder();
    onTestFinished(async () => {
      await waitForStateFiles();
      await folder.remove();
    });
    return join(folder.path, 'safety-stop.json');
  };

  it('revives no stop whose nodes were reset by other means', async () => {
    const path = await stateFile();
    const operation = await startOperation({ arm: 'stopper', bad: 'refuser' }, { path });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed', bad: 'held' }));
    operation.lab.nodes.set('bad', 'stopper');
    await operation.pass(2500);
    await vi.waitFor(() => expect(operation.stops.isSending).toBe(false));
    for (const flag of ['stopped', 'locked', 'paused'])
      for (const name of ['arm', 'bad']) operation.lab.setFlag(name, flag, false);
    operation.clock.advance(40_000);
    await operation.read();
    expect(operation.stops.current).toBeNull();
    operation.lab.setFlag('arm', 'locked', true);
    await waitForStateFiles();

    const restarted = await openOperation(operation.lab, operation.clock, path);
    await restarted.read();
    expect(restarted.stops.current).toBeNull();
  });

  it('continues a stop that was interrupted moments ago, with the nodes of the file', async () => {
    const path = await stateFile();
    const operation = await startOperation({ arm: 'slow' }, { path });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.lab.commandsTo('arm')).toEqual(['node safety_stop']));
    await waitForStateFiles();
    const stored = JSON.parse(await readFile(path, 'utf8')) as { readonly stop: LabStop };
    expect(stored.stop.sending).toBe(true);

    operation.lab.nodes.set('arm', 'stopper');
    const restarted = await openOperation(operation.lab, operation.clock, path);
    await vi.waitFor(() => expect(results(restarted)).toEqual({ arm: 'confirmed' }));
    expect(restarted.stops.current?.id).toBe(stored.stop.id);
  });

  it('reports a stop that was interrupted long ago, and sends nothing', async () => {
    const path = await stateFile();
    const operation = await startOperation({ arm: 'slow' }, { path });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.lab.commandsTo('arm')).toHaveLength(1));
    await waitForStateFiles();
    const text = await readFile(path, 'utf8');
    const end = operation.stops.stop();
    operation.clock.advance(5000);
    await end;
    await waitForStateFiles();
    await writeFile(path, text);
    operation.lab.log.length = 0;
    operation.clock.advance(60_000);
    const restarted = await openOperation(operation.lab, operation.clock, path);
    expect(restarted.stops.current?.interrupted).toBe(true);
    expect(operation.lab.log.filter(({ command }) => command === 'safety_stop')).toEqual([]);
  });
});
