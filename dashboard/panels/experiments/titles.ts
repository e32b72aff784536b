/** Beside the panel’s other words because the frame needs them before the panel is loaded. */
export const experimentTitles = {
  panel: 'Experiments',
  experiment: 'Experiment',
  compare: 'Compare experiments',
} as const;
