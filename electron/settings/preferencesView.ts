/** The app's own choices as the Settings window shows them, and what it changes of them. */
import type { Desktop } from '../desktop.ts';
import type { PreferenceChanges, PreferencesView, RememberedChoice } from '../ipc/settingsContract.ts';
import { labFolderProblem } from '../labFolder.ts';
import { applyPreferences, languageOf } from '../preferences/applyPreferences.ts';
import { changeStartAtLogin, startAtLogin } from '../preferences/startAtLogin.ts';
import { resetBounds } from '../window/mainWindow.ts';
import { ownArguments } from '../serviceInputs.ts';
import { otherFolder } from './otherFolder.ts';
import { timeExamples } from './timeExamples.ts';

export async function preferencesView({ preferences, service, follows }: Desktop): Promise<PreferencesView> {
  const login = await startAtLogin();
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
    timeExamples: timeExamples(languageOf),
    remembered: {
      closeWithoutTray: values.closeWithoutTray,
      trayNoteShown: values.trayNoteShown,
      window: values.window !== null,
    },
    labFolder: values.labFolder,
    labFolderNote: otherFolder(ownArguments(), process.env) ?? (problem && `This folder ${problem.problem}.`),
    follows,
    file: path,
  };
}

/** @throws Error in words when the system doesn't take it; the rest is as it was */
export async function changePreferences(desktop: Desktop, changes: PreferenceChanges): Promise<void> {
  const { startAtLogin: wanted, ...kept } = changes;
  const { startHidden = desktop.preferences.values.startHidden } = kept;
  // The entry holds whether the window opens.
  if (wanted !== undefined || kept.startHidden !== undefined)
    await changeStartAtLogin(wanted, kept.startHidden, startHidden);
  desktop.preferences.change(kept);
  applyPreferences(desktop.preferences.values);
  desktop.show();
}

export function forgetChoice(desktop: Desktop, choice: RememberedChoice): void {
  switch (choice) {
    case 'closeWithoutTray':
      return desktop.preferences.change({ closeWithoutTray: null });
    case 'trayNoteShown':
      return desktop.preferences.change({ trayNoteShown: false });
    case 'window':
      return resetBounds(desktop.browserWindow, desktop.preferences);
  }
}
