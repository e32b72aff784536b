import { expect, it } from 'vitest';
import type { Event } from '../../api/managers/event.ts';
import { userCsv, userReport } from './userReport.ts';

const ended = (hour: number, data: object, event_type = 'workflow_complete'): Event => ({
  _id: `E${hour}`,
  event_type,
  log_level: 20,
  event_timestamp: `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000000`,
  source: {},
  event_data: data,
});

const newestFirst = [
  ended(12, { workflow_id: 'W4', author: 'Ann', status: 'completed', duration_seconds: 60 }, 'log_info'),
  ended(11, { workflow_id: 'W3', author: null, status: 'cancelled', duration_seconds: null }),
  ended(10, { workflow_id: 'W2', author: 'Ann, B.', name: 'Read', status: 'failed', duration_seconds: 1800 }),
  ended(9, { workflow_id: 'W1', author: 'Ann, B.', name: 'Read', status: 'completed', duration_seconds: 5400 }),
];
const all = { start: null, end: null, generatedAt: '2026-11-21T13:00:00+00:00' };

it('counts the workflows of each author', () => {
  const report = userReport(newestFirst, all);
  expect(report['report_metadata']).toMatchObject({
    analysis_start: '2026-11-21T08:59:00',
    analysis_end: '2026-11-21T12:01:00',
    total_workflows: 3,
    total_users: 2,
    workflows_without_authors: 1,
  });
  expect(report['system_summary']).toMatchObject({ total_runtime_hours: 2, completion_rate_percent: 33.33 });
  expect(report['user_utilization']).toMatchObject({
    'Ann, B.': {
      total_workflows: 2,
      failed_workflows: 1,
      average_workflow_duration_hours: 1,
      shortest_workflow_hours: 0.5,
      longest_workflow_hours: 1.5,
      workflows: [{ workflow_id: 'W1' }, { workflow_id: 'W2', status: 'failed' }],
    },
    'Unknown Author': { total_workflows: 1, cancelled_workflows: 1, shortest_workflow_hours: null },
  });
  expect(userCsv(report)).toContain('"Ann, B.",2,1,1,0,2,1,50,0.5,1.5\r\n');
});

it.each([
  ['from a time on, for a day', { start: '2026-11-21T09:30:00' }, 2],
  ['up to a time', { end: '2026-11-21T09:30:00' }, 1],
  ['of a period', { start: '2026-11-21T09:30:00', end: '2026-11-21T10:30:00' }, 1],
])('counts those %s', (_what, times, count) => {
  expect(userReport(newestFirst, { ...all, ...times })['report_metadata']).toMatchObject({ total_workflows: count });
});
