/** All linked entries of the user guide: those of messages, and those of the diagnostics checks. Pure. */
import { messageEntries } from './guide.ts';

/** `page.html#anchor` of each diagnostics check, by its ID. */
export const checkEntries = {
  settings: 'troubleshooting.html#settings',
  reachable: 'troubleshooting.html#reachable-from-other-machines',
  addresses: 'troubleshooting.html#addresses-for-other-machines',
  'other-lab-manager': 'troubleshooting.html#another-lab-manager',
  identity: 'troubleshooting.html#identity-of-the-lab-manager',
  names: 'troubleshooting.html#names-of-the-managers-machines',
  answers: 'troubleshooting.html#the-managers-answer',
  clocks: 'troubleshooting.html#clocks',
  versions: 'troubleshooting.html#versions-of-the-managers',
  cors: 'troubleshooting.html#browser-access-to-managers-cors',
  'past-hours': 'troubleshooting.html#errors-and-delays-of-the-last-hours',
  notifications: 'troubleshooting.html#notifications-arrive',
  'disk-space': 'troubleshooting.html#disk-space-size-of-the-log',
  'log-size': 'troubleshooting.html#disk-space-size-of-the-log',
  crashes: 'troubleshooting.html#crashes',
  permissions: 'troubleshooting.html#permissions-of-settings-and-state',
  runtime: 'troubleshooting.html#runtime',
  sandbox: 'troubleshooting.html#sandbox-tray',
  'tray-host': 'troubleshooting.html#sandbox-tray',
} as const;

export type CheckId = keyof typeof checkEntries;
export const checkIds = Object.keys(checkEntries) as [CheckId, ...CheckId[]];

export const guideEntries = { ...checkEntries, ...messageEntries } as const;
export type GuideEntry = keyof typeof guideEntries;
export const guideEntryNames = Object.keys(guideEntries) as [GuideEntry, ...GuideEntry[]];

/** The entry of a check; the list of all checks if it has none. */
export function checkEntry(id: string): GuideEntry {
  return Object.hasOwn(checkEntries, id) ? (id as CheckId) : 'checks';
}
