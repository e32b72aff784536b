/** What a person asks by menu, tray or page, and what is done for it. */
import { app, clipboard } from 'electron';
import { errorText } from '../../api/errorText.ts';
import type { MaintenanceSubject } from '../../api/lab/lab.ts';
import { contextKey, managerKeys } from '../../api/managers.ts';
import { baseUrl } from '../../server/net/baseUrl.ts';
import { exchange } from '../../server/net/exchange.ts';
import { aboutPage, openAbout } from './about.ts';
import { answerLabChoice, disconnectLab } from '../connect/connectLab.ts';
import { openConnect } from '../connect/connectWindow.ts';
import type { DemoWindow } from '../demo/demoWindow.ts';
import type { Desktop } from '../desktop.ts';
import { enteredAddresses } from '../../server/settings/edit/messages.ts';
import { askEnteredAddresses, askForLabFolder, note } from './dialogs.ts';
import { noStop } from '../safetyStop/stopView.ts';
import { confirmMachine, stopFromPage, stopFromSmallWindow, stopFromTray } from '../safetyStop/stopCommands.ts';
import { openStopReport } from '../safetyStop/stopWindow.ts';
import type { Diagnosis, ShellRequest, ShellState } from '../ipc/contract.ts';
import type { MenuActions } from './menu.ts';
import { choiceUntil, type EndChoice } from '../maintenance/endTimes.ts';
import { openMaintenance } from '../maintenance/maintenanceWindow.ts';
import { setMaintenance } from '../maintenance/setMaintenance.ts';
import { openGuide } from './guideWindow.ts';
import { openLogsWindow } from '../logs/logsWindow.ts';
import { openDiagnostics } from './diagnosticsWindow.ts';
import { collect, saveDiagnostics } from './saveDiagnostics.ts';
import { openSettingsFile } from './openSettingsFile.ts';
import { runCheck } from './runCheck.ts';
import { openAddress, openPath } from './openOutside.ts';
import { openSettingsWindow } from '../settings/settingsWindow.ts';
import type { TrayAction } from '../tray/trayMenu.ts';
import { checkForUpdates } from '../updates/checkForUpdates.ts';
import { chooserStart } from '../labFolder.ts';
import { temporaryBecause } from '../windowView.ts';

/** For an address to answer before somebody is told that it doesn't, in milliseconds. */
const answerMs = 2000;

export function trayActions(desktop: () => Desktop): (action: TrayAction) => void {
  return (action) => {
    switch (action.do) {
      case 'open-dashboard':
        return desktop().window.show();
      case 'open-in-browser':
        return openInBrowser(desktop());
      case 'open-manager':
        return opened(desktop(), openDocs(action.url));
      case 'copy':
        return copyAddress(desktop(), action.text);
      case 'check-now':
        return desktop().service.checkNow();
      case 'safety-stop':
        return void stopFromTray(desktop());
      case 'open-stop':
        return openStopReport(desktop());
      case 'connect':
        return openConnect(desktop());
      case 'use-own-lab':
        return opened(desktop(), disconnectLab(desktop()));
      case 'confirm-machine':
        return void confirmMachine(desktop());
      case 'restart-service':
        return desktop().service.restart();
      case 'serve-here':
        return desktop().startService({ kind: 'serve' });
      case 'mute':
        return desktop().mute(action.subject, action.choice === 'off' ? null : choiceUntil(action.choice, Date.now()));
      case 'maintenance':
        return changeMaintenance(desktop(), action.subject, action.choice);
      case 'open-maintenance':
        return openMaintenance(desktop());
      case 'open-page':
        return desktop().window.showPage(action.path);
      case 'open-settings':
        return openSettingsWindow(desktop());
      case 'open-logs':
        return opened(desktop(), openPath(desktop().appPaths.logDir));
      case 'quit':
        return app.quit();
    }
  };
}

/** @param stopThen stops everything of ours, does something, and ends the app */
export function menuActions(desktop: Desktop, stopThen: (last: () => Promise<void>) => Promise<void>): MenuActions {
  return {
    openDashboard: () => desktop.window.show(),
    openInBrowser: () => openInBrowser(desktop),
    chooseLabFolder: () => opened(desktop, chooseLabFolder(desktop)),
    checkNow: () => desktop.service.checkNow(),
    startDemo: () => desktop.openDemo(),
    leaveDemo: () => void desktop.leaveDemo(),
    connect: () => openConnect(desktop),
    disconnect: () => opened(desktop, disconnectLab(desktop)),
    confirmMachine: () => void confirmMachine(desktop),
    restartService: () => desktop.startService(),
    openMaintenance: () => openMaintenance(desktop),
    openSettings: () => openSettingsWindow(desktop),
    openSettingsFile: () => opened(desktop, openSettingsFile(desktop)),
    openGuide: () => openGuide(desktop.appPaths, 'guide'),
    openLogs: () => opened(desktop, openPath(desktop.appPaths.logDir)),
    showLogs: () => openLogsWindow(desktop.appPaths),
    openDiagnostics: () => openDiagnostics(desktop.appPaths),
    saveDiagnostics: () => void saveDiagnostics(desktop, desktop.log.scope('diagnostics')),
    checkForUpdates: () => void checkForUpdates(desktop, stopThen),
    about: () => openAbout(desktop.appPaths),
    quit: () => app.quit(),
  };
}

/** What the About window shows. */
export function aboutState(desktop: Desktop): ShellState {
  const page = aboutPage(desktop.appPaths, desktop.service.state.status);
  return { page, notices: [], stop: noStop };
}

/** Answers the Diagnostics window. */
export async function answerDiagnostics(desktop: Desktop, request: ShellRequest): Promise<unknown> {
  switch (request.ask) {
    case 'state':
      return { page: { page: 'diagnostics' }, notices: [], stop: noStop } satisfies ShellState;
    case 'diagnose': {
      const { reports } = await collect(desktop);
      return { reports } satisfies Diagnosis;
    }
    case 'run-check':
      return runCheck(desktop, request.check, request.mend);
    case 'save-diagnostics':
      return saveDiagnostics(desktop, desktop.log.scope('diagnostics'));
    default:
      return answerAnywhere(desktop, request);
  }
}

/** Answers a page in the main window. */
export async function answerMainWindow(desktop: Desktop, request: ShellRequest): Promise<unknown> {
  const { service, safetyStop } = desktop;
  switch (request.ask) {
    case 'state':
      return desktop.window.shown;
    case 'choose-folder':
      return chooseLabFolder(desktop);
    case 'test-address':
      return service.testAddress(request.manager, request.url);
    case 'save-addresses':
      return saveAddresses(desktop, request.addresses);
    case 'open-dashboard':
      return desktop.passFirstScreen();
    case 'start-demo':
      return desktop.openDemo();
    case 'try-again':
      return desktop.showsDemo ? desktop.startDemoOnly() : desktop.startService();
    case 'check-now':
      return service.checkNow();
    case 'open-problem':
      return openProblem(desktop, request.index);
    case 'open-settings':
      return openSettingsFile(desktop);
    case 'show-settings':
      return openSettingsWindow(desktop);
    case 'serve-here':
      return desktop.startService({ kind: 'serve' });
    case 'recent-labs':
    case 'test-lab':
    case 'connect':
    case 'disconnect':
      return answerLabChoice(desktop, request);
    case 'use-other-lab-manager':
      return useOtherLabManager(desktop);
    case 'use-free-port':
      return useFreePort(desktop);
    case 'safety-stop':
      return stopFromPage(desktop);
    case 'close-stop':
      return safetyStop.closeReport();
    default:
      return answerAnywhere(desktop, request);
  }
}

/** Answers a page in the demo lab's window: it may do nothing to the real lab. */
export async function answerDemoWindow(desktop: Desktop, demo: DemoWindow, request: ShellRequest): Promise<unknown> {
  switch (request.ask) {
    case 'state':
      return demo.window.shown;
    case 'try-again':
      return demo.session.start();
    case 'quit':
      return demo.window.browserWindow.close();
    case 'show-log':
    case 'open-guide':
    case 'copy':
      return answerAnywhere(desktop, request);
    default:
      throw new Error('The demo lab’s window can’t do that');
  }
}

/** What any page may ask. */
export async function answerAnywhere(desktop: Desktop, request: ShellRequest): Promise<unknown> {
  switch (request.ask) {
    case 'show-log':
      return openPath(desktop.appPaths.logDir);
    case 'open-guide':
      return openGuide(desktop.appPaths, request.entry);
    case 'copy':
      return clipboard.writeText(request.text);
    case 'quit':
      return app.quit();
    case 'safety-stop':
      return stopFromSmallWindow(desktop);
    case 'call-off-stop':
      return desktop.safetyStop.callOff();
    case 'release-stop':
      return desktop.safetyStop.release();
    default:
      throw new Error('This window can’t do that');
  }
}

/** That it can't be done is shown. */
function changeMaintenance(desktop: Desktop, subject: MaintenanceSubject, choice: EndChoice | 'off'): void {
  const until = choice === 'off' ? null : choiceUntil(choice, Date.now());
  opened(desktop, setMaintenance(desktop, { ...subject, until }));
}

/** The API page of a manager, whose address may come from another lab manager. */
async function openDocs(url: string): Promise<void> {
  const base = baseUrl(url);
  await openAddress(URL.canParse('docs', base) ? new URL('docs', base).href : url);
}

function openInBrowser(desktop: Desktop): void {
  const { dashboardUrl } = desktop.service;
  if (dashboardUrl !== null) opened(desktop, openAddress(dashboardUrl));
}

/** Nobody waits for another program; that it can't be opened is said. */
function opened(desktop: Desktop, opening: Promise<unknown>): void {
  opening.catch((error: unknown) => {
    desktop.log.warn(errorText(error));
    note('Lab Manager', errorText(error));
  });
}

/** Copies an address, and says so when nobody answers there: a firewall, or a name that only this machine knows. */
function copyAddress(desktop: Desktop, address: string): void {
  clipboard.writeText(address);
  void exchange(new URL('health', address), { timeoutMs: answerMs, readsBody: () => false }).then((answer) => {
    if (answer.ok) return;
    desktop.log.warn(`${address} was copied, but does not answer: ${answer.reason}`);
    note('Address copied, but it does not answer', `${address}: check its name and the firewall of this machine.`);
  });
}

/** @returns the chosen folder, `null` when nobody chose one */
export async function chooseLabFolder(desktop: Desktop): Promise<string | null> {
  const folder = await askForLabFolder(chooserStart(desktop.preferences.values.labFolder, app.getPath('home')));
  if (folder === null || !(await settleEntered(desktop, folder))) return null;
  desktop.preferences.change({ labFolder: folder, follow: null });
  desktop.startService({ kind: 'serve' });
  return folder;
}

/** Addresses entered in the app belong to the lab they were entered for. @returns false where the choice was cancelled */
async function settleEntered(desktop: Desktop, folder: string): Promise<boolean> {
  const { addresses } = await desktop.service.askSettings({ about: 'entered' }).then(
    (answer) => enteredAddresses.parse(answer),
    (error: unknown) => {
      // A service that doesn't run must not keep anybody from choosing another folder.
      desktop.log.warn(`Whether addresses were entered is unknown: ${errorText(error)}`);
      return { addresses: [] };
    },
  );
  if (addresses.length === 0) return true;
  const answer = await askEnteredAddresses(folder, addresses);
  if (answer === 'set-aside') await desktop.service.askSettings({ about: 'set-aside' });
  return answer !== null;
}

type Addresses = Extract<ShellRequest, { ask: 'save-addresses' }>['addresses'];

/**
 * An empty address switches its manager off, which settings write as None.
 * @returns the file they are in
 */
async function saveAddresses(desktop: Desktop, addresses: Addresses): Promise<string> {
  const typed = managerKeys.filter((manager) => addresses[manager] !== undefined);
  const file = await desktop.service.writeSettings(
    Object.fromEntries(typed.map((manager) => [contextKey(manager), addresses[manager] || 'None'])),
  );
  desktop.passFirstScreen();
  return file;
}

async function openProblem(desktop: Desktop, index: number): Promise<void> {
  const { status } = desktop.service.state;
  const path = status.phase === 'settings-error' ? (status.problems[index]?.path ?? null) : null;
  if (path === null) throw new Error('There is no file to open for this problem');
  await openPath(path);
}

function useOtherLabManager(desktop: Desktop): void {
  const { status } = desktop.service.state;
  if (status.phase !== 'port-taken' || status.portOwner.kind === 'unknown') {
    throw new Error('There is no lab manager to use');
  }
  desktop.startService({ kind: 'follow', url: status.portOwner.url });
}

/** Keeps the free port in the settings; where something else sets it, uses it for this start only. */
async function useFreePort(desktop: Desktop): Promise<void> {
  const { status } = desktop.service.state;
  if (status.phase !== 'port-taken') throw new Error('The port is not taken');
  const address = new URL(status.serverUrl);
  address.port = String(status.freePort);
  const value = status.portSetting === 'server_url' ? address.href : String(status.freePort);
  if (temporaryBecause(status.portOrigin) === null) {
    await desktop.service.writeSettings({ [status.portSetting]: value });
    return desktop.startService();
  }
  desktop.startService({ kind: 'serve' }, [`--lab-${status.portSetting.replaceAll('_', '-')}=${value}`]);
}
