import { describe, expect, it } from 'vitest';
import type { Node } from '../../../api/managers/node.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import { sampleLab, sampleNow, sampleTime } from '../../fixtures/lab.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/workflow.ts';
import { parseTime } from '../../base/time.ts';
import { attentionItems, longestTimes, shownAtFirst, type Seen } from './attention.ts';

const workcell = (nodes: Record<string, Node>, errored = false): Seen['workcell'] => ({
  status: {
    paused: false,
    errored,
    errors: errored ? [{ message: 'database lost', logged_at: sampleTime(14, 0) }] : [],
    initializing: false,
    shutdown: false,
    locked: false,
    ok: !errored,
  },
  workflow_queue: [],
  workcell_info: { name: 'Example Workcell' },
  nodes,
});

function seen(changed: Partial<Seen> = {}): Seen {
  return {
    managers: sampleLab('healthy').managers,
    workcell: workcell({ arm: sampleNode() }),
    current: [],
    archived: [],
    ownAddresses: 0,
    now: sampleNow,
    at: parseTime,
    ...changed,
  };
}
const lines = (changed: Partial<Seen>) => attentionItems(seen(changed)).map(({ name, reason }) => `${name}: ${reason}`);

function ran(minutes: number, changed: Partial<Workflow> = {}): Workflow {
  const start_time = new Date(sampleNow - minutes * 60_000).toISOString();
  return sampleWorkflow({ steps: [sampleStep({ status: 'running', start_time })], ...changed }, { running: true });
}
const took = (minutes: number): Workflow =>
  sampleWorkflow(
    { steps: [sampleStep({ status: 'succeeded', start_time: sampleTime(9, 0), end_time: sampleTime(9, minutes) })] },
    { completed: true },
  );

describe('what needs attention', () => {
  it('is nothing in a lab that is well', () => {
    expect(attentionItems(seen())).toEqual([]);
  });

  it('a manager, with its reason and since when', () => {
    const { managers } = sampleLab('degraded', {
      resource: { state: 'unreachable', reason: 'Failed to connect: connection refused', since: sampleTime(14, 2) },
    });
    expect(attentionItems(seen({ managers }))).toMatchObject([
      { name: 'Resource manager', reason: 'connection refused', since: parseTime(sampleTime(14, 2)) },
    ]);
  });

  it('nodes that need somebody, but none that work or were paused by somebody', () => {
    const errors = [{ message: 'filter wheel did not home', logged_at: sampleTime(13, 57) }];
    const nodes = {
      arm: sampleNode({ busy: true }),
      held: sampleNode({ paused: true }),
      reader: sampleNode({ errored: true, errors }),
      far: sampleNode({ disconnected: true, errored: true, errors: [{ message: 'no route to host' }] }),
    };
    expect(lines({ workcell: workcell(nodes) })).toEqual([
      'far: no route to host',
      'reader: filter wheel did not home',
    ]);
  });

  it('a workcell whose engine has stopped', () => {
    expect(lines({ workcell: workcell({}, true) })).toEqual([
      expect.stringMatching(/^Example Workcell: The workcell’s engine has stopped.*database lost$/),
    ]);
  });

  it('workflows that failed in the last day, once each', () => {
    const failed = (hour: number, id: string) =>
      sampleWorkflow({ workflow_id: id, name: id, end_time: sampleTime(hour, 0) }, { failed: true });
    const old = sampleWorkflow({ end_time: '2026-11-19T10:00:00' }, { failed: true });
    expect(lines({ current: [failed(13, 'a')], archived: [failed(13, 'a'), failed(12, 'b'), old] })).toEqual([
      'a: Failed at step 1 of 1',
      'b: Failed at step 1 of 1',
    ]);
  });

  it('how many wait for a node that needs somebody', () => {
    const nodes = { arm: sampleNode({ stopped: true }) };
    const current = [sampleWorkflow(), sampleWorkflow({ workflow_id: 'b' }), ran(1)];
    expect(lines({ workcell: workcell(nodes), current })).toEqual([
      'arm: Stopped by a safety stop; a reset releases it. 2 workflows wait for it.',
    ]);
  });

  it('a step that runs far longer than it ever did', () => {
    expect(lines({ current: [ran(25)], archived: [took(4), took(2)] })).toEqual([
      'Growth assay: Move on arm runs for 25 min; earlier ones took at most 4 min',
    ]);
    expect(lines({ current: [ran(11)], archived: [took(4)] })).toEqual([]);
    expect(lines({ current: [ran(25)] })).toEqual([]);
    expect(longestTimes([took(4), took(2)], parseTime).get('arm transfer')).toBe(4 * 60_000);
  });

  it('versions that differ, and addresses that others can’t use, which can be hidden', () => {
    const { managers } = sampleLab('healthy', { event: { version: '0.7.1' } });
    const items = attentionItems(seen({ managers, ownAddresses: 6 }));
    expect(items.map(({ name, hideable }) => [name, hideable])).toEqual([
      ['Versions', undefined],
      ['Addresses', true],
    ]);
  });

  it('worst first, then newest', () => {
    const { managers } = sampleLab('degraded', { data: { state: 'slow' }, event: { state: 'unreachable' } });
    const nodes = { arm: sampleNode({ errored: true, errors: [{ message: 'stalled' }] }) };
    expect(attentionItems(seen({ managers, workcell: workcell(nodes) })).map(({ name }) => name)).toEqual([
      'Event manager',
      'arm',
      'Data manager',
    ]);
  });
});

it.each([
  [3, true, 3],
  [4, true, 4],
  [5, true, 3],
  [9, false, 9],
  [10, false, 8],
])('of %i on a small screen (%s) %i are shown at first', (total, small, shown) => {
  expect(shownAtFirst(total, small)).toBe(shown);
});
