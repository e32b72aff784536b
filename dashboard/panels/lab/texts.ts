/** Texts of the Lab panel. */
import { plural } from '#api/countText.ts';

export const labTexts = {
  addresses: 'Addresses',
  noAnswer: 'No answer',
  ownOnlyNote: (count: number) =>
    `${count === 1 ? 'One address is' : `${count} addresses are`} on localhost, which other machines can’t use. Set LAB_ADVERTISED_HOST to this machine’s name (or “auto”), or give each service an address that others can reach.`,
  /** How this page reads a manager. */
  routes: {
    direct: 'direct',
    relay: 'through the lab manager',
    measuring: 'measuring the route',
    blocked: 'blocked by the browser',
  },
  routeChoice: 'Requests to the managers',
  routeChoices: { auto: 'Direct where possible', relay: 'Through the lab manager' },
  settings: 'Effective settings',
  search: 'Search settings',
  sources: {
    'command line': 'command line',
    argument: 'set by the program',
    environment: 'environment',
    dotenv: 'file',
    json: 'file',
    toml: 'file',
    yaml: 'file',
    default: 'default',
    generated: 'generated at startup',
    registry: 'ID registry',
  },
  clockDifference: (difference: string, isAhead: boolean) =>
    `clock ${difference} ${isAhead ? 'ahead of' : 'behind'} the lab manager’s`,
  sameVersion: 'Same as the others',
  newerVersion: 'Newer than any version this dashboard was tested with',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  times: 'Times',
  timesAs: { '24h': '24 h (14:02)', '12h': '12 h (2:02 pm)' },
  density: 'Density',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  viewsChanged: (count: number) =>
    count === 0 ? 'All at their defaults.' : count === 1 ? 'One was changed.' : `${count} were changed.`,
  version: 'Version',
  databaseConnected: (waiting: number) =>
    waiting === 0 ? 'Connected' : `Connected; ${plural(waiting, 'history record', 'history records')} not stored yet`,
  databaseLost: (time: string, reason: string, waiting: number) =>
    `Unavailable since ${time}: ${reason}; ${plural(waiting, 'history record', 'history records')} stored only on this server`,
  cannotRead: (what: string, reason: string) => `${what} could not be read: ${reason}.`,
  reading: 'Reading…',
} as const;

/** Texts about the dashboard on a phone or tablet. */
export const phoneTexts = {
  missing: {
    demo: 'The demo lab is available on this machine only, so there is no address for a phone.',
    listensLocally:
      'The lab manager accepts connections from this machine only. Remove LAB_LISTEN_HOST, or set it to an address of this machine that phones can reach.',
    automatic:
      'LAB_ADVERTISED_HOST is “auto”: the address depends on the network of the other device. Set it to this machine’s name or IP address to show the address and its QR code here, or open this page at one of them.',
    unnamed:
      'This page was opened on localhost, which a phone can’t reach. Set LAB_ADVERTISED_HOST to this machine’s name or IP address to show the address and its QR code here.',
  },
  steps: [
    'Android: open the address in Chrome, then choose “Add to Home screen” in its menu.',
    'iPhone and iPad: open the address in Safari, then choose “Share” and “Add to Home Screen”.',
  ],
} as const;
