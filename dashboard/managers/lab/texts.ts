export const labBadgeTexts = {
  noAnswer: 'No answer',
  connecting: 'Connecting',
  count: (word: string, healthy: number, total: number) => (total === 0 ? word : `${word} ${healthy}/${total}`),
  nothing: 'No managers',
  managerChanged: (name: string, word: string, reason: string) =>
    `${name} ${word}${reason === '' ? '' : `: ${reason}`}.`,
  labChanged: (chip: string) => `Lab: ${chip}.`,
  answersIn: (now: string, usual: string) => `answers in ${now}, usually ${usual}`,
} as const;

const maxNamed = 4;

export const maintenanceTexts = {
  until: (time: string) => `until ${time}`,
  sentence: (all: readonly string[]) => {
    const rest = all.length - maxNamed;
    const named = all.slice(0, maxNamed).join(', ');
    return `In maintenance: ${named}${rest > 0 ? ` and ${rest} more` : ''}.`;
  },
} as const;
