/** What a person asks by menu, tray or page, and what is done for it. */
import { app, clipboard, shell } from 'electron';
import { contextKey, managerKeys } from '../api/managers.ts';
import { aboutPage, openAbout } from './about.ts';
import type { Desktop } from './desktop.ts';
import { askForLabFolder } from './dialogs.ts';
import type { ShellRequest } from './ipc/contract.ts';
import type { MenuActions } from './menu.ts';
import type { TrayAction } from './tray/trayModel.ts';
import { shellUrl } from './window/addresses.ts';
import { temporaryBecause } from './windowTarget.ts';

export function trayActions(desktop: () => Desktop): (action: TrayAction) => void {
  return (action) => {
    switch (action.do) {
      case 'open-dashboard':
        return desktop().window.show();
      case 'open-in-browser':
        return openInBrowser(desktop());
      case 'open-manager':
        return void shell.openExternal(new URL('docs', action.url.replace(/\/*$/, '/')).href);
      case 'copy':
        return clipboard.writeText(action.text);
      case 'check-now':
        return desktop().checkNow();
      case 'open-logs':
        return void shell.openPath(desktop().identity.logDir);
      case 'quit':
        return app.quit();
    }
  };
}

export function menuActions(desktop: Desktop): MenuActions {
  return {
    openDashboard: () => desktop.window.show(),
    openInBrowser: () => openInBrowser(desktop),
    chooseLabFolder: () => void chooseLabFolder(desktop),
    checkNow: () => desktop.checkNow(),
    startDemo: () => void desktop.startDemo(),
    leaveDemo: () => void desktop.leaveDemo(),
    restartService: () => desktop.startService(),
    openLogs: () => void shell.openPath(desktop.identity.logDir),
    about: () => void openAbout(desktop.browserWindow, desktop.identity.preload, `${shellUrl}#about`),
    quit: () => app.quit(),
  };
}

/** Answers a page of the shell. */
export async function answerRequest(desktop: Desktop, request: ShellRequest): Promise<unknown> {
  switch (request.ask) {
    case 'page':
      return request.about ? aboutPage(desktop.identity, desktop.status) : desktop.window.page;
    case 'choose-folder':
      return chooseLabFolder(desktop);
    case 'test-address':
      return desktop.testAddress(request.manager, request.url);
    case 'save-addresses':
      return saveAddresses(desktop, request.addresses);
    case 'open-dashboard':
      return desktop.passFirstScreen();
    case 'start-demo':
      return desktop.startDemo();
    case 'try-again':
      return desktop.startService();
    case 'check-now':
      return desktop.checkNow();
    case 'open-problem':
      return openProblem(desktop, request.index);
    case 'use-occupant':
      return useOccupant(desktop);
    case 'use-free-port':
      return useFreePort(desktop);
    case 'show-log':
      return void (await shell.openPath(desktop.identity.logDir));
    case 'copy':
      return clipboard.writeText(request.text);
    case 'quit':
      return app.quit();
  }
}

function openInBrowser(desktop: Desktop): void {
  const { dashboardUrl } = desktop;
  if (dashboardUrl !== null) void shell.openExternal(dashboardUrl);
}

/** @returns the chosen folder, `null` when nobody chose one */
async function chooseLabFolder(desktop: Desktop): Promise<string | null> {
  const folder = await askForLabFolder(desktop.browserWindow);
  if (folder === null) return null;
  desktop.preferences.change({ labFolder: folder });
  desktop.startService();
  return folder;
}

type Addresses = Extract<ShellRequest, { ask: 'save-addresses' }>['addresses'];

/** An empty address switches its manager off, which settings write as None. */
async function saveAddresses(desktop: Desktop, addresses: Addresses): Promise<void> {
  const typed = managerKeys.filter((manager) => addresses[manager] !== undefined);
  await desktop.writeSettings(
    Object.fromEntries(typed.map((manager) => [contextKey(manager), addresses[manager] || 'None'])),
  );
  desktop.passFirstScreen();
}

async function openProblem(desktop: Desktop, index: number): Promise<void> {
  const { status } = desktop;
  const path = status.phase === 'settings-error' ? (status.problems[index]?.path ?? null) : null;
  if (path === null) throw new Error('There is no file to open for this problem');
  const failure = await shell.openPath(path);
  if (failure !== '') throw new Error(`The system can't open ${path}: ${failure}`);
}

function useOccupant(desktop: Desktop): void {
  const { status } = desktop;
  if (status.phase !== 'port-taken' || status.occupant.kind === 'unknown') {
    throw new Error('There is no lab manager to use');
  }
  desktop.startService({ kind: 'follow', url: status.occupant.url });
}

/** Keeps the free port in the user's settings; where something else sets it, uses it for this start only. */
async function useFreePort(desktop: Desktop): Promise<void> {
  const { status } = desktop;
  if (status.phase !== 'port-taken') throw new Error('The port is not taken');
  const address = new URL(status.serverUrl);
  address.port = String(status.freePort);
  const value = status.portSetting === 'server_url' ? address.href : String(status.freePort);
  if (temporaryBecause(status.portOrigin) === null) {
    await desktop.writeSettings({ [status.portSetting]: value });
    return desktop.startService();
  }
  desktop.startService({ kind: 'serve' }, [`--lab-${status.portSetting.replaceAll('_', '-')}=${value}`]);
}
