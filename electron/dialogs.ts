/** The few questions and notes that the shell has for a person. */
import { dialog, Notification, type BrowserWindow } from 'electron';

/** The folder that a person chose, or `null`. */
export async function askForLabFolder(window: BrowserWindow): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Choose your lab’s folder',
    message: 'The folder with your lab’s settings.yaml or .env',
    buttonLabel: 'Use This Folder',
    properties: ['openDirectory'],
  });
  return canceled ? null : (filePaths[0] ?? null);
}

/** What closing the window shall do on a desktop without a tray. */
export async function askCloseWithoutTray(window: BrowserWindow): Promise<'quit' | 'minimize'> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: 'This desktop has no tray. Quit Lab Manager when its window is closed?',
    detail:
      'While it is closed, other machines in the lab can’t ask this one where things are. You are asked only once.',
    buttons: ['Quit', 'Keep Running, Minimised'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0 ? 'quit' : 'minimize';
}

/** Whether the service shall be restarted now. */
export async function askForRestart(window: BrowserWindow, settings: readonly string[]): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: `${settings.join(' and ')} changed. Restart the lab manager service now?`,
    detail: 'The new address counts after a restart. Other machines can’t reach this one for about a second.',
    buttons: ['Restart Now', 'Later'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}

/** A note that needs no answer. */
export function note(title: string, body: string, onClick?: () => void): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title, body });
  if (onClick) notification.on('click', onClick);
  notification.show();
}
