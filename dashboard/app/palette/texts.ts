/** Words of the command palette. */
export const paletteTexts = {
  button: 'Search or run a command',
  short: 'Search',
  label: 'Search for pages, things of the lab, IDs and commands',
  results: 'Results',
  page: 'Page',
  command: 'Command',
  nothing: (query: string) => `No results for “${query}” in what is loaded.`,
  hint: '↑ ↓ to choose, Enter to open, Esc to close',
  stop: 'Safety stop: stop every node now',
  checkNow: 'Refresh the lab’s health now',
  guide: 'Open the user guide',
  keys: 'Show the keyboard shortcuts',
  theme: (choice: string) => `Theme: ${choice}`,
  themeAs: { system: 'as the system', light: 'light', dark: 'dark' },
  asking: 'Asking the managers what has this ID…',
} as const;
