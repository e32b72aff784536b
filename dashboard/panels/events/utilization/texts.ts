import { formatNumber } from '#api/countText.ts';

export const utilizationTexts = {
  spans: { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days', quarter: 'Last 12 weeks' },
  peakOf: (share: string, period: string) => (period === '' ? share : `${share}, ${period}`),
  percent: (value: number) => `${formatNumber(Math.round(value * 10) / 10)} %`,
  hours: (value: number) => `${formatNumber(Math.round(value * 10) / 10)} h`,
  columns: {
    utilization: 'Utilization',
    runtime: 'Runtime',
    workflows: 'Workflows',
    busy: 'Busy',
  },
  sessionsHelp: (pause: string) =>
    `≈ from the workflows: periods in which at least one ran, with pauses of up to ${pause}. The event manager’s own report of sessions fails in MADSci 0.8.1.`,
  usersFromWorkflows: (reason: string) =>
    `≈ from the authors of the workflows. The event manager returned no report: ${reason}.`,
  scope: (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`,
  archiveUnread: (reason: string) => `The archive of workflows could not be read: ${reason}.`,
  none: 'No workflow ran in this time.',
  continues: (time: string) => `${time}, ongoing`,
  approximate: (text: string) => `≈ ${text}`,
} as const;
