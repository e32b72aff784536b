/** Shows and changes the app preferences in the Settings window. */
import type { BrowserWindow } from 'electron';
import type { PreferenceChanges, PreferencesView, RememberedChoice } from '../ipc/settingsContract.ts';
import { labFolderProblem, overridingFolderSource } from '../folders/labFolder.ts';
import { applyPreferences, findTimeLocale } from '../preferences/applyPreferences.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import { changeStartAtLogin, readStartAtLogin } from '../preferences/startAtLogin.ts';
import { resetBounds } from '../windows/mainWindow.ts';
import type { LabService } from '../service/labService.ts';
import { appArguments } from '../service/serviceInputs.ts';
import { timeExamples } from './settingsTexts.ts';

interface PreferencesSource {
  readonly preferences: PreferencesFile;
  readonly service: Pick<LabService, 'state'>;
  /** The lab manager on another machine whose lab is shown. */
  readonly followedUrl: string | null;
}

export async function getPreferencesView({
  preferences,
  service,
  followedUrl,
}: PreferencesSource): Promise<PreferencesView> {
  const login = await readStartAtLogin();
  const { values, path } = preferences;
  const problem = labFolderProblem(values.labFolder, service.state.status);
  return {
    startAtLogin: login.on,
    loginNote: login.note,
    startHidden: values.startHidden,
    closeWindow: values.closeWindow,
    notifications: values.notifications,
    theme: values.theme,
    times: values.times,
    timeExamples: timeExamples(findTimeLocale),
    remembered: {
      closeWithoutTray: values.closeWithoutTray,
      trayNoteShown: values.trayNoteShown,
      window: values.window !== null,
    },
    labFolder: values.labFolder,
    labFolderNote:
      overridingFolderSource(appArguments(), process.env) ?? (problem && `This folder ${problem.problem}.`),
    followedUrl,
    file: path,
  };
}

/** @throws Error with a readable message if the system rejects the start at login; other preferences stay unchanged */
export async function changePreferences(preferences: PreferencesFile, changes: PreferenceChanges): Promise<void> {
  const { startAtLogin: requested, ...others } = changes;
  const { startHidden = preferences.values.startHidden } = others;
  // The desktop entry stores whether the window opens at login.
  if (requested !== undefined || others.startHidden !== undefined)
    await changeStartAtLogin(requested, others.startHidden, startHidden);
  preferences.change(others);
  applyPreferences(preferences.values);
}

/** @param window the window whose position is stored */
export function forgetChoice(preferences: PreferencesFile, window: BrowserWindow, choice: RememberedChoice): void {
  switch (choice) {
    case 'closeWithoutTray':
      return preferences.change({ closeWithoutTray: null });
    case 'trayNoteShown':
      return preferences.change({ trayNoteShown: false });
    case 'window':
      return resetBounds(window, preferences);
  }
}
