/** The strip of what was. */
export const stripTexts = {
  label: (name: string, summary: string) => `${name}, last 2 hours: ${summary}`,
  healthy: 'healthy throughout',
  notWatched: 'not watched',
  notWatchedAtAll: 'not watched yet',
  healthyExcept: (list: string) => `healthy except ${list}`,
  span: (from: string, to: string, word: string) => (from === to ? `${from} ${word}` : `${from}–${to} ${word}`),
  more: (count: number) => `and ${count} more`,
  longest: (latency: string) => `longest answer ${latency}`,
  checks: (count: number) => (count === 1 ? 'checked once' : `checked ${count} times`),
} as const;
