/**
 * The entries of the user guide for each message that requires action. The service serves the guide at `/help/`, and
 * the app shows the same pages. A test verifies that every entry exists.
 */

/** The folder of the guide's pages, relative to the service's base address. */
export const guideFolder = 'help/';

const troubleshootingPage = 'troubleshooting.html#';

// Entries that the dashboard links to are separate constants, so that its first page does not load the others.
export const guideStart = 'index.html';
export const managerEntry = `${troubleshootingPage}messages-about-a-manager`;
export const mixedContentEntry = `${troubleshootingPage}this-page-cannot-reach-the-managers`;
export const clocksEntry = `${troubleshootingPage}clocks`;
export const phoneEntry = 'phone.html';
export const httpsEntry = 'users.html#https';
export const signInEntry = 'users.html#sign-in';
export const fleetEntry = 'many-labs.html#set-it-up';
export const safetyStopEntry = 'safety-stop.html#what-it-does';

/**
 * `page.html#anchor` of each message that requires action; that of a diagnostics check is part of its definition
 * (`server/diagnostics/checks/`).
 */
export const guideEntries = {
  guide: guideStart,
  checks: `${troubleshootingPage}the-checks`,
  start: 'first-start.html#the-first-screen',
  portInUse: `${troubleshootingPage}port-8000-is-already-in-use-by-`,
  serviceFailed: `${troubleshootingPage}the-service-does-not-start-or-keeps-stopping`,
  serviceLost: `${troubleshootingPage}the-lab-manager--has-not-answered-since-`,
  folders: `${troubleshootingPage}writing-there-is-not-possible`,
  diskSpace: `${troubleshootingPage}disk-space-size-of-the-log`,
  internalError: `${troubleshootingPage}an-error-occurred-in-lab-manager-`,
  manager: managerEntry,
  mixedContent: mixedContentEntry,
  restart: `${troubleshootingPage}requires-a-restart`,
  settings: `${troubleshootingPage}settings`,
  updates: 'first-start.html#updates',
  maintenance: 'maintenance.html#what-it-does',
  settingsWindow: 'settings.html#change-a-setting',
  users: 'users.html#add-users',
  tokens: 'users.html#api-tokens',
  safetyStop: safetyStopEntry,
  fleet: fleetEntry,
  otherLab: 'other-machines.html#the-lab-of-another-machine-in-the-app',
  phone: phoneEntry,
  https: httpsEntry,
  signIn: signInEntry,
} as const;
export type GuideEntry = keyof typeof guideEntries;

/** The entry of one of the app's notices, by its ID; `null` if there is none. */
export function findNoticeEntry(id: string): GuideEntry | null {
  const entries: Readonly<Record<string, GuideEntry>> = {
    'settings-errors': 'settings',
    'restart-needed': 'restart',
    'settings-mixed': 'settingsWindow',
    'service-silent': 'serviceFailed',
    'service-lost': 'serviceLost',
    'followed-lost': 'serviceLost',
    'followed-unidentified': 'otherLab',
    'followed-differs': 'otherLab',
    'lab-folder': 'settings',
    'internal-error': 'internalError',
    'safety-stop': 'safetyStop',
    'safety-stop-published': 'safetyStop',
    'disk-space': 'diskSpace',
    update: 'updates',
    replaced: 'updates',
  };
  return id.startsWith('folder:') ? 'folders' : (entries[id] ?? null);
}
