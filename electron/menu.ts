/** The application menu, with the accelerators people expect. */
import { Menu, type MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  readonly openDashboard: () => void;
  readonly openInBrowser: () => void;
  readonly chooseLabFolder: () => void;
  readonly checkNow: () => void;
  readonly startDemo: () => void;
  readonly leaveDemo: () => void;
  readonly restartService: () => void;
  readonly openLogs: () => void;
  readonly about: () => void;
  readonly quit: () => void;
}

export function setApplicationMenu(actions: MenuActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, process.platform)));
}

export function menuTemplate(actions: MenuActions, platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const about: MenuItemConstructorOptions = { label: 'About Lab Manager', click: actions.about };
  const quit: MenuItemConstructorOptions = {
    label: isMac ? 'Quit Lab Manager' : 'Quit',
    accelerator: 'CmdOrCtrl+Q',
    click: actions.quit,
  };
  const appMenu: MenuItemConstructorOptions = {
    label: 'Lab Manager',
    submenu: [about, { type: 'separator' }, { role: 'services' }, { role: 'hide' }, { role: 'unhide' }, quit],
  };
  return [
    ...(isMac ? [appMenu] : []),
    {
      label: 'File',
      submenu: [
        { label: 'Choose Lab Folder…', accelerator: 'CmdOrCtrl+O', click: actions.chooseLabFolder },
        { label: 'Open in Browser', accelerator: 'CmdOrCtrl+Shift+O', click: actions.openInBrowser },
        { type: 'separator' },
        { role: 'close' },
        ...(isMac ? [] : [quit]),
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { label: 'Dashboard', accelerator: 'CmdOrCtrl+D', click: actions.openDashboard },
        { label: 'Check Managers Now', accelerator: 'CmdOrCtrl+Shift+R', click: actions.checkNow },
        { type: 'separator' },
        { role: 'reload' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: 'Start Demo Lab', click: actions.startDemo },
        { label: 'Leave Demo Lab', click: actions.leaveDemo },
        { type: 'separator' },
        { label: 'Restart Service', click: actions.restartService },
        { label: 'Open Logs Folder', click: actions.openLogs },
        ...(isMac ? [] : [{ type: 'separator' } as const, about]),
      ],
    },
  ];
}
