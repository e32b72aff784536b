/**
 * The shell's dialogs and notifications. No dialog is modal, because an open one would block the dashboard and its
 * safety stop.
 */
import { dialog, Notification } from 'electron';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';

/**
 * Returns the folder that the user chooses; `null` when cancelled.
 * @param start the initial folder: without one GTK shows recent files instead of folders
 */
export async function chooseFolder(start: string): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    defaultPath: start,
    title: 'Choose your lab’s folder',
    message: 'The folder with your lab’s settings.yaml or .env',
    buttonLabel: 'Use This Folder',
    properties: ['openDirectory'],
  });
  return canceled ? null : (filePaths[0] ?? null);
}

/** Opens a dialog about addresses that were entered for another lab, when a folder is chosen; `null` when cancelled. */
export async function confirmEnteredAddresses(
  folder: string,
  entered: readonly { readonly title: string; readonly value: string; readonly file: string }[],
): Promise<'set-aside' | 'keep' | null> {
  const files = [...new Set(entered.map(({ file }) => file))].join(', ');
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Set aside the addresses that were entered before?',
    detail: [
      ...entered.map(({ title, value }) => `${title}: ${value}`),
      '',
      `They are in ${files}. If they belong to another lab than ${folder}, set them aside: a copy of the file is kept next to it. If you keep them, each is used where the folder has no address.`,
    ].join('\n'),
    buttons: ['Set Aside', 'Keep', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  });
  return response === 0 ? 'set-aside' : response === 1 ? 'keep' : null;
}

/** Returns the effect that the user chooses for closing the window without a tray; `null` when cancelled. */
export async function confirmCloseWithoutTray(): Promise<'quit' | 'minimize' | null> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'This desktop has no tray. Quit Lab Manager when its window is closed?',
    detail:
      'While Lab Manager is closed, other machines can’t read service addresses from this one. This question appears only once.',
    buttons: ['Quit', 'Keep Running, Minimised', 'Cancel'],
    defaultId: 1,
    cancelId: 2,
  });
  return response === 0 ? 'quit' : response === 1 ? 'minimize' : null;
}

/** Returns the effect that the user chooses for closing the window, `null` when cancelled, and whether to remember it. */
export async function confirmCloseToTray(): Promise<{ choice: 'tray' | 'quit' | null; always: boolean }> {
  const { response, checkboxChecked } = await dialog.showMessageBox({
    type: 'question',
    message: 'Keep Lab Manager running in the tray?',
    detail: 'While Lab Manager is closed, other machines can’t read service addresses from this one.',
    buttons: ['Keep Running', 'Quit', 'Cancel'],
    checkboxLabel: 'Don’t ask again',
    defaultId: 0,
    cancelId: 2,
  });
  return { choice: response === 0 ? 'tray' : response === 1 ? 'quit' : null, always: checkboxChecked };
}

/** Confirms quitting when other machines used this lab manager recently. @param clients their addresses */
export async function confirmQuit(clients: readonly string[]): Promise<boolean> {
  const count = clients.length === 1 ? 'Another machine' : `${clients.length} other machines`;
  const shownClients = clients.slice(0, 5).join(', ');
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: `${count} used this lab manager in the last 10 minutes. Quit anyway?`,
    detail: `${shownClients}${clients.length > 5 ? ' …' : ''}\nThey can’t read service addresses from it until it is started again.`,
    buttons: ['Quit', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

/** Confirms the restart of the app after its files were replaced. */
export async function confirmRestart(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Restart Lab Manager now?',
    detail:
      'It starts again with the version that was installed on this machine. Its service is unavailable for a few seconds.',
    buttons: ['Restart', 'Later'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}

/**
 * Confirms the stop of every node, for a click in the tray (easily a mistake) and for an uncertain machine.
 * @param lab the lab and its machine: `Bench on lab-pc`
 * @param warning the reason why the nodes may belong to another lab; `null` when that is excluded
 */
export async function confirmSafetyStop(
  lab: string,
  nodes: readonly string[],
  warning: string | null,
): Promise<boolean> {
  const count = nodes.length === 1 ? 'the one node' : `all ${nodes.length} nodes`;
  const detail = [
    warning === null ? null : `${warning}\n`,
    `${nodes.slice(0, 10).join(', ')}${nodes.length > 10 ? ' …' : ''}`,
    safetyStopTexts.notHardware,
  ];
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: `Stop ${count} of ${lab} now?`,
    detail: detail.filter((line) => line !== null).join('\n'),
    buttons: [warning === null ? 'Stop All Nodes' : 'Confirm Machine and Stop All Nodes', 'Cancel'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}

/**
 * Confirms that `lab` is the intended lab, because its address does not identify a machine.
 * @param lines the lines of the description: the reason, and the known addresses and nodes
 */
export async function confirmMachineDialog(lab: string, lines: readonly string[]): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: `Allow commands to ${lab}?`,
    detail: lines.join('\n'),
    buttons: ['Confirm Machine', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

interface NotificationEvents {
  readonly onClick?: () => void;
  readonly onShown?: () => void;
  readonly onFailed?: (reason: string) => void;
}

/** Returns whether the desktop supports notifications. */
export function supportsNotifications(): boolean {
  return Notification.isSupported();
}

/** The notifications that can still be clicked. An unreferenced one is garbage-collected, and its click is lost. */
const shownNotifications = new Set<Notification>();
const maxShownNotifications = 50;

/** Shows a notification that needs no response. */
export function showNotification(
  title: string,
  body: string,
  { onClick, onShown, onFailed }: NotificationEvents = {},
): void {
  if (!supportsNotifications()) return onFailed?.('the desktop shows no notifications from apps');
  const notification = new Notification({ title, body });
  if (onClick) notification.on('click', onClick);
  if (onShown) notification.on('show', onShown);
  notification.on('failed', (_event, reason) => onFailed?.(reason));
  for (const event of ['click', 'close', 'failed'] as const) {
    notification.on(event as 'click', () => shownNotifications.delete(notification));
  }
  shownNotifications.add(notification);
  const [oldest] = shownNotifications;
  if (shownNotifications.size > maxShownNotifications && oldest !== undefined) shownNotifications.delete(oldest);
  notification.show();
}
