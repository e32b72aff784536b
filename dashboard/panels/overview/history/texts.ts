/** Texts for the managers' availability and incidents over days. */
export const historyTexts = {
  windows: { 2: '2 h', 24: '24 h', 168: '7 d', 720: '30 d', 2160: '90 d' },
  counted: (counted: string) => `of ${counted}`,
  countedHint: (window: string, rest: string) =>
    `${rest} of the ${window} are not counted: the lab manager was stopped or asleep, the state was unknown, or there was maintenance.`,
  strip: (window: string) => `Last ${window}`,
  stripLabel: (name: string, window: string, text: string) => `${name}, last ${window}: ${text}`,
  span: (from: string, to: string, label: string) => `${from}–${to} ${label}`,
  notWatched: 'not watched',
  count: (count: number) => (count === 0 ? 'none' : String(count)),
  incidents: 'Incidents',
  maintenance: 'Maintenance',
  newestShown: (count: number) => `The newest ${count} are shown.`,
  columns: {
    from: 'From',
    to: 'To',
    duration: 'Duration',
    withUnwatched: (observed: string, unwatched: string) => `${observed} + ${unwatched} not watched`,
  },
  reading: 'Reading the history…',
} as const;
