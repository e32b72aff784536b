/** Words about nodes, wherever they are shown. */
export const nodeTexts = {
  neverReached: 'The workcell manager has not reached it yet.',
  stopped: 'Stopped by a safety stop; a reset releases it.',
  waitsFor: (keys: string) => `waits for configuration: ${keys}`,
} as const;
