/** The application menu with the usual accelerators. Rebuilt when its items change. */
import { BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import { guideStart } from '../../api/guide.ts';
import type { AppCommand } from '../ipc/commands.ts';

/** Runs a command of the menu. */
type RunCommand = (command: AppCommand) => void;

interface MenuState {
  /** True when the demo lab is open, instead of the user's lab or in a separate window. */
  readonly hasDemo: boolean;
  /** True when the demo lab is shown instead of the user's lab. */
  readonly isDemo: boolean;
  /** True when another machine's lab manager is shown. */
  readonly isFollowing: boolean;
  /** True when the machine must be confirmed before a command is sent to its lab. */
  readonly isUnidentified: boolean;
  /** The labs of the switcher: this machine's first. */
  readonly labs: readonly SwitcherLab[];
}

/** A lab of the switcher; `url` is `null` for this machine's. */
export interface SwitcherLab {
  readonly label: string;
  readonly url: string | null;
  readonly isShown: boolean;
}

let currentStateKey = '';

/** Sets the application menu, unless it is unchanged: replacing it would close an open menu. */
export function setApplicationMenu(run: RunCommand, state: MenuState): void {
  const key = JSON.stringify(state);
  if (key === currentStateKey) return;
  currentStateKey = key;
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(run, state, process.platform)));
}

// oxlint-disable-next-line max-lines-per-function -- a table, one entry for each item of the menu
export function menuTemplate(
  run: RunCommand,
  state: MenuState,
  platform: NodeJS.Platform,
): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const on = (command: AppCommand) => () => run(command);
  const about: MenuItemConstructorOptions = { label: '&About Lab Manager', click: on({ command: 'open-about' }) };
  const quit: MenuItemConstructorOptions = {
    label: isMac ? 'Quit Lab Manager' : '&Quit',
    accelerator: 'CmdOrCtrl+Q',
    click: on({ command: 'quit' }),
  };
  const settingsKey = { accelerator: 'CmdOrCtrl+,', click: on({ command: 'open-settings' }) };
  const settings: MenuItemConstructorOptions = { label: 'Settings…', ...settingsKey };
  // Chromium displays the key as "Ctrl+Comma" (its IDS_APP_COMMA_KEY), so the label contains it and a hidden item
  // registers it.
  const settingsItem: MenuItemConstructorOptions[] = [
    { label: '&Settings… (Ctrl+,)', click: on({ command: 'open-settings' }) },
    { label: 'Settings', ...settingsKey, visible: false, acceleratorWorksWhenHidden: true },
  ];
  const appMenu: MenuItemConstructorOptions = {
    label: 'Lab Manager',
    submenu: [
      about,
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'services' },
      { role: 'hide' },
      { role: 'unhide' },
      quit,
    ],
  };
  return [
    ...(isMac ? [appMenu] : []),
    {
      label: '&File',
      submenu: [
        { label: '&Choose Lab Folder…', accelerator: 'CmdOrCtrl+O', click: on({ command: 'choose-folder' }) },
        { label: 'Connect to &Lab…', accelerator: 'CmdOrCtrl+L', click: on({ command: 'open-connect' }) },
        ...(state.isFollowing ? [{ label: '&Use This Machine’s Lab', click: on({ command: 'disconnect' }) }] : []),
        ...(state.isUnidentified ? [{ label: 'Confirm &Machine…', click: on({ command: 'confirm-machine' }) }] : []),
        { label: 'Open in &Browser', accelerator: 'CmdOrCtrl+Shift+O', click: on({ command: 'open-in-browser' }) },
        { type: 'separator' },
        ...(isMac ? [] : settingsItem),
        { label: 'Open Settings &File', click: on({ command: 'open-settings-file' }) },
        { type: 'separator' },
        { role: 'close', label: 'Close &Window' },
        ...(isMac ? [] : [quit]),
      ],
    },
    { role: 'editMenu', label: '&Edit' },
    {
      label: '&View',
      submenu: [
        { label: '&Dashboard', accelerator: 'CmdOrCtrl+D', click: on({ command: 'show-window' }) },
        { label: '&Check Managers Now', accelerator: 'CmdOrCtrl+Shift+R', click: on({ command: 'check-now' }) },
        { label: '&Maintenance and Mute…', click: on({ command: 'open-maintenance' }) },
        { type: 'separator' },
        { role: 'reload', label: '&Reload' },
        { role: 'resetZoom', label: '&Actual Size' },
        { role: 'zoomIn', label: 'Zoom &In' },
        { role: 'zoomOut', label: 'Zoom &Out' },
        // The + key without Shift, and the number pad's, as in browsers.
        ...['CmdOrCtrl+=', 'CmdOrCtrl+numadd'].map(hiddenZoomIn),
        { role: 'togglefullscreen', label: '&Full Screen' },
        ...(isMac ? [] : [openMenuKey()]),
      ],
    },
    ...(state.labs.length > 1 ? [labsMenu(state.labs, run)] : []),
    { role: 'windowMenu', label: '&Window' },
    {
      role: 'help',
      label: '&Help',
      submenu: [
        { label: '&User Guide', accelerator: 'F1', click: on({ command: 'open-guide', page: guideStart }) },
        { type: 'separator' },
        ...(state.isDemo
          ? []
          : [{ label: state.hasDemo ? 'Show &Demo Lab' : 'Start &Demo Lab', click: on({ command: 'start-demo' }) }]),
        ...(state.hasDemo ? [{ label: 'Lea&ve Demo Lab', click: on({ command: 'leave-demo' }) }] : []),
        { type: 'separator' },
        { label: '&Restart Service', click: on({ command: 'restart-service' }) },
        { label: '&Logs', accelerator: 'CmdOrCtrl+Shift+L', click: on({ command: 'open-logs' }) },
        { label: '&Open Logs Folder', click: on({ command: 'open-log-folder' }) },
        { label: 'Dia&gnostics', click: on({ command: 'open-diagnostics' }) },
        { label: '&Save Diagnostics…', click: on({ command: 'save-diagnostics' }) },
        { label: 'Check for U&pdates…', click: on({ command: 'check-for-updates' }) },
        ...(isMac ? [] : [{ type: 'separator' } as const, about]),
      ],
    },
  ];
}

/** Ctrl+1 shows this machine's lab, Ctrl+2 to Ctrl+9 the others. */
function labsMenu(labs: readonly SwitcherLab[], run: RunCommand): MenuItemConstructorOptions {
  const items = labs.slice(0, 9).map(({ label, url, isShown }, index): MenuItemConstructorOptions => ({
    label: label.replaceAll('&', '&&'),
    type: 'checkbox',
    checked: isShown,
    accelerator: `CmdOrCtrl+${index + 1}`,
    click: (item) => {
      // Electron has moved the check mark, but the lab changes only after the other one responds.
      item.checked = isShown;
      // Choosing the shown lab cancels a connection that is being established.
      run(url === null ? { command: 'disconnect' } : { command: 'connect', url });
    },
  }));
  return { label: '&Labs', submenu: items };
}

function hiddenZoomIn(accelerator: string): MenuItemConstructorOptions {
  return { role: 'zoomIn', accelerator, visible: false, acceleratorWorksWhenHidden: true };
}

/** F10 opens the menu from the keyboard, as in other programs; Alt and a letter open a single submenu. */
function openMenuKey(): MenuItemConstructorOptions {
  return {
    label: 'Open Menu',
    accelerator: 'F10',
    visible: false,
    acceleratorWorksWhenHidden: true,
    click: (_item, window) => {
      if (window instanceof BrowserWindow) Menu.getApplicationMenu()?.popup({ window, x: 0, y: 0 });
    },
  };
}
