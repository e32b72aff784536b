/** Texts for the managers' availability and incidents over days. */
export const historyTexts = {
  windows: { 2: '2 h', 24: '24 h', 168: '7 d', 720: '30 d', 2160: '90 d' },
  stripLabel: (name: string, window: string, text: string) => `${name}, last ${window}: ${text}`,
  notWatched: 'not watched',
  count: (count: number) => (count === 0 ? 'none' : String(count)),
  incidents: 'Incidents',
  maintenance: 'Maintenance',
  columns: {
    from: 'From',
    to: 'To',
    duration: 'Duration',
  },
  reading: 'Reading the history…',
} as const;
