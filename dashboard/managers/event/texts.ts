const eventTexts = {
  levels: { 0: 'Other', 10: 'Debug', 20: 'Info', 30: 'Warning', 40: 'Error', 50: 'Critical' } as Readonly<
    Record<number, string>
  >,
} as const;

export function levelLabel(level: number): string {
  return eventTexts.levels[level] ?? String(level);
}
/** Returns the CSS name of a level's colour, one of the state colours. */
export function levelColor(level: number): string {
  return level >= 40 ? 'failed' : level >= 30 ? 'attention' : 'muted';
}

/** Returns the levels whose name contains this part of a word. */
export function findLevels(part: string): readonly number[] {
  const lower = part.toLowerCase();
  return Object.entries(eventTexts.levels).flatMap(([level, label]) =>
    label.toLowerCase().includes(lower) ? [Number(level)] : [],
  );
}
