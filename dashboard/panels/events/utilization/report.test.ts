import { expect, it } from 'vitest';
import { readPeriodReport, readUserReport } from './report.ts';

/** As MADSci 0.8.1 answers. */
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

it('readPeriodReport reads the periods of the event manager with UTC times', () => {
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

it('readUserReport lists the users with the most hours first', () => {
  const user = (author: string, total_runtime_hours: number) => ({ author, total_workflows: 3, total_runtime_hours });
  expect(readUserReport({ user_utilization: { a: user('Ada', 1), b: user('', 4) } })).toEqual([
    { name: 'b', workflows: 3, hours: 4 },
    { name: 'Ada', workflows: 3, hours: 1 },
  ]);
  expect(readUserReport({})).toBeNull();
});
