export const labBadgeTexts = {
  noAnswer: 'No answer',
  connecting: 'Connecting',
  count: (label: string, healthy: number, total: number) => (total === 0 ? label : `${label} ${healthy}/${total}`),
  noManagers: 'No managers',
  managerChanged: (name: string, label: string, reason: string) =>
    `${name} ${label}${reason === '' ? '' : `: ${reason}`}.`,
  labChanged: (badgeText: string) => `Lab: ${badgeText}.`,
  answersIn: (now: string, usual: string) => `answers in ${now}, usually ${usual}`,
} as const;

const maxNamed = 4;

export const maintenanceTexts = {
  until: (time: string) => `until ${time}`,
  sentence: (all: readonly string[]) => {
    const rest = all.length - maxNamed;
    const names = all.slice(0, maxNamed).join(', ');
    return `In maintenance: ${names}${rest > 0 ? ` and ${rest} more` : ''}.`;
  },
} as const;
