import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkflowRow } from '#dashboard/managers/workcell/workflowRow.ts';
import { maxPauseMs, findSessions, computeUsageByUser, readPeriodReport, readUserReport } from './usage.ts';

const hour = 3_600_000;
const parseStamp = (stamp: string) => (stamp === '' ? null : Number(stamp));
const createRow = (from: number, to: number | null, author = 'Ada'): WorkflowRow => ({
  id: `${from}`,
  name: 'Growth assay',
  state: to === null ? 'running' : 'completed',
  text: '',
  done: 1,
  total: 1,
  hasEnded: to !== null,
  node: to === null ? 'arm' : null,
  nodes: [],
  author,
  experiment: '',
  submitted: String(from),
  started: String(from),
  ended: to === null ? '' : String(to),
  isWaiting: false,
  reasons: [],
  haltedStep: null,
  isFinishing: false,
});
const range = { from: 0, to: 10 * hour };

describe('the usage of the lab by its workflows', () => {
  it('is grouped by author, most hours first, within the range', () => {
    const rows = [
      createRow(-hour, hour),
      createRow(2 * hour, 5 * hour, 'Bob'),
      createRow(9 * hour, null),
      createRow(11 * hour, 12 * hour),
    ];
    expect(computeUsageByUser(rows, parseStamp, range)).toEqual([
      { name: 'Bob', workflows: 1, hours: 3 },
      { name: 'Ada', workflows: 2, hours: 2 },
    ]);
  });

  it('is grouped into sessions that end at a pause longer than the maximum', () => {
    const rows = [
      createRow(0, hour),
      createRow(hour / 2, 2 * hour),
      createRow(2 * hour + maxPauseMs, 3 * hour),
      createRow(6 * hour, null),
    ];
    expect(findSessions(rows, parseStamp, range)).toEqual([
      { from: 6 * hour, to: 10 * hour, workflows: 1, busyMs: 4 * hour, isRunning: true },
      { from: 0, to: 3 * hour, workflows: 3, busyMs: 2.5 * hour, isRunning: false },
    ]);
  });

  it('counts no time twice and no workflow in two sessions', () => {
    const workflow = fc
      .tuple(fc.nat(10 * hour), fc.nat(3 * hour))
      .map(([from, elapsedMs]) => createRow(from, from + elapsedMs));
    fc.assert(
      fc.property(fc.array(workflow, { maxLength: 30 }), (rows) => {
        const sessions = findSessions(rows, parseStamp, range).toReversed();
        expect(sessions.reduce((sum, { workflows }) => sum + workflows, 0)).toBe(rows.length);
        for (const [index, { from, to, busyMs }] of sessions.entries()) {
          expect(busyMs).toBeLessThanOrEqual(to - from);
          const previousSession = sessions[index - 1];
          if (previousSession !== undefined) expect(from - previousSession.to).toBeGreaterThan(maxPauseMs);
        }
      }),
    );
  });
});

/** A response of MADSci 0.8.1. */
const report = {
  summary_metadata: { analysis_type: 'daily' },
  key_metrics: {
    average_utilization: 12.5,
    peak_utilization: 40,
    peak_period: '2026-11-21',
    total_experiments: 2,
    total_runtime_hours: 6,
    active_periods: 1,
  },
  node_summary: { '01NODE': { node_id: '01NODE', node_name: null, average_utilization: 8, total_busy_hours: 2 } },
  time_series: {
    system: [
      {
        period_number: 1,
        period_display: '2026-11-21',
        start_time_utc: '2026-11-20T23:00:00',
        utilization: 40,
        experiments: 2,
        runtime_hours: 6,
      },
      { period_display: 'Error', start_time_utc: '', utilization: null },
    ],
  },
};

it('readPeriodReport reads totals, periods in UTC and nodes, and returns null for an error', () => {
  expect(readPeriodReport(report)).toEqual({
    average: 12.5,
    peak: 40,
    peakPeriod: '2026-11-21',
    experiments: 2,
    hours: 6,
    points: [
      { label: '2026-11-21', at: Date.UTC(2026, 10, 20, 23), utilization: 40, experiments: 2, hours: 6 },
      { label: 'Error', at: null, utilization: 0, experiments: 0, hours: 0 },
    ],
    nodes: [{ name: '01NODE', utilization: 8, hours: 2 }],
  });
  expect(readPeriodReport({ error: 'no' })).toBeNull();
});

it('readUserReport lists users by hours, most first, with the ID of a user without a name, or returns null', () => {
  const user = (author: string, total_runtime_hours: number) => ({ author, total_workflows: 3, total_runtime_hours });
  expect(readUserReport({ user_utilization: { a: user('Ada', 1), b: user('', 4) } })).toEqual([
    { name: 'b', workflows: 3, hours: 4 },
    { name: 'Ada', workflows: 3, hours: 1 },
  ]);
  expect(readUserReport({})).toBeNull();
});
