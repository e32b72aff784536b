import { formatNumber } from '#api/countText.ts';

export const labBadgeTexts = {
  noAnswer: 'No answer',
  count: (label: string, healthy: number, total: number) => (total === 0 ? label : `${label} ${healthy}/${total}`),
  managerChanged: (name: string, label: string, reason: string) =>
    `${name} ${label}${reason === '' ? '' : `: ${reason}`}.`,
} as const;

const maxNamed = 4;

export const maintenanceTexts = {
  until: (time: string) => `until ${time}`,
  morePlanned: (count: number) => `${formatNumber(count)} more planned.`,
  sentence: (all: readonly string[]) => {
    const rest = all.length - maxNamed;
    const names = all.slice(0, maxNamed).join(', ');
    return `In maintenance: ${names}${rest > 0 ? ` and ${rest} more` : ''}.`;
  },
} as const;
