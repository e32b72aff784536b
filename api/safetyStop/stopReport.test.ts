/** The report of a safety stop by node, its order, and the commands of its release. */
import { describe, expect, it } from 'vitest';
import type { StoppedNode } from '../commandRecord.ts';
import { withNode, type FlagReading, type LabStop } from './labStop.ts';
import {
  applyOutcome,
  describeRelease,
  planReleases,
  releaseBlockedReason,
  rowAppearance,
  rowText,
  sortTargets,
  startNode,
  summaryText,
  type StopTarget,
} from './stopReport.ts';
import { safetyStopTexts as texts } from './safetyStopTexts.ts';

const pressedAt = Date.UTC(2026, 10, 21, 9, 0, 0);
const node = (fields: Partial<StoppedNode> = {}): StoppedNode => ({
  name: 'arm',
  workcell: '',
  result: 'confirmed',
  reason: '',
  did: [],
  before: [],
  ...fields,
});
const stop = (nodes: readonly StoppedNode[]): LabStop => ({
  id: '01JDMSAMPLE000000000000000',
  at: new Date(pressedAt).toISOString(),
  machine: 'lab-pc',
  application: 'dashboard',
  nodes: [...nodes],
});
const busy = { state: 'locked', flags: ['busy'] } as const;

describe('order', () => {
  it('of the report is working and unconfirmed, unconfirmed, locked instead, confirmed', () => {
    const nodes = [
      node({ name: 'a', result: 'confirmed', now: { state: 'busy', flags: [] } }),
      node({ name: 'b', result: 'held' }),
      node({ name: 'd', result: 'refused', now: { ...busy, flags: ['busy'] } }),
      node({ name: 'e', result: 'failed' }),
      node({ name: 'c', result: 'sent', now: { state: 'busy', flags: [] } }),
    ];
    const sorted = nodes.reduce((all, each) => withNode(all, each), stop([]));
    expect(sorted.nodes.map(({ name }) => name)).toEqual(['c', 'd', 'e', 'b', 'a']);
  });

  it('of sending is real safety stops first, of these the busy ones first', () => {
    const target = (name: string, commands: readonly string[] | null, isBusy: boolean) => ({ name, commands, isBusy });
    const targets = [
      target('a', ['lock'], true),
      target('b', ['safety_stop'], false),
      target('c', null, true),
      target('d', ['safety_stop'], true),
    ];
    expect(sortTargets(targets).map(({ name }) => name)).toEqual(['d', 'b', 'a', 'c']);
  });
});

describe('a further press', () => {
  const target: StopTarget = { name: 'arm', url: null, commands: null, before: ['lock'], isBusy: false };

  it('keeps the effects of the stop in effect, and the state before it', () => {
    const earlier = node({ did: ['lock', 'pause'], before: [] });
    expect(startNode(target, '', earlier)).toMatchObject({ result: 'sending', did: ['lock', 'pause'], before: [] });
  });

  it('after the release of the node starts from its present state', () => {
    const earlier = node({ did: ['lock'], released_at: '2026-11-21T09:00:00.000Z' });
    expect(startNode(target, '', earlier)).toMatchObject({ did: [], before: ['lock'] });
  });

  it('revokes the release of a node that confirms a further command', () => {
    const released = node({ did: ['lock'], released_at: '2026-11-21T09:00:00.000Z' });
    const outcome = { state: 'held', direct: true, reason: '' } as const;
    expect(applyOutcome(released, { ...outcome, did: ['lock'] }, 2)).toHaveProperty('released_at');
    expect(applyOutcome(released, { ...outcome, did: ['pause'] }, 2)).not.toHaveProperty('released_at');
  });
});

describe('text of a node', () => {
  it.each<[string, Partial<StoppedNode>, string]>([
    ['confirmed itself', { direct: true }, texts.outcome.confirmedDirectly],
    ['confirmed through the workcell manager', {}, texts.outcome.confirmed],
    ['refused', { result: 'refused', reason: 'door open', attempts: 3 }, 'Refused: door open. Sent 3 times.'],
    [
      'locked and paused',
      { result: 'held', did: ['pause', 'lock'], reason: 'safety stop (timed out)' },
      'It was locked and paused, which is not a safety stop. Not confirmed: safety stop (timed out).',
    ],
    ['without an answer', { result: 'sent', reason: 'timed out' }, 'No answer: timed out.'],
    ['not released', { release_failure: 'no route' }, 'Not released: no route.'],
  ])('that is %s', (_what, fields, text) => expect(rowText(node(fields))).toContain(text));

  it.each<[string, Partial<StoppedNode>, string]>([
    [
      'works although it is locked',
      { result: 'held', did: ['lock'], now: { ...busy, flags: ['busy'] } },
      'Still working',
    ],
    ['was paused and locked', { result: 'held', did: ['pause', 'lock'] }, 'Locked and paused'],
    ['was only locked', { result: 'held', did: ['lock'] }, 'Locked'],
    ['was locked, and its action cancelled', { result: 'held', did: ['lock', 'cancel'] }, 'Locked and cancelled'],
    ['refused', { result: 'refused' }, texts.notConfirmedLabel],
    ['is released', { released_at: '2026-11-21T09:00:00.000Z' }, texts.releasedLabel],
    ['is not released', { release_failure: 'x' }, 'Not released'],
  ])('has its own label if the node %s', (_what, fields, label) =>
    expect(rowAppearance(node(fields)).label).toBe(label),
  );
});

it.each<[string, readonly StoppedNode[], string]>([
  ['nothing', [], 'No node is known, so nothing could be sent. Use the hardware emergency stop.'],
  ['all confirmed', [node(), node({ name: 'b' })], 'All 2 nodes confirmed.'],
  ['one to answer', [node(), node({ name: 'b', result: 'sending' })], '1 of 2 nodes confirmed. 1 still to answer.'],
  ['one refused', [node({ result: 'refused' })], '0 of 1 nodes confirmed. One node is not known to have stopped'],
  ['released', [node({ released_at: 'x' })], 'The node is released.'],
])('the summary counts %s', (_what, nodes, text) => expect(summaryText(nodes)).toContain(text));

describe('release', () => {
  const flags = (afterMs: number, fields: Partial<FlagReading['nodes'][number]>): FlagReading => ({
    at: pressedAt + afterMs,
    nodes: [{ name: 'arm', isKnown: true, stopped: false, locked: false, paused: false, ...fields }],
  });
  it.each<[string, Partial<StoppedNode>, FlagReading | null, readonly string[] | null]>([
    ['resets a node that confirmed', { did: ['safety_stop'] }, null, ['reset']],
    ['resets and unlocks a node', { did: ['safety_stop', 'lock', 'pause'] }, null, ['reset', 'unlock', 'resume']],
    [
      'keeps a lock from before the stop',
      { result: 'held', did: ['lock', 'pause'], before: ['lock'] },
      null,
      ['resume'],
    ],
    ['does not reset a node that was reset since', { did: ['safety_stop'] }, flags(40_000, {}), null],
    ['resets by the answer before the next reading', { did: ['safety_stop'] }, flags(1000, {}), ['reset']],
    ['resets a stopped node without an answer', { result: 'sent' }, flags(40_000, { stopped: true }), ['reset']],
    ['unlocks a node without an answer', { result: 'sent' }, flags(40_000, { locked: true }), ['unlock']],
    ['leaves the lock of a node that refused', { result: 'refused' }, flags(40_000, { locked: true }), null],
    [
      'undoes what the sender itself has sent',
      { did: ['safety_stop'], attempted: ['lock', 'pause'] },
      null,
      ['reset', 'unlock', 'resume'],
    ],
    [
      'undoes of that only what is in effect',
      { result: 'held', did: ['pause'], attempted: ['lock', 'pause'] },
      flags(40_000, { paused: true }),
      ['resume'],
    ],
    ['ignores them at a node that refuses', { result: 'refused', attempted: ['lock', 'pause'] }, null, null],
    ['sends a released node nothing', { did: ['lock'], released_at: 'x' }, null, null],
    ['cannot restore a cancelled action', { result: 'held', did: ['cancel'] }, null, null],
  ])('%s', (_what, fields, reading, commands) => {
    const expected = commands === null ? [] : [{ name: 'arm', commands }];
    expect(planReleases(stop([node(fields)]), reading)).toEqual(expected);
  });

  it('resets a node that is stopped without being part of the stop', () => {
    expect(planReleases(stop([]), flags(0, { stopped: true }))).toEqual([{ name: 'arm', commands: ['reset'] }]);
  });
});

describe('the release', () => {
  const releases = [
    { name: 'arm', commands: ['reset'] },
    { name: 'reader', commands: ['unlock', 'resume'] },
    { name: 'washer', commands: ['unlock', 'resume'] },
  ];
  const stopped = [
    ...releases.map(({ name }) => node({ name })),
    node({ name: 'gone', result: 'failed', did: [] }),
    node({ name: 'slow', result: 'sending', did: [] }),
  ];

  it('names each node with its effect', () => {
    expect(describeRelease(stopped, releases)).toEqual([
      'arm: reset',
      'reader: unlock, resume',
      'washer: unlock, resume',
      texts.releaseNode('gone', ''),
      texts.releaseNode('slow', 'the opposite of what it still confirms'),
    ]);
  });

  it.each([
    ['nodes can be released', [node({ did: ['lock'] })], 1, null],
    ['no node has confirmed anything', [node({ result: 'failed', did: [] })], 0, null],
    ['no node has answered yet', [node({ result: 'sending', did: [] })], 0, texts.waiting(1)],
  ] as const)('is possible if a result is known: %s', (_what, nodes, count, reason) => {
    expect(releaseBlockedReason(stop(nodes), count)).toBe(reason);
    expect(releaseBlockedReason({ ...stop(nodes), releasing: true }, count)).toBe(texts.releasing);
  });
});
