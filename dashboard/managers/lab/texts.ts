/** The lab's badge. */
export const labBadgeTexts = {
  noAnswer: 'No answer',
  connecting: 'Connecting',
  count: (word: string, healthy: number, total: number) => (total === 0 ? word : `${word} ${healthy}/${total}`),
  nothing: 'No managers',
} as const;
