/** The safety stop as an operation of the service: real sockets to failing nodes, and a clock that the tests advance. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import type { NodeKind } from '../fixtures/stopLab.ts';
import { ann, openOperation, results, startOperation } from '../fixtures/stopOperation.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
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
