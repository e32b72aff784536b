import { describe, expect, it } from 'vitest';
import { sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { toResult } from '#dashboard/managers/data/results.ts';
import { toWorkflowRow } from '#dashboard/managers/workcell/workflowRow.ts';
import { experimentsTexts } from '../texts.ts';
import {
  experimentLane,
  experimentLanes,
  experimentMarks,
  experimentSpans,
  findLastActivity,
  workflowIdOfSpan,
} from './timeLanes.ts';

const parseStamp = (stamp: string): number | null => (stamp === '' ? null : Number(stamp));
const row = (id: string, stamps: { submitted_time?: string; start_time?: string; end_time?: string }, flags = {}) =>
  toWorkflowRow(sampleWorkflow({ workflow_id: id, name: `workflow ${id}`, steps: [sampleStep()], ...stamps }, flags));
const ended = row('a', { submitted_time: '10', start_time: '20', end_time: '60' }, { completed: true });
const running = row('b', { submitted_time: '30', start_time: '40' }, { running: true });
const queued = row('c', { submitted_time: '50' });
const experimentTimes = { state: 'inProgress', name: 'Growth', started: 5, ended: null } as const;

describe('the time axis of an experiment', () => {
  it('has a lane for the experiment and one per workflow name', () => {
    const lanes = experimentLanes([ended, running, ended]);
    expect(lanes.map(({ label, subtitle: sub }) => [label, sub])).toEqual([
      ['Experiment', undefined],
      ['workflow a', experimentsTexts.page.times(2)],
      ['workflow b', experimentsTexts.page.times(1)],
    ]);
    const spans = experimentSpans(experimentTimes, [ended, running], parseStamp);
    expect(new Set(spans.map(({ lane }) => lane))).toEqual(new Set(lanes.map(({ key }) => key)));
  });

  it('draws waits as thin lines and runs as bars, which have no end while running', () => {
    const spans = experimentSpans(experimentTimes, [ended, running, queued], parseStamp);
    expect(spans.map(({ key, start, end, thin }) => [key, start, end, thin ?? false])).toEqual([
      [experimentLane, 5, null, false],
      ['a waiting', 10, 20, true],
      ['a', 20, 60, false],
      ['b waiting', 30, 40, true],
      ['b', 40, null, false],
      ['c waiting', 50, null, true],
    ]);
    expect(spans.map(({ key }) => workflowIdOfSpan(key))).toEqual([null, 'a', 'a', 'b', 'b', 'c']);
  });

  it('draws a cancelled workflow that is still executing without an end, labelled Cancelling', () => {
    const endedRow = row('a', { submitted_time: '10', start_time: '20', end_time: '60' }, { cancelled: true });
    const cancelledSpan = experimentSpans(experimentTimes, [endedRow], parseStamp).find(({ key }) => key === 'a');
    expect([cancelledSpan?.end, cancelledSpan?.appearance.label]).toEqual([60, 'Cancelled']);
    const finishingSpan = experimentSpans(experimentTimes, [{ ...endedRow, isFinishing: true }], parseStamp).find(
      ({ key }) => key === 'a',
    );
    expect([finishingSpan?.end, finishingSpan?.appearance.label]).toEqual([null, 'Cancelling']);
  });

  it('an experiment without a start and workflows has no spans', () => {
    expect(experimentSpans({ ...experimentTimes, started: null }, [], parseStamp)).toEqual([]);
  });

  it('marks datapoints, warnings and errors that have a time', () => {
    const result = toResult({ _id: '1', data_type: 'json', label: 'od', value: 1 }, () => 70);
    const events = [
      { at: 65, message: 'careful', level: 30 },
      { at: 66, message: 'fine', level: 20 },
      { at: 67, message: 'failed', level: 40 },
      { at: null, message: 'when?', level: 50 },
    ];
    expect(experimentMarks([result, { ...result, storedAt: null }], events).map((mark) => mark.at)).toEqual([
      65, 67, 70,
    ]);
  });
});

it('findLastActivity returns the time of the last activity, without notes', () => {
  expect(findLastActivity([ended, running], [], [{ at: 99, message: '', level: 10 }], parseStamp)).toBe(99);
  expect(findLastActivity([ended], [], [], parseStamp)).toBe(60);
  expect(findLastActivity([ended], [], [{ at: 99, message: '', level: 20, isNote: true }], parseStamp)).toBe(60);
  expect(findLastActivity([], [], [], parseStamp)).toBeNull();
});
