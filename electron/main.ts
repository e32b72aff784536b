/** The desktop app, step by step. Each step lives in the file it is named after. */
import { app, type WebContents } from 'electron';
import { aboutWindow } from './menu/about.ts';
import {
  aboutState,
  answerAnywhere,
  answerDemoWindow,
  answerDiagnostics,
  answerMainWindow,
  menuActions,
  trayActions,
} from './menu/commandHandlers.ts';
import { answerConnect } from './connect/answerConnect.ts';
import { connectWindow, updateConnectWindow } from './connect/connectWindow.ts';
import { Desktop } from './desktop.ts';
import { openDesktopLog } from './start/desktopLog.ts';
import { showGuidePage } from './menu/guideWindow.ts';
import { answerLogs } from './logs/answerLogs.ts';
import { logsWindow } from './logs/logsWindow.ts';
import { diagnosticsWindow } from './menu/diagnosticsWindow.ts';
import { answerMaintenance } from './maintenance/answerMaintenance.ts';
import { maintenanceWindow, updateMaintenance } from './maintenance/maintenanceWindow.ts';
import { note } from './menu/dialogs.ts';
import { folderSentence } from './start/folders.ts';
import { quitGracefully } from './start/gracefulQuit.ts';
import { demoRequested, headlessRequested } from './start/headlessOptions.ts';
import { findAppPaths, useTemporaryProfile } from './start/appPaths.ts';
import { answerNotices, answerPages } from './ipc/answerPages.ts';
import type { NoticePress, ShellRequest } from './ipc/contract.ts';
import { catchErrors } from './start/lastResort.ts';
import { setApplicationMenu } from './menu/menu.ts';
import { hiddenRequested, refusalText, secondStart } from './start/secondStart.ts';
import { exitCodes } from '../server/status.ts';
import { unknownOptions } from '../server/settings/parse/commandLine.ts';
import { formatProblem } from '../server/settings/parse/problem.ts';
import { ownArguments } from './serviceInputs.ts';
import { applyPreferences } from './preferences/applyPreferences.ts';
import { wasOpenedAtLogin } from './preferences/startAtLogin.ts';
import { answerSettings } from './settings/answerSettings.ts';
import { stopState, stopWindow, updateStopWindow } from './safetyStop/stopWindow.ts';
import { settingsWindow, updateSettingsWindow } from './settings/settingsWindow.ts';
import { guardAllContents, guardSession } from './window/guard.ts';
import { serveShellPages } from './window/appProtocol.ts';

if (headlessRequested(process.argv)) runWithoutWindow();
else if (!refuseUnknownOptions()) openDesktop();

function runWithoutWindow(): void {
  // Before anything is awaited: the runtime ends without a word where its own choice can't be written to.
  const profile = useTemporaryProfile();
  void import('./start/headless.ts').then(({ runHeadless }) => runHeadless(profile));
}

/** As on the service's own command line. The launcher shows a dialog where no terminal shows this. */
function refuseUnknownOptions(): boolean {
  const problems = unknownOptions(ownArguments());
  if (problems.length === 0) return false;
  for (const problem of problems) console.error(formatProblem(problem));
  console.error('lab-manager --help lists every option');
  app.exit(exitCodes.settings);
  return true;
}

function openDesktop(): void {
  const appPaths = findAppPaths();
  if (!app.requestSingleInstanceLock()) return leaveToFirst();
  const log = openDesktopLog(appPaths.logDir);
  for (const problem of appPaths.folderProblems) log.warn(folderSentence(problem));
  const desktop: Desktop = new Desktop(
    appPaths,
    log,
    trayActions(() => desktop),
    () => showChanges(),
  );
  desktop.crashes.start();
  catchErrors(log, (text) => {
    desktop.crashes.note('app-error', text, null);
    desktop.problems.noteError(text);
  });
  guardAllContents(log.scope('guard'), (url) => showGuidePage(appPaths, url));
  const stopThen = quitGracefully(desktop);

  function showChanges(): void {
    showMenu();
    updateMaintenance(desktop);
    updateSettingsWindow(desktop);
    updateStopWindow(desktop);
    updateConnectWindow(desktop);
  }
  const actions = menuActions(desktop, stopThen);
  /** Updates alone have buttons; what they do is confirmed in a dialog first. */
  function pressNotice({ id, press }: NoticePress): void {
    if (id !== 'update') return;
    if (press === 'close') desktop.updates.closeNotice();
    else if (desktop.updates.state.kind === 'downloading') desktop.updates.cancel();
    else actions.checkForUpdates();
  }
  function showMenu(): void {
    if (!app.isReady()) return;
    const { showsDemo: isDemo, demoWindow, follows, machineDoubt } = desktop;
    setApplicationMenu(actions, {
      isDemo,
      hasDemo: isDemo || demoWindow !== null,
      follows: follows !== null,
      isUnidentified: machineDoubt !== null,
    });
  }

  // Not awaited at the top: an Electron app isn't ready before its main module is done.
  const opened = app.whenReady().then(async () => {
    await desktop.kept.load();
    if (desktop.isQuitting()) return;
    guardSession();
    applyPreferences(desktop.preferences.values);
    serveShellPages(appPaths.shellPages, appPaths.installation.help);
    answerPages(
      (contents, request) =>
        request.ask === 'press-notice' && contents === desktop.browserWindow.webContents
          ? Promise.resolve(pressNotice(request))
          : answer(desktop, contents, request),
      log.scope('pages'),
    );
    answerNotices(() => desktop.browserWindow.webContents, pressNotice, log.scope('notices'));
    showMenu();
    // Started before there is a window: it takes longer.
    if (demoRequested(process.argv)) void desktop.startDemoOnly();
    else desktop.startOwnLab();
    desktop.openTray();
    desktop.openWindow(hiddenRequested(process.argv) || (wasOpenedAtLogin() && desktop.preferences.values.startHidden));
    desktop.show();
    desktop.followPower();
  });
  app.on('second-instance', (_event, argv) => void opened.then(() => receiveSecondStart(desktop, argv)));
  app.on('activate', () => void opened.then(() => desktop.window.show()));
}

/** Each window's pages may ask what is theirs. */
function answer(desktop: Desktop, contents: WebContents, request: ShellRequest): Promise<unknown> {
  const { demoWindow } = desktop;
  if (contents === desktop.browserWindow.webContents) return answerMainWindow(desktop, request);
  if (demoWindow && contents === demoWindow.window.browserWindow.webContents) {
    return answerDemoWindow(desktop, demoWindow, request);
  }
  if (aboutWindow.has(contents) && request.ask === 'state') return Promise.resolve(aboutState(desktop));
  if (maintenanceWindow.has(contents)) return answerMaintenance(desktop, request);
  if (connectWindow.has(contents)) return answerConnect(desktop, request);
  if (settingsWindow.has(contents)) return answerSettings(desktop, request);
  if (logsWindow.has(contents)) return answerLogs(desktop, request);
  if (stopWindow.has(contents) && request.ask === 'state') return Promise.resolve(stopState(desktop));
  if (diagnosticsWindow.has(contents)) return answerDiagnostics(desktop, request);
  return answerAnywhere(desktop, request);
}

/** The app runs already: it gets what was asked for, or whoever asked is told why not. */
function leaveToFirst(): void {
  const asked = secondStart(process.argv);
  if (asked.kind !== 'refused') return app.quit();
  console.error(refusalText(asked.options));
  app.exit(1);
}

function receiveSecondStart(desktop: Desktop, argv: readonly string[]): void {
  const asked = secondStart(argv);
  if (asked.kind === 'demo') return desktop.openDemo();
  if (asked.kind === 'hidden') return;
  desktop.window.show();
  if (asked.kind === 'refused') note('Lab Manager', refusalText(asked.options));
}
