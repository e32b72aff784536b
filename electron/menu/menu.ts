/** The application menu, with the accelerators people expect. Made again when what it offers changes. */
import { BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  readonly openDashboard: () => void;
  readonly openInBrowser: () => void;
  readonly chooseLabFolder: () => void;
  readonly checkNow: () => void;
  readonly startDemo: () => void;
  readonly leaveDemo: () => void;
  readonly connect: () => void;
  readonly disconnect: () => void;
  readonly confirmMachine: () => void;
  readonly restartService: () => void;
  readonly openMaintenance: () => void;
  readonly openSettings: () => void;
  readonly openSettingsFile: () => void;
  readonly openGuide: () => void;
  readonly openLogs: () => void;
  readonly showLogs: () => void;
  readonly openDiagnostics: () => void;
  readonly saveDiagnostics: () => void;
  readonly checkForUpdates: () => void;
  readonly about: () => void;
  readonly quit: () => void;
}

export interface MenuState {
  /** The demo lab is shown: in place of the user's own, or in a window beside it. */
  readonly hasDemo: boolean;
  /** The demo lab is shown in place of the user's own. */
  readonly isDemo: boolean;
  /** Another machine's lab manager is shown. */
  readonly follows: boolean;
  /** Its machine must be confirmed before anything is sent to its lab. */
  readonly isUnidentified: boolean;
}

let shown = '';

/** Does nothing when it is as it was: an open menu would close. */
export function setApplicationMenu(actions: MenuActions, state: MenuState): void {
  const key = JSON.stringify(state);
  if (key === shown) return;
  shown = key;
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, state, process.platform)));
}

export function menuTemplate(
  actions: MenuActions,
  state: MenuState,
  platform: NodeJS.Platform,
): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const about: MenuItemConstructorOptions = { label: '&About Lab Manager', click: actions.about };
  const quit: MenuItemConstructorOptions = {
    label: isMac ? 'Quit Lab Manager' : '&Quit',
    accelerator: 'CmdOrCtrl+Q',
    click: actions.quit,
  };
  const settingsKey = { accelerator: 'CmdOrCtrl+,', click: actions.openSettings };
  const settings: MenuItemConstructorOptions = { label: 'Settings…', ...settingsKey };
  // Chromium writes the key as "Ctrl+Comma" (its IDS_APP_COMMA_KEY), so the label names it and a hidden item has it.
  const settingsElsewhere: MenuItemConstructorOptions[] = [
    { label: '&Settings… (Ctrl+,)', click: actions.openSettings },
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
        { label: '&Choose Lab Folder…', accelerator: 'CmdOrCtrl+O', click: actions.chooseLabFolder },
        { label: 'Connect to &Lab…', accelerator: 'CmdOrCtrl+L', click: actions.connect },
        ...(state.follows ? [{ label: '&Use This Machine’s Lab', click: actions.disconnect }] : []),
        ...(state.isUnidentified ? [{ label: 'Confirm &Machine…', click: actions.confirmMachine }] : []),
        { label: 'Open in &Browser', accelerator: 'CmdOrCtrl+Shift+O', click: actions.openInBrowser },
        { type: 'separator' },
        ...(isMac ? [] : settingsElsewhere),
        { label: 'Open Settings &File', click: actions.openSettingsFile },
        { type: 'separator' },
        { role: 'close', label: 'Close &Window' },
        ...(isMac ? [] : [quit]),
      ],
    },
    { role: 'editMenu', label: '&Edit' },
    {
      label: '&View',
      submenu: [
        { label: '&Dashboard', accelerator: 'CmdOrCtrl+D', click: actions.openDashboard },
        { label: '&Check Managers Now', accelerator: 'CmdOrCtrl+Shift+R', click: actions.checkNow },
        { label: '&Maintenance and Mute…', click: actions.openMaintenance },
        { type: 'separator' },
        { role: 'reload', label: '&Reload' },
        { role: 'resetZoom', label: '&Actual Size' },
        { role: 'zoomIn', label: 'Zoom &In' },
        { role: 'zoomOut', label: 'Zoom &Out' },
        // The key of + without Shift, and the number pad's, as in browsers.
        ...['CmdOrCtrl+=', 'CmdOrCtrl+numadd'].map(hiddenZoomIn),
        { role: 'togglefullscreen', label: '&Full Screen' },
        ...(isMac ? [] : [openMenuKey()]),
      ],
    },
    { role: 'windowMenu', label: '&Window' },
    {
      role: 'help',
      label: '&Help',
      submenu: [
        { label: '&User Guide', accelerator: 'F1', click: actions.openGuide },
        { type: 'separator' },
        ...(state.isDemo
          ? []
          : [{ label: state.hasDemo ? 'Show &Demo Lab' : 'Start &Demo Lab', click: actions.startDemo }]),
        ...(state.hasDemo ? [{ label: 'Lea&ve Demo Lab', click: actions.leaveDemo }] : []),
        { type: 'separator' },
        { label: '&Restart Service', click: actions.restartService },
        { label: '&Logs', accelerator: 'CmdOrCtrl+Shift+L', click: actions.showLogs },
        { label: '&Open Logs Folder', click: actions.openLogs },
        { label: 'Dia&gnostics', click: actions.openDiagnostics },
        { label: '&Save Diagnostics…', click: actions.saveDiagnostics },
        { label: 'Check for U&pdates…', click: actions.checkForUpdates },
        ...(isMac ? [] : [{ type: 'separator' } as const, about]),
      ],
    },
  ];
}

function hiddenZoomIn(accelerator: string): MenuItemConstructorOptions {
  return { role: 'zoomIn', accelerator, visible: false, acceleratorWorksWhenHidden: true };
}

/** F10 opens the menu from the keyboard, as in other programs; Alt and a letter open one of it. */
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
