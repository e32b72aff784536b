/** Changes the lab's settings: chooses their folder, and saves addresses entered in the app. */
import { app as electronApp } from 'electron';
import { contextKey, managerKeys } from '../../api/managers.ts';
import { errorText } from '../../api/errorText.ts';
import type { Log } from '../../server/logging/log.ts';
import { enteredAddresses } from '../../server/settings/edit/messages.ts';
import { chooserStart } from '../folders/labFolder.ts';
import type { CommandOf } from '../ipc/commands.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import type { LabService, Mode } from '../service/labService.ts';
import { confirmEnteredAddresses, chooseFolder } from '../windows/dialogs.ts';

/** The parts of the app that changing the lab's settings uses. */
export interface LabSettingsApp {
  readonly service: Pick<LabService, 'requestSettings' | 'writeSettings'>;
  readonly preferences: PreferencesFile;
  readonly log: Log;
  readonly startService: (mode: Mode) => void;
}

/** @returns the chosen folder; `null` when cancelled */
export async function chooseLabFolder(app: LabSettingsApp): Promise<string | null> {
  const { preferences } = app;
  const folder = await chooseFolder(chooserStart(preferences.values.labFolder, electronApp.getPath('home')));
  if (folder === null || !(await resolveEnteredAddresses(app, folder))) return null;
  preferences.change({ labFolder: folder, follow: null });
  app.startService({ kind: 'serve' });
  return folder;
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
