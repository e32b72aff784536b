import { describe, expect, it } from 'vitest';
import {
  createCommandEvent,
  createRecord,
  readRecordedCommand,
  stopCommands,
  type RecordFields,
  type RecordedCommand,
  type StoppedNode,
} from '../commandRecord.ts';
import {
  currentStop as findCurrentStop,
  describeStop,
  findUndoneStop,
  listUnconfirmedNodes,
  type FlagReading,
} from './labStop.ts';

const workcell = 'http://lab:8005/';
const at = '2026-11-23T14:02:00.000Z';
const currentStop = (records: readonly RecordedCommand[], reading: FlagReading | null, now = Date.parse(at) + 20_000) =>
  findCurrentStop(records, { flagReading: reading, now });

function node(name: string, result: StoppedNode['result'], did: string[] = [], before: string[] = []): StoppedNode {
  return { name, workcell, result, reason: '', did, before };
}

let ids = 0;
function createCommand(command: string, changes: Partial<RecordFields> = {}): RecordedCommand {
  ids += 1;
  const fields: RecordFields = {
    command,
    target: { kind: 'lab', id: null, name: 'all nodes' },
    result: 'done',
    reason: '',
    sent_at: at,
    duration_ms: 5,
    application: 'dashboard',
    machine: 'lab-pc',
    ...changes,
  };
  return { id: `event-${ids}`, record: createRecord(fields, command) };
}

const timeAfter = (seconds: number): string => new Date(Date.parse(at) + seconds * 1000).toISOString();
const nodes = [
  node('arm', 'confirmed', ['safety_stop']),
  node('mover_plain', 'held', ['lock', 'pause'], ['lock']),
  node('mover_refuse', 'refused'),
];
const stop = createCommand(stopCommands.stop, {
  result: 'sent',
  nodes: nodes.map(({ name }) => node(name, 'sending')),
});
const result = createCommand(stopCommands.result, { stop_id: stop.id, sent_at: timeAfter(3), nodes });

function flags(seconds: number, stopped: boolean, paused = stopped): FlagReading {
  return {
    at: Date.parse(timeAfter(seconds)),
    nodes: [
      { name: 'arm', isKnown: true, stopped, locked: false, paused: false },
      { name: 'mover_plain', isKnown: true, stopped: false, locked: true, paused },
      { name: 'mover_refuse', isKnown: true, stopped: false, locked: false, paused: false },
    ],
  };
}

describe('the state of a lab after a safety stop', () => {
  it('is null without a recorded stop and without a stopped node', () => {
    expect(currentStop([], null)).toBeNull();
    expect(currentStop([], flags(0, false))).toBeNull();
  });

  it('attributes locks of another stop that was pressed moments before to that stop, not to a person', () => {
    const otherStop = createCommand(stopCommands.stop, { result: 'sent', sent_at: timeAfter(-2), nodes: [] });
    const otherResult = createCommand(stopCommands.result, {
      stop_id: otherStop.id,
      nodes: [node('mover_plain', 'held', ['lock', 'pause'])],
    });
    const laterStop = createCommand(stopCommands.stop, { result: 'sent', nodes: [] });
    const laterResult = createCommand(stopCommands.result, {
      stop_id: laterStop.id,
      nodes: [node('mover_plain', 'held', ['pause'], ['lock', 'pause'])],
    });
    const state = currentStop([otherStop, laterStop, otherResult, laterResult], null);
    expect(state?.nodes).toEqual([node('mover_plain', 'held', ['pause', 'lock'])]);
  });

  it('keeps the locks that a person set when two stops are pressed at the same time', () => {
    const otherStop = createCommand(stopCommands.stop, {
      sent_at: timeAfter(-2),
      nodes: [node('mover_plain', 'held', ['lock', 'pause'], ['lock'])],
    });
    const laterStop = createCommand(stopCommands.stop, {
      nodes: [node('mover_plain', 'held', ['lock'], ['lock', 'pause'])],
    });
    expect(currentStop([otherStop, laterStop], null)?.nodes).toEqual([
      node('mover_plain', 'held', ['lock', 'pause'], ['lock']),
    ]);
  });

  it('lists the unconfirmed nodes first', () => {
    const state = currentStop([stop, result], null);
    expect(state).toMatchObject({ id: stop.id, at, machine: 'lab-pc' });
    expect(state?.nodes.map(({ name }) => name)).toEqual(['mover_refuse', 'mover_plain', 'arm']);
  });

  it('lists the targets of the stop until a result is recorded, then the newest result', () => {
    expect(currentStop([stop], null)?.nodes.map((stoppedNode) => stoppedNode.result)).toEqual([
      'sending',
      'sending',
      'sending',
    ]);
    const final = createCommand(stopCommands.result, {
      stop_id: stop.id,
      sent_at: timeAfter(20),
      nodes: [node('arm', 'confirmed')],
    });
    expect(currentStop([stop, result, final], null)?.nodes).toHaveLength(1);
  });

  it.each([
    ['a release of every node', stopCommands.release, 'done', null],
    ['a release that failed at a node', stopCommands.release, 'failed', stop.id],
    ['an acknowledgement', stopCommands.acknowledge, 'done', null],
  ] as const)('shows no stop unless a release failed: %s', (_what, command, outcome, id) => {
    const closing = createCommand(command, { stop_id: stop.id, result: outcome, sent_at: timeAfter(60) });
    expect(currentStop([stop, result, closing], flags(90, true))?.id ?? null).toBe(id);
  });

  it('does not show a stop again because of the flags of acknowledged nodes', () => {
    const acknowledged = createCommand(stopCommands.acknowledge, { stop_id: stop.id, sent_at: timeAfter(60), nodes });
    expect(currentStop([stop, result, acknowledged], flags(90, true))).toBeNull();
  });

  it('keeps a stop in effect after the release of an earlier stop', () => {
    const earlier = createCommand(stopCommands.stop, { sent_at: timeAfter(-60) });
    const release = createCommand(stopCommands.release, { stop_id: earlier.id, sent_at: timeAfter(10) });
    expect(currentStop([earlier, stop, result, release], null)?.id).toBe(stop.id);
  });

  it('ends a stop only when newer flags show that every stopped node was reset', () => {
    expect(currentStop([stop, result], flags(10, false))?.id).toBe(stop.id);
    expect(currentStop([stop, result], flags(60, true))?.id).toBe(stop.id);
    expect(currentStop([stop, result], flags(60, false))).toBeNull();
  });

  it('does not end a stop that no node confirmed', () => {
    const failed = createCommand(stopCommands.result, {
      stop_id: stop.id,
      sent_at: timeAfter(3),
      nodes: [node('arm', 'failed')],
    });
    expect(currentStop([stop, failed], flags(600, false))?.id).toBe(stop.id);
  });

  it('lists the nodes whose flags show a stop when no stop is recorded', () => {
    const state = currentStop([], flags(0, true));
    expect(state).toMatchObject({ id: null, at: null, nodes: [{ name: 'arm', did: ['safety_stop'] }] });
  });
});

describe('records that must not falsify the state of a stop', () => {
  it('a safety stop of a single node is not a safety stop of the lab', () => {
    const single = createCommand(stopCommands.stop, { target: { kind: 'node', id: null, name: 'arm' } });
    expect(currentStop([stop, result, single], null)?.id).toBe(stop.id);
    expect(currentStop([single], null)).toBeNull();
  });

  it('the newest stop is the last one in the event log, even if the clock of an earlier sender was ahead', () => {
    const futureStop = createCommand(stopCommands.stop, { sent_at: '2099-01-01T00:00:00.000Z' });
    const released = createCommand(stopCommands.release, {
      stop_id: futureStop.id,
      sent_at: '2099-01-01T00:01:00.000Z',
    });
    expect(currentStop([futureStop, released, stop, result], null)?.id).toBe(stop.id);
    expect(currentStop([futureStop], null)?.at).toBe(timeAfter(20));
  });

  it('a release that did not reach every node shows the nodes that it reached', () => {
    const reached = [{ ...node('arm', 'confirmed', ['safety_stop']), released_at: at }];
    const released = createCommand(stopCommands.release, { stop_id: stop.id, result: 'failed', nodes: reached });
    const current = currentStop([stop, result, released], null);
    expect(current?.released).toBe(true);
    expect(current?.nodes.filter((each) => each.released_at !== undefined).map(({ name }) => name)).toEqual(['arm']);
  });

  it('an unreachable node does not count as reset, because the manager reports none of its flags', () => {
    const lost = flags(60, false);
    const nodesNow = lost.nodes.map((reportedNode) =>
      reportedNode.name === 'arm' ? { ...reportedNode, isKnown: false } : reportedNode,
    );
    expect(currentStop([stop, result], { ...lost, nodes: nodesNow })?.id).toBe(stop.id);
  });

  it('a node that is stopped again after its stop was undone is a new stop', () => {
    expect(findUndoneStop([stop, result], flags(60, false))).toBe(stop.id);
    const undone = new Set([stop.id]);
    const now = Date.parse(timeAfter(3600));
    expect(findCurrentStop([stop, result], { flagReading: flags(3600, true), now, undone })?.id).toBeNull();
  });

  it('nodes without a result count as sent a minute after the stop', () => {
    const state = currentStop([stop], null, Date.parse(timeAfter(60)));
    expect(state?.nodes.map((stoppedNode) => stoppedNode.result)).toEqual(['sent', 'sent', 'sent']);
  });

  it('a record with an invalid time is ignored, and long lists and texts are shortened', () => {
    const event = createCommandEvent(stop, null);
    const forged = (data: object) => readRecordedCommand({ ...event, event_data: { ...stop.record, ...data } });
    expect(forged({ sent_at: 'x' })).toBeNull();
    const many = Array.from({ length: 5000 }, () => node('n'.repeat(5000), 'failed'));
    expect(JSON.stringify(forged({ nodes: many })).length).toBeLessThan(400_000);
  });
});

describe('the sentence about a stop', () => {
  const time = () => '14:02';
  it('counts a node that a release has reached no longer as unconfirmed', () => {
    const released = { ...node('washer', 'held', ['lock']), released_at: at };
    expect(listUnconfirmedNodes({ nodes: [node('arm', 'held', ['lock']), released] }).map(({ name }) => name)).toEqual([
      'arm',
    ]);
  });

  it('names the computer that stopped the lab and the unconfirmed nodes', () => {
    const state = currentStop([stop, result], null);
    expect(state && describeStop(state, time)).toBe(
      'Safety stop at 14:02 by lab-pc: 2 of 3 nodes not confirmed: mover_refuse, mover_plain.',
    );
  });

  it('names the user who stopped the lab', () => {
    const state = currentStop([{ ...stop, record: { ...stop.record, user: 'ann' } }, result], null);
    expect(state && describeStop(state, time)).toMatch(/^Safety stop at 14:02 by ann on lab-pc: /);
  });

  it('counts the nodes that have not answered in the first seconds', () => {
    const state = currentStop([stop], null, Date.parse(at) + 1000);
    expect(state && describeStop(state, time)).toMatch(/: 3 of 3 nodes still to answer\.$/);
  });

  it.each([
    [[{ released_at: at }, {}, {}], '1 of 3 nodes released, not yet: mover_plain, mover_refuse'],
    [[{ released_at: at }, { released_at: at }, { released_at: at }], '3 of 3 nodes released'],
  ])('counts the released nodes of an incomplete release', (fields, text) => {
    const names = ['arm', 'mover_plain', 'mover_refuse'];
    const released = names.map((name, index) => ({ ...node(name, 'confirmed', ['safety_stop']), ...fields[index] }));
    const state = { id: 'stop', at, machine: 'lab-pc', application: null, nodes: released, released: true };
    expect(describeStop(state, time)).toBe(`Safety stop at 14:02 by lab-pc: ${text}.`);
  });

  it('names the stopped nodes when only their flags are known', () => {
    const state = currentStop([], flags(0, true));
    expect(state && describeStop(state, time)).toBe('Stopped without a recorded safety stop: arm.');
  });
});

describe('the event of a command', () => {
  it('can be read back as it was recorded, with its own ID', () => {
    const event = createCommandEvent(result, null);
    expect(event).toMatchObject({ _id: result.id, event_type: 'node_status_update', log_level: 30, source: {} });
    expect(event).not.toHaveProperty('event_timestamp');
    expect(readRecordedCommand(event)).toEqual(result);
  });

  it.each([
    ['node', 'pause', 'node_status_update', { node_name: 'Growth' }],
    ['workflow', 'cancel', 'workflow_abort', { workflow_id: '01J' }],
    ['workflow', 'pause', 'log_info', { workflow_id: '01J' }],
    ['workflow', 'submit_again', 'workflow_create', { workflow_id: '01J' }],
    ['experiment', 'pause', 'experiment_pause', { experiment_id: '01J' }],
    ['experiment', 'mark_as_failed', 'experiment_failed', { experiment_id: '01J' }],
    ['experiment', 'start_an_experiment', 'experiment_start', { experiment_id: '01J' }],
    ['location', 'detach_resource', 'attachment_delete', { location_id: '01J' }],
    ['resource', 'set_quantity', 'resource_update', { resource_id: '01J' }],
    ['location', 'attach', 'attachment_create', { location_id: '01J' }],
  ] as const)(
    'is about a %s and the command %s: it has the type %s and names its object',
    (kind, command, type, subject) => {
      const id = kind === 'node' ? null : '01J';
      const record = createRecord(
        { ...result.record, nodes: undefined, stop_id: undefined, command, target: { kind, id, name: 'Growth' } },
        'Change',
      );
      const event = createCommandEvent({ id: 'x', record }, '2026-11-23T15:02:00');
      expect(event).toMatchObject({ event_type: type, event_timestamp: '2026-11-23T15:02:00', event_data: subject });
    },
  );

  it('shortens long texts from managers', () => {
    const record = createRecord(
      { ...result.record, reason: 'x'.repeat(5000), target: { kind: 'node', id: null, name: 'n'.repeat(5000) } },
      'Pause',
    );
    expect(JSON.stringify(record).length).toBeLessThan(3000);
  });

  it('is found in no other event: readRecordedCommand returns null', () => {
    expect(readRecordedCommand({ _id: 'x', event_data: 'text' })).toBeNull();
    expect(
      readRecordedCommand({ _id: 'x', event_data: { message: 'hello', component_name: 'lab_manager' } }),
    ).toBeNull();
  });
});
