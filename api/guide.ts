/**
 * Where the user guide explains each message of the product that asks for action. Its pages lie at `/help/` of the service,
 * and the app shows the same ones. A test holds that every entry is there. Pure.
 */

/** The folder of the guide's pages, from the service's base address. */
export const guideFolder = 'help/';

const page = 'troubleshooting.html#';

// Those that the dashboard leads to stand by themselves: its first page is small, and has no use for the others.
export const guideStart = 'index.html';
export const managerEntry = `${page}what-is-said-of-a-manager`;
export const mixedContentEntry = `${page}this-page-cannot-reach-the-managers`;
export const stopEntry = 'safety-stop.html#what-it-does';

/** `page.html#anchor` of what asks for action. The checks of the diagnostics are apart: the dashboard, which is small, has none. */
export const messageEntries = {
  guide: guideStart,
  checks: `${page}the-checks`,
  start: 'first-start.html#the-first-screen',
  portTaken: `${page}port-8000-is-already-in-use-by-`,
  serviceFailed: `${page}the-service-does-not-start-or-keeps-stopping`,
  serviceLost: `${page}the-lab-manager--has-not-answered-since-`,
  folders: `${page}writing-there-is-not-possible`,
  diskSpace: `${page}disk-space-size-of-the-log`,
  internalError: `${page}an-error-occurred-in-lab-manager-`,
  manager: managerEntry,
  mixedContent: mixedContentEntry,
  restart: `${page}requires-a-restart`,
  settings: `${page}settings`,
  updates: 'first-start.html#updates',
  maintenance: 'maintenance.html#what-it-does',
  settingsWindow: 'settings.html#change-a-setting',
  stopWhat: stopEntry,
  otherLab: 'other-machines.html#the-lab-of-another-machine-in-the-app',
} as const;
export type MessageEntry = keyof typeof messageEntries;

/** The entry of one of the app's notices, by its ID; `null` where none explains it. */
export function noticeEntry(id: string): MessageEntry | null {
  const entries: Readonly<Record<string, MessageEntry>> = {
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
    'safety-stop': 'stopWhat',
    'safety-stop-published': 'stopWhat',
    'disk-space': 'diskSpace',
    update: 'updates',
  };
  return id.startsWith('folder:') ? 'folders' : (entries[id] ?? null);
}
