/** The state of the pages in each window, and the window of a page. */
import type { WebContents } from 'electron';
import { clock } from '../api/time/clock.ts';
import type { ServiceStatus } from '../server/status.ts';
import type { Desktop } from './desktop.ts';
import type { CommandSource } from './ipc/commands.ts';
import { noStop, type ShellPage, type ShellState } from './ipc/contract.ts';
import { createMaintenancePage } from './maintenance/maintenanceView.ts';
import { getTimeLocale } from './preferences/clockTime.ts';
import { stopQuestion } from './safetyStop/stopCommands.ts';
import { settingsNote } from './settings/settingsTexts.ts';
import { createAboutPage } from './windows/about.ts';
import { pageWindowNames, pageWindows, type PageWindowName } from './windows/pageWindow.ts';

/** Returns the name of the window that contains a page; `null` if that window is closed. */
export function findWindow(desktop: Desktop, contents: WebContents): Exclude<CommandSource, 'menu'> | null {
  if (contents === desktop.browserWindow.webContents) return 'main';
  if (contents === desktop.demoWindow?.window.browserWindow.webContents) return 'demo';
  return pageWindowNames.find((name) => pageWindows[name].has(contents)) ?? null;
}

export function getShellState(desktop: Desktop, from: CommandSource): ShellState {
  if (from === 'menu' || from === 'main') return desktop.window.shownState;
  if (from === 'demo') return desktop.demoWindow?.window.shownState ?? desktop.window.shownState;
  const stop = from === 'stop' ? { ...desktop.stopView, question: stopQuestion(desktop) } : noStop;
  return { page: pageWindowContent(desktop, from), notices: [], stop, times: getTimeLocale() };
}

/** Updates those open page windows whose content depends on the lab. */
export function updatePageWindows(desktop: Desktop): void {
  for (const name of ['connect', 'maintenance', 'settings', 'stop'] as const) {
    pageWindows[name].show(() => getShellState(desktop, name));
  }
}

function pageWindowContent(desktop: Desktop, name: PageWindowName): ShellPage {
  const { appPaths, service, showsDemo, followedUrl } = desktop;
  const { status, lab } = service.state;
  switch (name) {
    case 'about':
      return createAboutPage(appPaths, status);
    case 'connect':
      return { page: name, shown: desktop.labOnMachine, followedUrl };
    case 'maintenance': {
      const { knownNodes, preferences } = desktop;
      return createMaintenancePage({ status, lab, nodes: knownNodes, mutes: preferences.values, now: clock.now() });
    }
    case 'settings':
      return { page: name, revision: settingsRevision(status), note: settingsNote({ status, showsDemo, followedUrl }) };
    case 'diagnostics':
    case 'folder':
    case 'logs':
    case 'stop':
      return { page: name };
  }
}

/**
 * The last status sent to the Settings window, and its revision: the page reads the settings again after each new
 * status, because they may have changed.
 */
let lastStatus: ServiceStatus | null = null;
let revision = 0;

function settingsRevision(status: ServiceStatus): number {
  if (status !== lastStatus) revision += 1;
  lastStatus = status;
  return revision;
}
