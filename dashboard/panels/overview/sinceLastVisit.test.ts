import { describe, expect, it } from 'vitest';
import type { Incident, Maintenance } from '#api/lab/lab.ts';
import { parseTime } from '../../base/time.ts';
import { sampleLabStatus, sampleTime } from '../../fixtures/sampleLabStatus.ts';
import { sampleNode, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { managerAppearances } from '#api/states.ts';
import type { AttentionItem } from '../panel.ts';
import { failuresSince, addPastItems, type PastFailure, type FailureInput } from './sinceLastVisit.ts';

const lastVisit = parseTime(sampleTime(13, 0))!;

type Moment = readonly [hour: number, minute: number];
const incident = (from: Moment, to: Moment | null): Incident & { readonly kind: 'manager' } => ({
  kind: 'manager',
  id: 'event',
  name: 'Event Manager',
  state: 'unreachable',
  reason: null,
  from: sampleTime(...from),
  to: to === null ? null : sampleTime(...to),
  seconds: 1,
});
/** Creates a lab with these incidents. Its managers are first checked at 12:00 and then change with the incidents. */
function createLab(
  incidents: readonly Incident[],
  maintenance: readonly Maintenance[] = [],
  managerChanges = incidents.flatMap(({ from, to }) => [
    { at: from, state: 'unreachable' as const, reason: null },
    ...(to === null ? [] : [{ at: to, state: 'healthy' as const, reason: null }]),
  ]),
): FailureInput['lab'] {
  const first = { at: sampleTime(12, 0), state: 'healthy' as const, reason: null };
  const changes = managerChanges[0]?.at === first.at ? managerChanges : [first, ...managerChanges];
  const managers = sampleLabStatus('healthy').managers.map((manager) => ({ ...manager, changes }));
  return { managers, incidents: [...incidents], maintenance: [...maintenance] };
}
const sampleInput = (overrides: Partial<FailureInput>): FailureInput => ({
  lab: createLab([]),
  nodes: {},
  workflows: [],
  parseStamp: parseTime,
  previousVisit: lastVisit,
  ...overrides,
});
const failureTexts = (overrides: Partial<FailureInput>) =>
  failuresSince(sampleInput(overrides)).map(({ name, text }) => `${name} ${text}`);

describe('failuresSince', () => {
  it('lists a manager that became unreachable, and the time of its recovery', () => {
    expect(failureTexts({ lab: createLab([incident([13, 5], [13, 20])]) })).toEqual([
      'Event Manager became unreachable, recovered at 13:20',
    ]);
    expect(failureTexts({ lab: createLab([incident([13, 5], null)]) })).toEqual(['Event Manager became unreachable']);
  });

  it('omits earlier outages, outages at the first check, and incidents of nodes', () => {
    expect(failureTexts({ lab: createLab([incident([12, 30], [13, 20])]) })).toEqual([]);
    expect(
      failureTexts({ lab: createLab([incident([12, 0], [13, 20])]), previousVisit: parseTime(sampleTime(11, 0))! }),
    ).toEqual([]);
    expect(
      failureTexts({ lab: createLab([{ ...incident([13, 5], null), kind: 'node', id: 'arm', state: 'errored' }]) }),
    ).toEqual([]);
  });

  it('lists an outage once if maintenance or a sleep splits it, with its last recovery', () => {
    const splitIncidents = [incident([13, 5], [13, 30]), incident([13, 50], null)];
    const outageStart = { at: sampleTime(13, 5), state: 'unreachable' as const, reason: null };
    expect(failureTexts({ lab: createLab(splitIncidents, [], [outageStart]) })).toEqual([
      'Event Manager became unreachable',
    ]);
    const recovery = { at: sampleTime(13, 55), state: 'healthy' as const, reason: null };
    expect(failureTexts({ lab: createLab([incident([13, 5], [13, 30])], [], [outageStart, recovery]) })).toEqual([
      'Event Manager became unreachable, recovered at 13:55',
    ]);
  });

  it('omits managers that are no longer configured', () => {
    const { managers, ...rest } = createLab([incident([13, 5], null)]);
    expect(failureTexts({ lab: { ...rest, managers: managers.filter(({ manager }) => manager !== 'event') } })).toEqual(
      [],
    );
  });

  it('lists new errors of a node, even after its reset', () => {
    const errors = [
      { message: 'old', logged_at: sampleTime(12, 0) },
      { message: 'motor stalled', logged_at: sampleTime(13, 30) },
    ];
    expect(failureTexts({ nodes: { arm: sampleNode({ errors }) } })).toEqual(['arm error: motor stalled']);
  });

  it('omits errors of a node since the start of its maintenance, but not earlier ones', () => {
    const errors = [
      { message: 'motor stalled', logged_at: sampleTime(13, 20) },
      { message: 'unplugged', logged_at: sampleTime(13, 40) },
    ];
    const nodes = { arm: sampleNode({ errors }) };
    const createMaintenance = (kind: 'node' | 'lab', id: string) => [
      { kind, id, name: id, from: sampleTime(13, 30), until: sampleTime(15, 0) },
    ];
    expect(failureTexts({ nodes, lab: createLab([], createMaintenance('node', 'arm')) })).toEqual([
      'arm error: motor stalled',
    ]);
    expect(failureTexts({ nodes, lab: createLab([], createMaintenance('lab', 'lab')) })).toEqual([
      'arm error: motor stalled',
    ]);
    expect(failureTexts({ nodes, lab: createLab([], createMaintenance('node', 'reader')) })).toHaveLength(2);
  });

  it('omits errors of a node during each of its maintenance windows, also ended ones', () => {
    const errors = [10, 20, 40, 50].map((minute) => ({ message: `at ${minute}`, logged_at: sampleTime(13, minute) }));
    const nodes = { arm: sampleNode({ errors }) };
    const arm = { kind: 'node', id: 'arm', name: 'arm' } as const;
    const wholeLab = { kind: 'lab', id: 'lab', name: 'lab' } as const;
    const lab = {
      ...createLab(
        [],
        [
          { ...wholeLab, from: sampleTime(13, 35), until: sampleTime(14, 30) },
          { ...arm, from: sampleTime(13, 45), until: sampleTime(15, 0) },
        ],
      ),
      past_maintenance: [{ ...arm, from: sampleTime(13, 5), until: sampleTime(13, 15) }],
    };
    expect(failureTexts({ nodes, lab })).toEqual(['arm error: at 20']);
  });

  it('lists failed workflows, newest first, once each', () => {
    const failed = (minute: number, id: string) =>
      sampleWorkflow({ workflow_id: id, name: id, end_time: sampleTime(13, minute) }, { failed: true });
    const completed = sampleWorkflow({ end_time: sampleTime(13, 40) }, { completed: true });
    expect(failureTexts({ workflows: [failed(10, 'a'), failed(10, 'a'), failed(20, 'b'), completed] })).toEqual([
      'b failed',
      'a failed',
    ]);
  });
});

describe('addPastItems', () => {
  const item = (name: string, since: number | null, past = true): AttentionItem => ({
    key: name,
    appearance: managerAppearances.unreachable,
    name,
    reason: 'failed',
    since,
    ...(past ? { past: true as const } : {}),
    action: { label: 'Open', to: '/experiments/1' },
  });
  const knownFailure: PastFailure = {
    key: 'w',
    appearance: managerAppearances.unreachable,
    name: 'Assay',
    text: 'failed',
    time: 50,
  };

  it('adds recent past items that are not in the list yet', () => {
    const items = [item('Assay', 50), item('Run 7', 60), item('old', 5), item('continues', 70, false), item('?', null)];
    expect(addPastItems([knownFailure], items, 10).map(({ name, to }) => [name, to])).toEqual([
      ['Run 7', '/experiments/1'],
      ['Assay', undefined],
    ]);
  });
});
