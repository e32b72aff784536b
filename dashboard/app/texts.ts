/** Texts of the app's frame. */
export const appTexts = {
  app: {
    demo: 'Demo lab',
    demoMore: 'This lab is simulated: nothing here moves anything real.',
    unnamedLab: 'Lab',
    skip: 'Skip to content',
    notices: 'Notices of the desktop app',
    panels: 'Panels',
    morePanels: 'More',
    needAttention: (count: number) => `, ${count} ${count === 1 ? 'needs' : 'need'} attention`,
    overlays: 'Menus and hints',
    cannotLoad:
      'The dashboard could not be loaded completely. Reload the page; if that does not help, the lab manager may be restarting.',
    cannotOpen: 'This page could not be loaded. The lab manager may have been updated or stopped. Reload to try again.',
    cannotLoadPart:
      'A part of this page could not be loaded. The lab manager may have been updated or stopped. Reload to try again.',
    fault: (reason: string) => `An error occurred on this page: ${reason}`,
    panelFault: 'This panel could not be shown',
  },
  mixedContent: {
    title: 'This page cannot reach the managers',
    body: (managers: string) =>
      `It was opened over https, and the browser blocks requests to addresses that begin with http: ${managers}.`,
    safetyStop: 'The safety stop cannot reach them from this page either. Use the hardware emergency stop.',
    action: 'Turn on LAB_REMOTE_ACCESS, open the dashboard over http, or give the managers https addresses.',
  },
  needsSignIn: {
    title: 'Sign in to reach the managers',
    body: (managers: string) =>
      `This browser does not reach them directly: ${managers}. The lab manager passes on the requests of signed-in users.`,
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
    title: 'Keyboard',
    sheet: 'show or hide this sheet',
    palette: 'search, or run a command',
    open: (panel: string) => `open ${panel}`,
    theme: 'next theme: system, light, dark',
    search: 'in a table: search',
    rows: 'in a table or tree: line by line',
    openRow: 'in a table: open the row',
    strip: 'on a strip, a time axis or in a tree: move along',
    stripEnds: 'on a strip, a time axis or in a tree: first and last',
    after: 'then',
    single: 'Single-key shortcuts',
    singleHint: 'Switch off if you dictate, or if keys are pressed by accident.',
    escape: 'close the open dialog or menu',
  },
  help: {
    button: 'Help and more pages',
    guide: 'User guide',
    api: 'API documentation',
    history: 'History and incidents',
    utilization: 'Utilization of nodes',
    fleet: 'Many labs',
  },
  announce: {
    lost: (reason: string) => `No usable answer from the lab manager: ${reason}.`,
    back: 'The lab manager answers again.',
  },
  notFound: {
    title: 'Page not found',
    body: (path: string) => `There is nothing at ${path}.`,
    link: 'Go to Overview',
  },
} as const;

/** Texts of the notice about the page's own version. */
export const outdatedPageTexts = {
  another: (version: string) =>
    `The lab manager’s version has changed since this page was loaded: it is now ${version}. Reload the page to use it; input that is not sent is lost.`,
} as const;
