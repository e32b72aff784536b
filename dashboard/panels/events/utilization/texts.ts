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
  scope: (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`,
  none: 'No workflow ran in this time.',
  approximate: (text: string) => `≈ ${text}`,
} as const;
