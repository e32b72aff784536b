export const paletteTexts = {
  button: 'Search or run a command',
  stopNames: [
    'safety',
    'stop',
    'safety stop',
    'emergency',
    'emergency stop',
    'e-stop',
    'estop',
    'halt',
    'abort',
    'abort all',
    'stop all',
    'stop everything',
  ],
  themeAs: { system: 'system', light: 'light', dark: 'dark' },
} as const;
