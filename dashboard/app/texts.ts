/** Texts of the app's frame. */
export const appTexts = {
  app: {
    demo: 'Demo lab',
    panels: 'Panels',
    needAttention: (count: number) => `, ${count} ${count === 1 ? 'needs' : 'need'} attention`,
    cannotOpen: 'This page could not be loaded. The lab manager may have been updated or stopped. Reload to try again.',
    cannotLoadPart:
      'A part of this page could not be loaded. The lab manager may have been updated or stopped. Reload to try again.',
  },
  mixedContent: {
    safetyStop: 'The safety stop cannot reach them from this page either. Use the hardware emergency stop.',
  },
  needsSignIn: {
    title: 'Sign in to reach the managers',
  },
  clocks: {
    page: (difference: string, isAhead: boolean) =>
      `This computer’s clock is ${difference} ${isAhead ? 'ahead of' : 'behind'} the lab manager’s. Times and durations on these pages are corrected accordingly.`,
    manager: (name: string, difference: string, isAhead: boolean) =>
      `The ${name}’s clock is ${difference} ${isAhead ? 'ahead of' : 'behind'} the lab manager’s. Its times are corrected accordingly.`,
    withoutTimeZone: (names: readonly string[]) =>
      `Times of the ${names.join(', ')} are shown in the manager’s local time: its time zone is not known yet. It is measured from the manager’s own records; LAB_TIME_ZONE sets it.`,
  },
  theme: {
    button: (choice: string) => `Theme: ${choice}`,
    title: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
  },
  keys: {
    button: 'Keyboard shortcuts',
  },
  help: {
    button: 'Help and more pages',
  },
  notFound: {
    title: 'Page not found',
  },
} as const;

/** Texts of the sign-in and of the user menu. */
export const accountTexts = {
  signIn: 'Sign in',
  name: 'Name',
  password: 'Password',
  signOut: 'Sign out',
} as const;

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
