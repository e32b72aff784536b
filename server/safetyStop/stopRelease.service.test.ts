/** The release of the safety stop, and the workflows that the stop pauses: real sockets, and a clock that the tests advance. */
import { describe, expect, it, vi } from 'vitest';
import { attemptedCommands } from '../../api/lab/safetyStopApi.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import { ann, results, startOperation } from '../fixtures/stopOperation.ts';

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

  /** A stop whose workflow the manager pauses only when `executePauses` is called. */
  async function pressBeforeLatePause() {
    const operation = await startOperation({ bad: 'deaf' }, { workflows: { queued: { node: 'bad', running: false } } });
    operation.lab.pauses = 'delayed';
    operation.stops.press(ann);
    await operation.clock.waitFor(() => expect(operation.lab.workflowLog).toEqual(['pause queued']));
    return operation;
  }

  it('are resumed although the manager executed their pause after its timeout', async () => {
    const operation = await pressBeforeLatePause();
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

  it('are resumed although the manager executes their pause only during the release', async () => {
    const operation = await pressBeforeLatePause();
    const release = operation.stops.release(ann);
    // Until after the timeout of the request.
    await operation.pass(12_000);
    expect(operation.stops.current?.releasing).toBe(true);
    operation.lab.executePauses();
    await operation.clock.settle(release);
    expect(operation.lab.workflowLog).toEqual(['pause queued', 'resume queued']);
    expect(operation.stops.current).toBeNull();
  });

  it('whose pause the manager rejected do not delay the release', async () => {
    const operation = await startOperation({ bad: 'deaf' }, { workflows: { queued: { node: 'bad', running: false } } });
    operation.lab.pauses = 'rejected';
    operation.stops.press(ann);
    await operation.clock.waitFor(() =>
      expect(operation.stops.current?.workflows).toMatchObject([{ id: 'queued', unconfirmed: true, rejected: true }]),
    );
    operation.lab.nodes.set('bad', 'stopper');
    await operation.stops.release(ann);
    expect(operation.stops.current).toBeNull();
  });

  it('whose pause the manager rejects only during the release do not make it incomplete', async () => {
    const operation = await startOperation({ bad: 'deaf' }, { workflows: { queued: { node: 'bad', running: false } } });
    operation.lab.pauses = 'delayed';
    operation.stops.press(ann);
    await operation.clock.waitFor(() => expect(operation.lab.workflowLog).toContain('pause queued'));
    operation.lab.nodes.set('bad', 'stopper');
    const released = operation.stops.release(ann);
    await operation.pass(5000);
    operation.lab.rejectPauses();
    await operation.clock.settle(released);
    expect(operation.stops.current).toBeNull();
  });

  it('keep the stop in effect after a reset by other means, because only a release resumes them', async () => {
    const operation = await startOperation({ arm: 'stopper', bad: 'deaf' }, { workflows });
    operation.stops.press(ann);
    await operation.clock.waitFor(() => expect(operation.lab.workflowLog).toContain('pause queued'));
    await operation.clock.waitFor(() => expect(operation.stops.isSending).toBe(false));
    operation.lab.setFlag('arm', 'stopped', false);
    operation.clock.advance(40_000);
    await operation.read();
    expect(operation.stops.current?.workflows).toHaveLength(2);
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

  it('waits once for a workcell manager that does not answer, and not for each command', async () => {
    const operation = await startOperation({ arm: 'slow' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.lab.commandsTo('arm')).toContain('node safety_stop'));
    await operation.pass(700);
    operation.lab.answerSlow();
    await vi.waitFor(() => expect(operation.stops.releases[0]?.commands).toEqual(['reset', 'unlock', 'resume']));
    operation.lab.workcellState = 'hung';
    let isOver = false;
    void operation.stops.release(ann).then(() => (isOver = true));
    await operation.clock.waitFor(() => expect(isOver).toBe(true), { withinMs: 22_000 });
    expect(operation.lab.commandsTo('arm').slice(-3)).toEqual(['node reset', 'node unlock', 'node resume']);
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

  it('that a press has superseded does not release the new stop, and the next one does', async () => {
    const operation = await startOperation({ arm: 'slow' });
    operation.stops.press(ann);
    await operation.pass(600);
    const superseded = operation.stops.release(ann);
    operation.lab.nodes.set('arm', 'stopper');
    operation.stops.press(ann);
    const released = operation.stops.release(ann);
    operation.lab.answerSlow();
    await operation.clock.settle(Promise.all([superseded, released]));
    expect(operation.lab.commandsTo('arm')).toContain('workcell reset');
    expect(operation.stops.current).toBeNull();
  });

  it('counts its own locks as effects in the next stop, although the last reading showed them', async () => {
    const operation = await startOperation({ bad: 'refuser' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.stops.last?.nodes[0]?.did).toEqual(['lock', 'pause']));
    await operation.read();
    await operation.clock.settle(operation.stops.release(ann));
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.stops.last?.nodes[0]?.did).toEqual(['lock', 'pause']));
    expect(operation.stops.last?.nodes[0]?.before).toEqual([]);
    expect(operation.stops.releases).toEqual([{ name: 'bad', commands: ['unlock', 'resume'] }]);
  });

  it('that waits for a superseded one releases nothing after a further press', async () => {
    const operation = await startOperation({ arm: 'stopper', late: 'slow' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toMatchObject({ arm: 'confirmed' }));
    const releases = [operation.stops.release(ann)];
    await operation.pass(50);
    operation.stops.press(ann);
    await operation.pass(50);
    releases.push(operation.stops.release(ann));
    await operation.pass(50);
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.lab.commandsTo('late')).toContain('node safety_stop'));
    operation.lab.answerSlow();
    await operation.clock.settle(Promise.all(releases));
    expect(operation.stops.current?.nodes.map(({ released_at: at }) => at)).toEqual([undefined, undefined]);
    expect(operation.lab.commandsTo('late')).not.toContain('workcell reset');
  });

  it('undoes locks in the next stop whose sender still reads those of the released one', async () => {
    const operation = await startOperation({ bad: 'refuser', plain: 'without-stop' });
    operation.lab.setFlag('plain', 'locked', true);
    await operation.read();
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ bad: 'held', plain: 'held' }));
    await operation.clock.settle(operation.stops.release(ann));
    const nodes = ['bad', 'plain'].map((name) => ({ name, attempted: [], before: ['lock', 'pause'] }));
    operation.stops.press(ann, true, nodes);
    // A node is held before its pause is recorded.
    await vi.waitFor(() =>
      expect(operation.stops.releases).toEqual([
        { name: 'bad', commands: ['unlock', 'resume'] },
        { name: 'plain', commands: ['resume'] },
      ]),
    );
  });

  it('keeps the lock that a person has set between the last release and the stop', async () => {
    const operation = await startOperation({ bad: 'refuser', other: 'refuser' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ bad: 'held', other: 'held' }));
    await operation.clock.settle(operation.stops.release(ann));
    operation.lab.setFlag('bad', 'locked', true);
    operation.stops.press(ann);
    await vi.waitFor(() =>
      expect(operation.stops.releases).toEqual([
        { name: 'bad', commands: ['resume'] },
        { name: 'other', commands: ['unlock', 'resume'] },
      ]),
    );
  });

  it('sends the opposite of all commands to a node that has answered none, and is incomplete without an answer', async () => {
    const operation = await startOperation({ mute: 'hanging' });
    operation.stops.press(ann);
    await operation.clock.waitFor(() => expect(operation.stops.isSending).toBe(false), { withinMs: 60_000 });
    operation.lab.log.length = 0;
    await operation.clock.settle(operation.stops.release(ann));
    expect(operation.lab.commandsTo('mute')).toEqual(['workcell reset', 'node reset']);
    expect(operation.stops.current).toMatchObject({ released: true, nodes: [{ name: 'mute', result: 'sent' }] });
    operation.lab.nodes.set('mute', 'stopper');
    await operation.clock.settle(operation.stops.release(ann));
    expect(operation.lab.commandsTo('mute').slice(-3)).toEqual([
      'workcell reset',
      'workcell unlock',
      'workcell resume',
    ]);
    expect(operation.stops.current).toBeNull();
  });

  it('undoes the locks of a node that refused the stop and executed them without an answer', async () => {
    const operation = await startOperation({ bad: 'refuser' });
    const { lab } = operation;
    lab.onCommand = ({ command }) => {
      lab.nodes.set('bad', command === 'safety_stop' ? 'refuser' : 'hanging');
      if (command === 'lock') lab.setFlag('bad', 'locked', true);
    };
    operation.stops.press(ann);
    await operation.pass(500);
    expect(lab.commandsTo('bad')).toContain('workcell pause');
    lab.onCommand = () => void lab.nodes.set('bad', 'stopper');
    await operation.clock.settle(operation.stops.release(ann));
    expect(lab.commandsTo('bad').slice(-2)).toEqual(['workcell unlock', 'workcell resume']);
    expect(operation.stops.current).toBeNull();
  });

  it('undoes locks that a late reading of the earlier press has read', async () => {
    const operation = await startOperation({ arm: 'stopper' });
    const { lab, stops } = operation;
    const answers: (() => void)[] = [];
    lab.onState = (answer) => void answers.push(answer);
    stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
    await vi.waitFor(() => expect(answers).not.toEqual([]));
    await operation.clock.settle(stops.release(ann));
    lab.nodes.set('arm', 'refuser');
    stops.press(ann);
    await operation.clock.waitFor(() => expect(stops.last?.nodes[0]?.did).toEqual(['lock', 'pause']));
    for (const answer of answers) answer();
    await operation.pass(200);
    expect(stops.releases).toEqual([{ name: 'arm', commands: ['unlock', 'resume'] }]);
  });

  it('undoes the locks of the earlier stop after a press during its release', async () => {
    const operation = await startOperation({ plain: 'without-stop', mute: 'hanging' });
    operation.stops.press(ann);
    await operation.pass(2500);
    await operation.read();
    void operation.stops.release(ann);
    await vi.waitFor(() => expect(operation.lab.commandsTo('plain')).toContain('workcell unlock'));
    operation.stops.press(ann);
    await operation.pass(40_000);
    operation.lab.log.length = 0;
    await operation.clock.settle(operation.stops.release(ann));
    expect(operation.lab.commandsTo('plain').map((command) => command.split(' ')[1])).toEqual(['unlock', 'resume']);
  });

  it('of a stop that superseded one of the event log ends both', async () => {
    const logged: LabStop = {
      id: '01JDMOTHER000000000000000A',
      at: new Date(0).toISOString(),
      machine: 'other',
      application: null,
      nodes: [{ name: 'arm', workcell: '', result: 'held', reason: '', did: ['lock'], before: [] }],
    };
    const operation = await startOperation(
      { arm: 'stopper' },
      { logged: (ended) => (ended.has(logged.id ?? '') ? null : logged) },
    );
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
    await operation.clock.settle(operation.stops.release(ann));
    expect(operation.lab.commandsTo('arm')).toEqual(expect.arrayContaining(['workcell reset', 'workcell unlock']));
    expect(operation.stops.current).toBeNull();
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

  it('stays incomplete while the program that sends the stop has not reported a node, and undoes what it reports', async () => {
    const node = { name: 'arm', workcell: '', result: 'sending' as const, reason: '', did: [], before: [] };
    const id = '01JDMOTHER000000000000000A';
    // The nodes are not read again after this press.
    const at = '2026-11-21T09:00:00.000Z';
    let logged: LabStop = { id, at, machine: 'other', application: null, nodes: [node] };
    const operation = await startOperation({ arm: 'stopper' }, { logged: () => logged });
    await operation.stops.release(ann);
    expect(operation.stops.current).toMatchObject({ id, released: true });
    logged = { ...logged, nodes: [{ ...node, attempted: ['lock', 'pause'] }] };
    await operation.stops.release(ann);
    expect(operation.lab.commandsTo('arm')).toEqual(['workcell unlock', 'workcell resume']);
  });

  it('also undoes what another sender sends after it, and nothing at the other nodes', async () => {
    const operation = await startOperation({ arm: 'stopper', bench: 'stopper', late: 'deaf' });
    operation.stops.press(ann);
    await vi.waitFor(() =>
      expect(results(operation)).toEqual({ arm: 'confirmed', bench: 'confirmed', late: 'refused' }),
    );
    const id = operation.stops.current?.id ?? '';
    await operation.clock.settle(operation.stops.release(ann));
    for (const name of ['arm', 'late']) operation.lab.setFlag(name, 'stopped', true);
    operation.lab.setFlag('late', 'locked', true);
    operation.lab.nodes.set('late', 'stopper');
    operation.lab.log.length = 0;
    const attempted = [...attemptedCommands];
    const nodes = ['arm', 'bench', 'late'].map((name) => ({ name, attempted, before: [] }));
    await operation.stops.addAttempts(nodes, id, ann);
    expect(operation.lab.commandsTo('arm')).toEqual(['workcell reset']);
    expect(operation.lab.commandsTo('bench')).toEqual([]);
    expect(operation.lab.commandsTo('late')).toEqual(['workcell reset', 'workcell unlock']);
    expect(operation.stops.current).toBeNull();
  });

  it('is repeated at a node that executes a command of another sender after it, until the timeout of that command', async () => {
    const operation = await startOperation({ plain: 'without-stop' });
    const { stops, lab } = operation;
    stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ plain: 'held' }));
    await stops.addAttempts([{ name: 'plain', attempted: ['lock'], before: [] }], stops.current?.id ?? '', ann);
    await operation.clock.settle(stops.release(ann));
    expect(stops.current).toBeNull();
    lab.log.length = 0;
    lab.setFlag('plain', 'locked', true);
    await operation.clock.waitFor(() => expect(lab.commandsTo('plain')).toEqual(['workcell unlock']));
    await operation.clock.waitFor(() => expect(stops.current).toBeNull());
    await operation.pass(10_000);
    // By then it is a person's.
    lab.setFlag('plain', 'locked', true);
    await operation.pass(3000);
    expect(lab.commandsTo('plain')).toEqual(['workcell unlock']);
  });

  it('keeps the locks that a person has set since the last reading of the nodes', async () => {
    const operation = await startOperation({ bad: 'refuser', plain: 'without-stop', late: 'slow' });
    const names = ['bad', 'plain', 'late'];
    for (const name of names) operation.lab.setFlag(name, 'locked', true);
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.lab.commandsTo('plain')).toContain('node lock'));
    await operation.pass(1000);
    await vi.waitFor(() => expect(results(operation)).toEqual({ bad: 'held', plain: 'held', late: 'held' }));
    operation.lab.answerSlow();
    await operation.clock.settle(operation.stops.release(ann));
    expect(names.flatMap((name) => operation.lab.commandsTo(name))).not.toContain('workcell unlock');
    expect(operation.stops.current).toBeNull();
  });

  it('undoes locks that a further sender of the same stop reads as set before', async () => {
    const operation = await startOperation({ bad: 'refuser' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(operation.stops.last?.nodes[0]?.did).toEqual(['lock', 'pause']));
    operation.stops.press(ann, true, [{ name: 'bad', attempted: [], before: ['lock', 'pause'] }]);
    await operation.clock.settle(operation.stops.release(ann));
    expect(operation.lab.commandsTo('bad').slice(-2)).toEqual(['workcell unlock', 'workcell resume']);
  });

  it('keeps the locks that only the sender of the stop has read before it', async () => {
    const operation = await startOperation({ bad: 'refuser' });
    operation.stops.press(ann, true, [{ name: 'bad', attempted: [], before: ['lock'] }]);
    await vi.waitFor(() => expect(operation.stops.last?.nodes[0]?.did).toEqual(['lock', 'pause']));
    await operation.clock.settle(operation.stops.release(ann));
    expect(operation.lab.commandsTo('bad').at(-1)).toBe('workcell resume');
    expect(operation.lab.commandsTo('bad')).not.toContain('workcell unlock');
  });

  it('undoes what a sender has done that ended before it could report it, and keeps what was set before', async () => {
    const node = { workcell: '', result: 'sending' as const, reason: '', did: [] };
    const logged: LabStop = {
      id: '01JDMOTHER000000000000000A',
      at: '2026-11-21T09:00:00.000Z',
      machine: 'other',
      application: null,
      nodes: [
        { ...node, name: 'arm', before: [] },
        { ...node, name: 'bench', before: ['lock'] },
        { ...node, name: 'spare', before: [] },
      ],
    };
    const operation = await startOperation(
      { arm: 'stopper', bench: 'stopper', spare: 'stopper' },
      { logged: () => logged },
    );
    operation.lab.setFlag('arm', 'stopped', true);
    for (const flag of ['locked', 'paused']) operation.lab.setFlag('bench', flag, true);
    await operation.stops.release(ann);
    expect(operation.lab.commandsTo('arm')).toEqual(['workcell reset']);
    expect(operation.lab.commandsTo('bench')).toEqual(['workcell resume']);
    expect(operation.lab.commandsTo('spare')).toEqual([]);
  });

  it('shows no state of a node from before its release', async () => {
    const operation = await startOperation({ arm: 'stopper' });
    operation.stops.press(ann);
    await vi.waitFor(() => expect(results(operation)).toEqual({ arm: 'confirmed' }));
    await operation.pass(400);
    await vi.waitFor(() => expect(operation.stops.last?.nodes[0]?.now?.state).toBe('stopped'));
    await operation.pass(100);
    await operation.stops.release(ann);
    expect(operation.stops.last?.nodes[0]?.now?.state).not.toBe('stopped');
    await vi.waitFor(() => expect(operation.stops.last?.nodes[0]?.now?.state).toBe('ready'));
  });
});
