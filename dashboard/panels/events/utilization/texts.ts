/** Words about how much the lab was used. */
import { figure } from '../../../base/figure.ts';

const count = (number: number, one: string, many: string) => `${figure(number)} ${number === 1 ? one : many}`;

export const utilizationTexts = {
  period: 'Time',
  spans: { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days', quarter: 'Last 12 weeks' },
  reported: 'By period',
  reportedTable: 'Utilization by period',
  reportedMore: 'As the event manager reports it: how much of the time an experiment or workcell was in use.',
  waiting: 'The event manager makes its report …',
  unread: (reason: string) => `The event manager made no report: ${reason}.`,
  odd: 'The event manager’s report has a form that isn’t known here.',
  average: 'Average',
  peak: 'Busiest',
  peakOf: (share: string, period: string) => (period === '' ? share : `${share}, ${period}`),
  experiments: 'Experiments',
  runtime: 'Runtime',
  percent: (value: number) => `${figure(Math.round(value * 10) / 10)} %`,
  hours: (value: number) => `${figure(Math.round(value * 10) / 10)} h`,
  columns: {
    period: 'Period',
    utilization: 'Utilization',
    experiments: 'Experiments',
    runtime: 'Runtime',
    node: 'Node',
    user: 'User',
    workflows: 'Workflows',
    began: 'Began',
    lasted: 'Lasted',
    busy: 'Busy',
  },
  nodes: 'By node',
  users: 'By user',
  usersReported: 'As the event manager reports it.',
  sessions: 'Sessions',
  sessionsMore: (pause: string) =>
    `≈ from the workflows: stretches in which at least one ran, with pauses of up to ${pause}. The event manager’s own report of sessions fails in MADSci 0.8.1.`,
  usersOwn: (reason: string) => `≈ from the authors of the workflows. The event manager made no report: ${reason}.`,
  usersWaiting: '≈ from the authors of the workflows.',
  scope: (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
  reading: 'Reading the workflows …',
  none: 'No workflow ran in this time.',
  nobody: 'No author',
  goesOn: (time: string) => `${time}, goes on`,
  total: (number: number) => count(number, 'workflow', 'workflows'),
  about: (words: string) => `≈ ${words}`,
} as const;
