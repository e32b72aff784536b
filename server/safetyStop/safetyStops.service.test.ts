/** The safety stop as an operation of the service: real sockets to failing nodes, and a clock that the tests advance. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import type { NodeKind } from '../fixtures/stopLab.ts';
import { ann, openOperation, results, startOperation } from '../fixtures/stopOperation.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import type { StopSender } from './stopStore.ts';
import { silentLog } from '../logging/log.ts';
import { waitForStateFiles } from '../storage/stateFile.ts';

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

  it('reads the state of a node after its safety stop, which a slow state does not delay', async () => {
    const { lab, stops } = await startOperation({ arm: 'stopper' });
    const requests: string[] = [];
    lab.onState = () => void requests.push('state');
    lab.onCommand = ({ command }) => void requests.push(command);
    stops.press(ann);
    await vi.waitFor(() => expect(requests.slice(0, 2)).toEqual(['safety_stop', 'state']));
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

  it('sends the running stop again a second later, because nodes may have been reset since', async () => {
    const operation = await startOperation({ arm: 'stopper', hung: 'hanging' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toMatchObject({ arm: 'confirmed' }));
    await operation.pass(1000);
    operation.lab.log.length = 0;
    operation.stops.press({ ...ann, user: 'bob' });
    await vi.waitFor(() => expect(operation.lab.commandsTo('arm')).toEqual(['node safety_stop']));
    expect(operation.stops.current?.user).toBe('ann');
  });

  it('publishes the stop although its record fails', async () => {
    const operation = await startOperation({ arm: 'stopper' });
    operation.failRecords(new Error('full'));
    const before = operation.changes();
    expect(() => operation.stops.press(ann)).toThrow('full');
    expect(operation.changes()).toBeGreaterThan(before);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
    operation.failRecords(null);
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

describe('presses of senders without a right', () => {
  const stranger = (index: number): StopSender => ({
    machine: `10.0.${index}.1`,
    user: null,
    application: 'dashboard',
  });

  it('start a stop, and while it is in effect send it again every 5 s with a bounded number of records and log lines', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'deaf' });
    const warn = vi.spyOn(silentLog, 'warn');
    for (let index = 0; index < 39; index += 1) {
      operation.lab.nodes.set('arm', index % 2 === 0 ? 'stopper' : 'deaf');
      operation.stops.press(stranger(index), false);
      operation.stops.press(stranger(index + 256), false);
      await vi.waitFor(() => expect(results(operation).arm).toBe(index % 2 === 0 ? 'confirmed' : 'refused'));
      operation.clock.advance(5000);
    }
    const lines = warn.mock.calls.length;
    warn.mockRestore();
    expect(operation.records.filter(({ fields }) => fields.command === 'safety_stop')).toHaveLength(1);
    expect(operation.records.length).toBeLessThan(30);
    expect(lines).toBe(1);
    expect(operation.stops.current?.machine).toBe('10.0.0.1');
    const { length } = operation.records;
    operation.lab.nodes.set('arm', 'deaf');
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation).arm).toBe('refused'));
    operation.clock.advance(1000);
    expect(operation.records).toHaveLength(length + 1);
  });

  it('start a stop after each release and each acknowledgement', async () => {
    const operation = await startOperation({ arm: 'stopper' });
    for (let index = 0; index < 10; index += 1) {
      operation.stops.press(stranger(index), false);
      expect(operation.stops.current?.machine).toBe(`10.0.${index}.1`);
      await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
      if (index % 2 === 0) operation.stops.acknowledge(ann);
      else {
        await operation.stops.release(ann);
        expect(operation.stops.current).toBeNull();
      }
    }
    expect(operation.records.filter(({ fields }) => fields.command === 'safety_stop')).toHaveLength(10);
  });

  it('stop the nodes again that an incomplete release has reached', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'stopper' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed', bad: 'confirmed' }));
    operation.lab.nodes.set('bad', 'deaf');
    await operation.stops.release(ann);
    expect(operation.stops.current?.released).toBe(true);
    operation.stops.press(stranger(1), false);
    await vi.waitFor(() => expect(operation.lab.commandsTo('arm').at(-1)).toBe('node safety_stop'));
  });
});

it('a press is shown and recorded again after the acknowledgement of a stop that is still being sent', async () => {
  const operation = await startOperation({ arm: 'stopper', mute: 'hanging' });
  operation.stops.press(ann);
  await operation.pass(2000);
  operation.stops.acknowledge(ann);
  expect(operation.stops.current).toBeNull();
  operation.stops.press(ann);
  expect(operation.stops.current?.user).toBe('ann');
  const commands = operation.records.map(({ fields }) => fields.command);
  expect(commands.filter((command) => command === 'safety_stop')).toHaveLength(2);
});

it('an acknowledged stop is hidden, and stays in effect', async () => {
  const operation = await startOperation({ arm: 'stopper' });
  operation.stops.press(ann);
  await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
  operation.stops.acknowledge(ann);
  expect(operation.stops.current).toBeNull();
  expect(operation.model.stops.value.acknowledged?.nodes).toHaveLength(1);
});

it('a release also undoes what the sender of the stop has sent itself, and not what was set before', async () => {
  const operation = await startOperation({ arm: 'stopper', bench: 'stopper' });
  operation.lab.setFlag('arm', 'locked', true);
  operation.lab.setFlag('bench', 'locked', true);
  await operation.read();
  operation.stops.press(ann);
  await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed', bench: 'confirmed' }));
  const id = operation.stops.current?.id ?? '';
  await operation.stops.addAttempts([{ name: 'arm', attempted: ['lock', 'pause'], before: [] }], id, ann);
  await operation.stops.addAttempts([{ name: 'bench', attempted: ['lock'], before: ['lock'] }], id, ann);
  await operation.stops.addAttempts([{ name: 'bench', attempted: ['pause'], before: [] }], 'another stop', ann);
  await operation.stops.release(ann);
  expect(operation.lab.commandsTo('arm').slice(-3)).toEqual(['workcell reset', 'workcell unlock', 'workcell resume']);
  expect(operation.lab.commandsTo('bench').at(-1)).toBe('workcell reset');
});

it('a stop ends within seconds after its nodes were reset by other means', async () => {
  const operation = await startOperation({ arm: 'stopper', bad: 'refuser' });
  operation.stops.press(ann);
  await vi.waitFor(() => expect(operation.stops.last?.nodes[0]?.did).toEqual(['lock', 'pause']));
  operation.lab.nodes.set('bad', 'stopper');
  await operation.clock.waitFor(() => expect(operation.stops.isSending).toBe(false));
  operation.lab.setFlag('arm', 'stopped', false);
  await operation.pass(7000);
  expect(operation.stops.current?.nodes).toHaveLength(2);
  for (const flag of ['stopped', 'locked', 'paused']) operation.lab.setFlag('bad', flag, false);
  await operation.clock.waitFor(() => expect(operation.stops.current).toBeNull(), { withinMs: 4000 });
});

it('a stop stays in effect while a node that has not answered shows its lock', async () => {
  const operation = await startOperation({ arm: 'stopper', mute: 'slow' });
  const { lab, stops } = operation;
  lab.onCommand = ({ node, command }) => {
    if (node === 'mute') lab.nodes.set('mute', 'hanging');
    if (node === 'mute' && command === 'lock') lab.setFlag('mute', 'locked', true);
  };
  stops.press(ann);
  await operation.clock.waitFor(() => expect(stops.isSending).toBe(false), { withinMs: 60_000 });
  lab.nodes.set('mute', 'stopper');
  lab.setFlag('arm', 'stopped', false);
  await operation.pass(40_000);
  await operation.read();
  expect(stops.releases).toEqual([{ name: 'mute', commands: ['unlock'] }]);
  lab.setFlag('mute', 'locked', false);
  await operation.read();
  expect(stops.current).toBeNull();
});

it('a node that was reset by other means is shown as ready while the stop is still being sent to others', async () => {
  const operation = await startOperation({ arm: 'stopper', bad: 'deaf' });
  const stateOfArm = () => operation.stops.current?.nodes.find(({ name }) => name === 'arm')?.now?.state;
  operation.stops.press(ann);
  await operation.clock.waitFor(() => expect(stateOfArm()).toBe('stopped'));
  operation.lab.setFlag('arm', 'stopped', false);
  await operation.clock.waitFor(() => expect(stateOfArm()).toBe('ready'), { withinMs: 4000 });
  expect(operation.stops.isSending).toBe(true);
});

it('a stop compares the event log with the last 100 stops that ended', async () => {
  let ended = 0;
  const logged = (ids: ReadonlySet<string>) => {
    ended = ids.size;
    return null;
  };
  const operation = await startOperation({}, { logged });
  for (let index = 0; index < 150; index += 1) {
    operation.stops.press(ann);
    operation.stops.acknowledge(ann);
  }
  expect(operation.stops.last?.id).toEqual(expect.any(String));
  expect(ended).toBe(100);
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

  it('sends the nodes nothing that had confirmed: they may have been released since', async () => {
    const path = await stateFile();
    const operation = await startOperation({ arm: 'stopper', mute: 'slow' }, { path });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed', mute: 'sending' }));
    await waitForStateFiles();
    operation.lab.log.length = 0;
    operation.lab.nodes.set('mute', 'stopper');
    const restarted = await openOperation(operation.lab, operation.clock, path);
    await vi.waitFor(() => expect(results(restarted)).toEqual({ arm: 'confirmed', mute: 'confirmed' }));
    expect(operation.lab.commandsTo('arm')).toEqual([]);
    expect(restarted.stops.current?.application).toBe('dashboard');
  });

  it('sends a stop that was pressed during a release to all nodes: the release may have undone it since', async () => {
    const path = await stateFile();
    const operation = await startOperation({ arm: 'stopper' }, { path });
    const { lab, stops } = operation;
    stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
    lab.nodes.set('arm', 'hanging');
    void stops.release(ann);
    await vi.waitFor(() => expect(lab.commandsTo('arm').at(-1)).toBe('workcell reset'));
    lab.nodes.set('arm', 'stopper');
    stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
    await waitForStateFiles();
    lab.log.length = 0;
    await openOperation(lab, operation.clock, path);
    await vi.waitFor(() => expect(lab.commandsTo('arm')).toEqual(['node safety_stop']));
  });

  it('releases locks that the previous run has sent without an answer, and keeps those since at confirmed nodes', async () => {
    const path = await stateFile();
    const operation = await startOperation({ arm: 'stopper', mute: 'slow' }, { path });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed', mute: 'sending' }));
    await waitForStateFiles();
    for (const name of ['arm', 'mute']) operation.lab.setFlag(name, 'locked', true);
    operation.lab.nodes.set('mute', 'stopper');
    const restarted = await openOperation(operation.lab, operation.clock, path);
    await vi.waitFor(() => expect(results(restarted)).toEqual({ arm: 'confirmed', mute: 'confirmed' }));
    operation.lab.log.length = 0;
    await restarted.clock.settle(restarted.stops.release(ann));
    // The previous run repeats its stop, because it was not killed here.
    const releasesOf = (name: string) =>
      operation.lab.commandsTo(name).filter((command) => !command.endsWith('safety_stop'));
    expect([releasesOf('arm'), releasesOf('mute')]).toEqual([
      ['workcell reset'],
      ['workcell reset', 'workcell unlock'],
    ]);
    expect(restarted.stops.current).toBeNull();
  });

  /** A stop of which a node has confirmed and another one refuses, interrupted and stored. */
  async function interrupt() {
    const path = await stateFile();
    const operation = await startOperation({ arm: 'stopper', bad: 'refuser' }, { path });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.stops.last?.nodes[0]?.did).toEqual(['lock', 'pause']));
    await waitForStateFiles();
    const { last } = operation.stops;
    if (last === null) throw new Error('There is no stop');
    operation.lab.log.length = 0;
    return { lab: operation.lab, clock: operation.clock, path, last };
  }

  it('sends nothing of a stop that was released meanwhile by the event log, which it reads first', async () => {
    const { lab, clock, path } = await interrupt();
    let isReleased = false;
    const restarted = await openOperation(lab, clock, path, {
      readWithin: async () => void (isReleased = true),
      releasedAt: () => (isReleased ? clock.now() : null),
    });
    await vi.waitFor(() => expect(restarted.stops.current).toBeNull());
    expect([restarted.stops.isSending, lab.log]).toEqual([false, []]);
  });

  it('sends nothing of a stop whose release did not reach every node, and keeps it in effect', async () => {
    const { lab, clock, path, last } = await interrupt();
    const nodes = last.nodes.map((node) => (node.name === 'arm' ? { ...node, released_at: last.at ?? '' } : node));
    const loggedStop = () => ({ ...last, nodes, released: true });
    const restarted = await openOperation(lab, clock, path, { stopInEffect: loggedStop });
    await vi.waitFor(() => expect(restarted.stops.current?.released).toBe(true));
    expect([restarted.stops.isSending, lab.log]).toEqual([false, []]);
    expect(restarted.stops.releases.map(({ name }) => name)).toEqual(['bad']);
  });

  it('releases again what it has sent before it could read the release in the event log', async () => {
    const { lab, clock, path } = await interrupt();
    const releasedAt = clock.now();
    clock.advance(10);
    let isRead = false;
    const restarted = await openOperation(lab, clock, path, { releasedAt: () => (isRead ? releasedAt : null) });
    await vi.waitFor(() => expect(lab.commandsTo('bad')).toContain('node lock'));
    isRead = true;
    restarted.stops.observe();
    await restarted.clock.waitFor(() => expect(restarted.stops.current).toBeNull());
    expect(lab.commandsTo('bad').slice(-2)).toEqual(['workcell unlock', 'workcell resume']);
    // It had received nothing since its release.
    expect(lab.commandsTo('arm')).toEqual([]);
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
