import { describe, expect, it } from 'vitest';
import type { ManagerHistory } from '../../../api/lab/lab.ts';
import { parseTime } from '../../base/time.ts';
import { sampleLab, sampleTime } from '../../fixtures/lab.ts';
import { sampleNode, sampleWorkflow } from '../../fixtures/workflow.ts';
import { labCounts } from './counts.ts';
import { managerLooks } from '../../../api/states.ts';
import type { AttentionItem } from '../panel.ts';
import { breakages, withPast, type Breakage, type SeenSince } from './sinceLook.ts';

const look = parseTime(sampleTime(13, 0))!;

function manager(...changes: [hour: number, minute: number, state: ManagerHistory['state']][]): ManagerHistory {
  const [first] = sampleLab('healthy').managers;
  const seen = changes.map(([hour, minute, state]) => ({ at: sampleTime(hour, minute), state, reason: null }));
  return { ...first!, changes: seen, minutes: [] };
}
const seen = (changed: Partial<SeenSince>): SeenSince => ({
  managers: [],
  nodes: {},
  workflows: [],
  at: parseTime,
  look,
  ...changed,
});
const words = (changed: Partial<SeenSince>) =>
  breakages(seen(changed)).map(({ name, words: what }) => `${name} ${what}`);

describe('incidents since the last visit', () => {
  it('include a manager that failed and recovered', () => {
    const managers = [manager([12, 0, 'healthy'], [13, 5, 'unreachable'], [13, 20, 'healthy'])];
    expect(words({ managers })).toEqual(['Event manager became unreachable, and back at 13:20']);
  });

  it('exclude what was faulty before and a change between faulty states', () => {
    const managers = [manager([12, 0, 'healthy'], [12, 30, 'unhealthy'], [13, 5, 'unreachable'])];
    expect(words({ managers })).toEqual([]);
  });

  it('include errors of nodes that were reset meanwhile', () => {
    const errors = [
      { message: 'old', logged_at: sampleTime(12, 0) },
      { message: 'motor stalled', logged_at: sampleTime(13, 30) },
    ];
    expect(words({ nodes: { arm: sampleNode({ errors }) } })).toEqual(['arm error: motor stalled']);
  });

  it('exclude incidents during maintenance, but not those before it', () => {
    const managers = [
      manager([12, 0, 'healthy'], [13, 5, 'unreachable'], [13, 20, 'healthy'], [13, 40, 'unreachable']),
    ];
    const held = (kind: 'manager' | 'lab', id: string) => [
      { kind, id, name: id, from: sampleTime(13, 30), until: sampleTime(15, 0) },
    ];
    const before = ['Event manager became unreachable, and back at 13:20'];
    expect(words({ managers, maintenance: held('manager', 'event') })).toEqual(before);
    expect(words({ managers, maintenance: held('lab', 'lab') })).toEqual(before);
    expect(words({ managers, maintenance: held('manager', 'data') })).toHaveLength(2);
  });

  it('include failed workflows, newest first, once each', () => {
    const failed = (minute: number, id: string) =>
      sampleWorkflow({ workflow_id: id, name: id, end_time: sampleTime(13, minute) }, { failed: true });
    const well = sampleWorkflow({ end_time: sampleTime(13, 40) }, { completed: true });
    expect(words({ workflows: [failed(10, 'a'), failed(10, 'a'), failed(20, 'b'), well] })).toEqual([
      'b failed',
      'a failed',
    ]);
  });
});

describe('labCounts', () => {
  const nodes = { a: sampleNode(), b: sampleNode({ busy: true }), c: sampleNode({ errored: true }) };
  it.each([
    ['nothing in an empty lab', {}, [], ''],
    ['nodes only', { a: sampleNode() }, [], '1 node ready, no workflow running'],
    [
      'nodes in a safety stop',
      { a: sampleNode({ stopped: true }), b: sampleNode({ locked: true }), c: sampleNode({ locked: true }) },
      [],
      '1 node stopped and 2 locked, no workflow running',
    ],
    [
      'nodes and workflows',
      nodes,
      [sampleWorkflow({}, { running: true }), sampleWorkflow(), sampleWorkflow({}, { paused: true })],
      '1 node ready, 1 busy and 1 in error, 1 workflow running, 1 paused, 1 queued',
    ],
  ])('counts %s', (_name, all, workflows, counted) => {
    expect(labCounts(all, workflows)).toBe(counted);
  });
});

describe('past items of panels', () => {
  const item = (name: string, since: number | null, past = true): AttentionItem => ({
    key: name,
    look: managerLooks.unreachable,
    name,
    reason: 'failed',
    since,
    ...(past ? { past: true as const } : {}),
    action: { label: 'Open', to: '/experiments/1' },
  });
  const known: Breakage = { key: 'w', look: managerLooks.unreachable, name: 'Assay', words: 'failed', time: 50 };

  it('are included once if they are recent', () => {
    const items = [item('Assay', 50), item('Run 7', 60), item('old', 5), item('goes on', 70, false), item('?', null)];
    expect(withPast([known], items, 10).map(({ name, to }) => [name, to])).toEqual([
      ['Run 7', '/experiments/1'],
      ['Assay', undefined],
    ]);
  });
});
