/**
 * The shell's dialogs and notifications. A dialog stays above its window, but does not block it, because the window
 * contains the safety stop.
 */
import {
  BrowserWindow,
  dialog,
  Notification,
  type MessageBoxOptions,
  type MessageBoxReturnValue,
  type SaveDialogOptions,
} from 'electron';

const unsavedInputText = 'A form contains input that was not sent or saved.';

/** The open dialogs by kind; only one of each kind is open. */
const openDialogs = new Map<
  string,
  { readonly text: string; readonly owner: Owner; readonly abort: AbortController }
>();
type Owner = BrowserWindow | undefined;

/** Brings the open dialog of this kind to the front, with its window. @returns whether there is one */
export function raiseDialog(kind: string): boolean {
  const open = openDialogs.get(kind);
  if (open !== undefined) showOwner(open.owner);
  return open !== undefined;
}

/** Closes message boxes whose reason no longer exists, as if they were cancelled. */
export function closeDialogs(...kinds: readonly string[]): void {
  for (const kind of kinds) openDialogs.get(kind)?.abort.abort();
}

/** Brings a window to the front. */
export function showOwner(owner: Owner): void {
  if (owner === undefined || owner.isDestroyed()) return;
  if (owner.isMinimized()) owner.restore();
  owner.show();
  owner.focus();
}

/** Returns the focused window, else the lab's window, which is the first one and exists until the app ends. */
function defaultOwner(): Owner {
  return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows().toSorted((a, b) => a.id - b.id)[0];
}

/**
 * Shows a dialog above its window, which is shown first if it is hidden.
 * @param text the content: an open dialog of the same kind with another content is closed, because its reason is gone
 * @param show `owner` is undefined on systems where a dialog with an owner blocks the owner
 * @returns `null` if this dialog is already open; it is raised
 */
async function openDialog<Result>(
  kind: string,
  text: string,
  show: (owner: Owner, signal: AbortSignal) => Promise<Result>,
  owner = defaultOwner(),
): Promise<Result | null> {
  if (openDialogs.get(kind)?.text === text && raiseDialog(kind)) return null;
  closeDialogs(kind);
  const open = { text, owner, abort: new AbortController() };
  openDialogs.set(kind, open);
  showOwner(owner);
  const onClosed = (): void => open.abort.abort();
  owner?.once('closed', onClosed);
  try {
    const result = show(process.platform === 'linux' ? owner : undefined, open.abort.signal);
    // GTK's dialogs disable their owner, and with it the safety stop.
    owner?.setEnabled(true);
    return await result;
  } finally {
    owner?.off('closed', onClosed);
    if (openDialogs.get(kind) === open) openDialogs.delete(kind);
  }
}

/** Shows a message box. @returns the cancel button if the same one is already open, or its reason is gone */
export async function showMessage(
  kind: string,
  options: MessageBoxOptions,
  window?: BrowserWindow,
): Promise<Pick<MessageBoxReturnValue, 'response' | 'checkboxChecked'>> {
  const shown = await openDialog(
    kind,
    `${options.message}\n${options.detail}`,
    (owner, signal) => {
      // The title is read by screen readers.
      const all = { title: 'Lab Manager', ...options, signal };
      return owner === undefined ? dialog.showMessageBox(all) : dialog.showMessageBox(owner, all);
    },
    window,
  );
  return shown ?? { response: options.cancelId ?? 0, checkboxChecked: false };
}

/** Returns the path that the user chooses for a file; `null` when cancelled. */
export async function chooseTargetFile(kind: string, options: SaveDialogOptions): Promise<string | null> {
  const result = await openDialog(kind, 'target', (owner) =>
    owner === undefined ? dialog.showSaveDialog(options) : dialog.showSaveDialog(owner, options),
  );
  return result === null || result.canceled || result.filePath === '' ? null : result.filePath;
}

/** Opens a dialog about addresses that were entered for another lab, when a folder is chosen; `null` when cancelled. */
export async function confirmEnteredAddresses(
  folder: string,
  entered: readonly { readonly title: string; readonly value: string; readonly file: string }[],
): Promise<'set-aside' | 'keep' | null> {
  const files = [...new Set(entered.map(({ file }) => file))].join(', ');
  const { response } = await showMessage('entered', {
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
  const { response } = await showMessage('close', {
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
  const { response, checkboxChecked } = await showMessage('close', {
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

/**
 * Confirms quitting when other machines used this lab manager recently, or a page has unsaved input.
 * @param clients the addresses of the machines
 */
export async function confirmQuit(clients: readonly string[], hasUnsavedInput: boolean): Promise<boolean> {
  const count = clients.length === 1 ? 'Another machine' : `${clients.length} other machines`;
  const shownClients = `${clients.slice(0, 5).join(', ')}${clients.length > 5 ? ' …' : ''}`;
  const clientsText = `${shownClients}\nThey can’t read service addresses from it until it is started again.`;
  const { response } = await showMessage('quit', {
    type: 'question',
    message:
      clients.length === 0
        ? 'Quit and discard unsaved input?'
        : `${count} used this lab manager in the last 10 minutes. Quit anyway?`,
    detail: [...(clients.length === 0 ? [] : [clientsText]), ...(hasUnsavedInput ? [unsavedInputText] : [])].join('\n'),
    buttons: ['Quit', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

/** Confirms closing or reloading a page with unsaved input. */
export async function confirmDiscard(window: BrowserWindow): Promise<boolean> {
  const options: MessageBoxOptions = {
    type: 'question',
    message: 'Discard unsaved input?',
    detail: unsavedInputText,
    buttons: ['Discard', 'Keep Editing'],
    defaultId: 1,
    cancelId: 1,
  };
  return (await showMessage(`discard in ${window.id}`, options, window)).response === 0;
}

/** Confirms the restart of the app after its files were replaced. */
export async function confirmRestart(): Promise<boolean> {
  const { response } = await showMessage('restart', {
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
 * Confirms that `lab` is the intended lab, because its address does not identify a machine.
 * @param lines the lines of the description: the reason, and the known addresses and nodes
 */
export async function confirmMachineDialog(lab: string, lines: readonly string[]): Promise<boolean> {
  const { response } = await showMessage('machine', {
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
