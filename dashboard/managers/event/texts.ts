/** Words about events. */
export const eventTexts = {
  noText: '(no message)',
  levels: { 0: 'Other', 10: 'Debug', 20: 'Info', 30: 'Warning', 40: 'Error', 50: 'Critical' } as Readonly<
    Record<number, string>
  >,
} as const;

export function levelWord(level: number): string {
  return eventTexts.levels[level] ?? String(level);
}
/** CSS name of the colour of a level, as states have it. */
export function levelColor(level: number): string {
  return level >= 40 ? 'failed' : level >= 30 ? 'attention' : 'muted';
}
