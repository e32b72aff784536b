import { describe, expect, it } from 'vitest';
import { managerKeys } from '#api/managers.ts';
import { listNeeds } from '#api/lab/needs.ts';
import type { NodeState } from '#api/states.ts';
import { countManagers } from '../../managers/lab/labBadge.ts';
import { sampleLabStatus, sampleNow, sampleTime } from '../../fixtures/sampleLabStatus.ts';
import { headingText, labDetails, labSentence } from './labSentence.ts';

const since = sampleTime(14, 2);
const refused = {
  state: 'unreachable',
  since,
  reason: 'Failed to connect: connection refused (127.0.0.1:8003)',
} as const;
const unhealthy = { state: 'unhealthy', since: sampleTime(13, 57), reason: 'no database' } as const;
const slow = { state: 'slow', latency_ms: 1912, reason: 'answers in 1.9 s' } as const;
const allRefused = Object.fromEntries(managerKeys.map((key) => [key, refused]));

describe('labSentence', () => {
  it.each([
    ['healthy managers', sampleLabStatus('healthy'), 'All 6 managers healthy.'],
    ['one configured manager', sampleLabStatus('healthy', {}, ['event']), 'The only manager is healthy.'],
    ['no configured manager', sampleLabStatus('unknown', {}, []), 'No manager is configured.'],
    [
      'one unreachable manager',
      sampleLabStatus('degraded', { resource: refused }),
      'Resource Manager unreachable since 14:02: connection refused (127.0.0.1:8003).',
    ],
    [
      'one unhealthy manager',
      sampleLabStatus('degraded', { data: unhealthy }),
      'Data Manager unhealthy since 13:57: no database.',
    ],
    [
      'two unreachable managers',
      sampleLabStatus('degraded', { resource: refused, data: { ...refused, since: '2026-11-20T10:00:00Z' } }),
      /^2 of 6 managers don’t answer: Resource since 14:02, Data since (?:19|20|21) Nov \d\d:\d\d\.$/,
    ],
    [
      'two managers with different faults',
      sampleLabStatus('degraded', { resource: refused, data: unhealthy }),
      '2 of 6 managers aren’t healthy: Resource unreachable since 14:02, Data unhealthy since 13:57.',
    ],
    [
      'only unhealthy managers',
      sampleLabStatus(
        'down',
        Object.fromEntries(managerKeys.map((key) => [key, { ...unhealthy, reason: 'HTTP 503' }])),
      ),
      /^6 of 6 managers aren’t healthy: Event unhealthy since 13:57, /,
    ],
    [
      'only unreachable managers',
      sampleLabStatus('down', allRefused),
      'No response from any of the 6 managers since 14:02.',
    ],
    [
      'a slow manager',
      sampleLabStatus('healthy', { data: slow }),
      'All 6 managers answer; Data is slow: answers in 1.9 s, usually 5 ms.',
    ],
    [
      'a starting service',
      sampleLabStatus('starting', { data: { state: 'unknown' } }),
      'Starting: 5 of 6 managers checked so far.',
    ],
    ['an unknown state', sampleLabStatus('unknown'), 'The state of the lab is not known at the moment.'],
    [
      'an unreachable manager without a time and a reason',
      sampleLabStatus('degraded', { event: { state: 'unreachable', since: null, reason: null } }),
      'Event Manager unreachable.',
    ],
  ])('describes a lab with %s', (_name, status, sentence) => {
    expect(labSentence(status, sampleNow)).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    );
  });
});

describe('labDetails', () => {
  it.each([
    ['healthy managers', sampleLabStatus('healthy'), 'Healthy since 14:02, 3 min.'],
    ['no configured manager', sampleLabStatus('unknown', {}, []), ''],
    [
      'one unreachable and one slow manager',
      sampleLabStatus('degraded', { resource: refused, data: slow }),
      '5 of 6 managers answer. Data is slow: answers in 1.9 s, usually 5 ms. Degraded since 14:02, 3 min.',
    ],
  ])('describes a lab with %s', (_name, status, details) => {
    expect(labDetails(status, sampleNow, null, [])).toBe(details);
  });

  it('does not call a lab healthy that needs a person', () => {
    const arm = { name: 'arm', state: 'errored' as const, reason: null, since };
    const lab = sampleLabStatus('healthy');
    expect(labDetails(lab, sampleNow, null, listNeeds({ ...lab, activity: { nodes: { in_need: [arm] } } }))).toBe('');
  });

  it('describes a healthy lab in a safety stop as stopped', () => {
    const stop = { id: null, at: sampleTime(14, 4), machine: null, application: null, nodes: [] };
    expect(labDetails(sampleLabStatus('healthy'), sampleNow, stop, [])).toBe('Stopped since 14:04, 1 min.');
    expect(labDetails(sampleLabStatus('healthy'), sampleNow, { ...stop, at: null }, [])).toBe('');
  });
});

describe('headingText', () => {
  const node = (name: string, state: NodeState, waiting = 0) => ({ name, state, reason: null, since, waiting });
  const arm = node('robotarm_1', 'errored');
  const reader = node('reader_1', 'disconnected');
  it.each([
    ['only the managers if nothing needs a person', [], 'All 6 managers healthy.'],
    ['a node', [arm], 'robotarm_1 in error. All 6 managers healthy.'],
    ['two nodes', [arm, reader], 'reader_1 unreachable and robotarm_1 in error. All 6 managers healthy.'],
    [
      'first the nodes that block workflows',
      [arm, reader, node('lh_1', 'paused', 4), node('lh_2', 'notReady')],
      'lh_1 paused, reader_1 unreachable and 2 more. All 6 managers healthy.',
    ],
  ])('names %s', (_name, nodes, expected) => {
    const lab = sampleLabStatus('healthy');
    const needs = listNeeds({ ...lab, activity: { nodes: { in_need: nodes } } });
    expect(headingText(lab, labSentence(lab, sampleNow), { current: needs, stale: [] })).toBe(expected);
  });

  it('names managers first when one fails', () => {
    const lab = sampleLabStatus('degraded', { data: unhealthy });
    const needs = listNeeds({ ...lab, activity: { nodes: { in_need: [arm] } } });
    expect(headingText(lab, labSentence(lab, sampleNow), { current: needs, stale: [] })).toBe(
      'Data Manager unhealthy since 13:57: no database. robotarm_1 in error.',
    );
  });

  it('names a node in error when nothing responds any more', () => {
    const lab = sampleLabStatus('down');
    const needs = listNeeds({ ...lab, activity: { nodes: { in_need: [arm] } } });
    const stale = needs.filter(({ kind }) => kind === 'node');
    expect(headingText(lab, 'No response.', { current: [], stale })).toBe(
      'No response. robotarm_1 in error (last known).',
    );
  });
});

describe('the sentences during maintenance', () => {
  const until = new Date(sampleNow + 3_600_000).toISOString();
  const maintenance = { kind: 'manager' as const, id: 'data', name: 'Data Manager', from: until, until };

  it('exclude a manager in maintenance from the counts and name it', () => {
    const lab = { ...sampleLabStatus('healthy', { data: unhealthy }), maintenance: [maintenance] };
    expect(labSentence(lab, sampleNow)).toBe('All 5 managers healthy.');
    expect(labDetails(lab, sampleNow, null, [])).toMatch(/^In maintenance: Data Manager until 15:05\. Healthy since/);
    // The heading of the table of managers has the same counts.
    const counts = countManagers(lab);
    expect(counts).toEqual({ healthy: 5, total: 5, maintenanceCount: 1 });
  });

  it('count how many of the other managers respond', () => {
    const lab = { ...sampleLabStatus('degraded', { data: unhealthy, resource: refused }), maintenance: [maintenance] };
    expect(labDetails(lab, sampleNow, null, [])).toContain('4 of 5 managers answer.');
  });

  it('end with the next planned maintenance', () => {
    const every = { days: ['Sun' as const], at: '02:00', minutes: 60 };
    const lab = { ...sampleLabStatus('healthy'), planned_maintenance: [{ ...maintenance, every }] };
    expect(labDetails(lab, sampleNow, null, [])).toMatch(
      / Planned: Data Manager every Sun 02:00 for 1 h, next 15:05\.$/,
    );
  });

  it('report the maintenance of the whole lab', () => {
    const lab = {
      ...sampleLabStatus('maintenance'),
      maintenance: [{ ...maintenance, kind: 'lab' as const, id: 'lab' }],
    };
    expect(labSentence(lab, sampleNow)).toBe('The lab is in maintenance.');
  });
});
