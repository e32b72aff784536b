/** Changes the lab's settings: chooses their folder, and saves addresses entered in the app. */
import { resolve } from 'node:path';
import { app as electronApp } from 'electron';
import { contextKey, managerKeys } from '../../api/managers.ts';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../../server/logging/log.ts';
import { enteredAddresses } from '../../server/settings/edit/messages.ts';
import { expandHome } from '../../server/settings/parse/discovery.ts';
import type { CommandOf } from '../ipc/commands.ts';
import type { Preferences, PreferencesFile } from '../preferences/preferences.ts';
import type { LabService, Mode } from '../service/labService.ts';
import { confirmEnteredAddresses } from '../windows/dialogs.ts';

/** The parts of the app that changing the lab's settings uses. */
export interface LabSettingsApp {
  readonly service: Pick<LabService, 'requestSettings' | 'writeSettings'>;
  readonly preferences: PreferencesFile;
  readonly log: Log;
  readonly startService: (mode: Mode) => void;
}

/** The maximum number of lab folders that are offered again. */
const maxRecentFolders = 8;

/**
 * Uses a folder as the lab's and shows this machine's lab.
 * @param enteredPath as the user entered it if the service did not list the folder
 * @returns whether the user decided about the addresses that were entered before
 */
export async function useLabFolder(app: LabSettingsApp, enteredPath: string): Promise<boolean> {
  const home = electronApp.getPath('home');
  const folder = resolve(home, expandHome(enteredPath, home));
  if (!(await resolveEnteredAddresses(app, folder))) return false;
  const { recentFolders } = app.preferences.values;
  app.preferences.change({
    labFolder: folder,
    recentFolders: [folder, ...recentFolders.filter((recent) => recent !== folder)].slice(0, maxRecentFolders),
    follow: null,
  });
  app.startService({ kind: 'serve' });
  return true;
}

/** The folders below which removable media and other drives are mounted. */
const mediaFolders: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['/media', '/run/media', '/mnt'],
  darwin: ['/Volumes'],
};

/** The folders below which the first screen searches for labs: the labs used before, the user's files, and media. */
export function searchRoots({ recentFolders }: Pick<Preferences, 'recentFolders'>): string[] {
  const media = mediaFolders[process.platform] ?? [];
  return [...recentFolders, electronApp.getPath('documents'), electronApp.getPath('home'), ...media];
}

/**
 * Lets the user decide what happens to the addresses that were entered for the previous lab, if there are any.
 * @returns false if the user cancelled
 */
async function resolveEnteredAddresses({ service, log }: LabSettingsApp, folder: string): Promise<boolean> {
  const { addresses } = await service.requestSettings({ kind: 'entered' }).then(
    (reply) => enteredAddresses.parse(reply),
    (error: unknown) => {
      // Choosing another folder must work even if the service doesn't run.
      log.warn(`It is unknown whether addresses were entered: ${errorText(error)}`);
      return { addresses: [] };
    },
  );
  if (addresses.length === 0) return true;
  const choice = await confirmEnteredAddresses(folder, addresses);
  if (choice === 'set-aside') await service.requestSettings({ kind: 'set-aside' });
  return choice !== null;
}

/**
 * Saves addresses. An empty one disables its manager, which is stored as None.
 * @returns the path of the file that contains them
 */
export async function saveAddresses(
  { service }: Pick<LabSettingsApp, 'service'>,
  addresses: CommandOf<'save-addresses'>['addresses'],
): Promise<string> {
  const enteredManagers = managerKeys.filter((manager) => addresses[manager] !== undefined);
  return service.writeSettings(
    Object.fromEntries(enteredManagers.map((manager) => [contextKey(manager), addresses[manager] || 'None'])),
  );
}
