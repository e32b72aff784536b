/** Starts the desktop app. Each step is implemented in a separate file. */
import { app } from 'electron';
import { Commands } from './commands.ts';
import { Desktop } from './desktop.ts';
import { switcherLabs } from './connect/connectLab.ts';
import { openDesktopLog } from './logs/desktopLog.ts';
import { showGuidePage } from './windows/guideWindow.ts';
import { showNotification } from './windows/dialogs.ts';
import { folderProblemText } from './folders/folders.ts';
import { installGracefulQuit } from './start/gracefulQuit.ts';
import { findAppPaths, useTemporaryProfile } from './folders/appPaths.ts';
import { handleNoticeButtons, handlePages } from './ipc/pageRequests.ts';
import { catchErrors } from './crashes/crashWatch.ts';
import { requestInstanceLock, waitForQuit, type InstanceLock } from './start/singleInstance.ts';
import { setApplicationMenu } from './menu/menu.ts';
import {
  isDemoRequested,
  isHeadlessRequested,
  isHiddenRequested,
  isQuitRequested,
  rejectionText,
  parseSecondStart,
} from './start/startOptions.ts';
import { exitCodes } from '../server/status.ts';
import { unknownOptions } from '../server/settings/parse/commandLine.ts';
import { formatProblem } from '../server/settings/parse/problem.ts';
import { appArguments } from './service/serviceInputs.ts';
import { applyPreferences } from './preferences/applyPreferences.ts';
import { wasOpenedAtLogin } from './preferences/startAtLogin.ts';
import { updatePageWindows, findWindow } from './pageState.ts';
import { guardAllContents, guardSession } from './windows/guard.ts';
import { serveShellPages } from './windows/appProtocol.ts';

if (isHeadlessRequested(process.argv)) runWithoutWindow();
else if (!rejectUnknownOptions()) openDesktop();

function runWithoutWindow(): void {
  // Set synchronously: the runtime ends silently if its default profile folder isn't writable.
  const profile = useTemporaryProfile();
  void import('./start/headless.ts').then(({ runHeadless }) => runHeadless(profile));
}

/**
 * Rejects unknown options, as the service's command line does. The launcher shows a dialog if there is no terminal.
 * @returns whether there were any
 */
function rejectUnknownOptions(): boolean {
  const problems = unknownOptions(appArguments());
  if (problems.length === 0) return false;
  for (const problem of problems) console.error(formatProblem(problem));
  console.error('lab-manager --help lists every option');
  app.exit(exitCodes.settings);
  return true;
}

function openDesktop(): void {
  const appPaths = findAppPaths();
  const lock = requestInstanceLock(appPaths.configDir);
  if (isQuitRequested(process.argv) || !lock.isOwner) return endStart(lock);
  const log = openDesktopLog(appPaths.logDir);
  for (const problem of appPaths.folderProblems) log.warn(folderProblemText(problem));
  const desktop: Desktop = new Desktop(
    appPaths,
    log,
    (command) => commands.runFromMenu(command),
    () => showChanges(),
  );
  desktop.crashes.start();
  catchErrors(log, (text) => {
    desktop.crashes.recordCrash('app-error', text, null);
    desktop.problems.addError(text);
  });
  guardAllContents(log.scope('guard'), (url) => showGuidePage(appPaths, url));
  const quitAfter = installGracefulQuit(desktop);
  const commands = new Commands(desktop, quitAfter);

  function showChanges(): void {
    showMenu();
    updatePageWindows(desktop);
  }
  function showMenu(): void {
    if (!app.isReady()) return;
    const { showsDemo: isDemo, demoWindow, followedUrl, machineWarning } = desktop;
    setApplicationMenu(commands.runFromMenu, {
      isDemo,
      hasDemo: isDemo || demoWindow !== null,
      isFollowing: followedUrl !== null,
      isUnidentified: machineWarning !== null,
      labs: switcherLabs(desktop),
    });
  }

  // Not awaited at the top level, because an Electron app becomes ready only after its main module has finished.
  const opening = app.whenReady().then(async () => {
    await desktop.load();
    if (desktop.isQuitting()) return;
    guardSession();
    applyPreferences(desktop.preferences.values);
    serveShellPages(appPaths.shellPages, appPaths.installation.help);
    handlePages((page, command) => commands.runFromPage(command, findWindow(desktop, page)), log.scope('pages'));
    handleNoticeButtons(
      () => desktop.browserWindow.webContents,
      (press) => void commands.runFromPage({ command: 'press-notice', ...press }, 'main'),
      log.scope('notices'),
    );
    showMenu();
    // Started before the window, because it takes longer.
    if (isDemoRequested(process.argv)) void desktop.startDemoOnly();
    else desktop.startPreferredLab();
    desktop.openTray();
    desktop.openWindow(
      isHiddenRequested(process.argv) || (wasOpenedAtLogin() && desktop.preferences.values.startHidden),
    );
    desktop.updateViews();
    desktop.registerPowerEvents();
  });
  app.on('second-instance', (_event, argv) => void opening.then(() => handleSecondStart(desktop, argv, quitAfter)));
  app.on('activate', () => void opening.then(() => desktop.window.show()));
}

/** Ends this start: after `--quit` once the running app has ended, otherwise at once, because that app handles it. */
function endStart(lock: InstanceLock): void {
  if (!isQuitRequested(process.argv)) return quitSecondInstance();
  const { code, text } = waitForQuit(lock);
  if (code === exitCodes.ok) console.log(text);
  else console.error(text);
  app.exit(code);
}

/** Quits this second instance: the first one handles the request. If options are rejected, prints the reason. */
function quitSecondInstance(): void {
  const decision = parseSecondStart(process.argv);
  if (decision.kind !== 'refused') return app.quit();
  console.error(rejectionText(decision.options));
  app.exit(1);
}

/** @param quitAfter stops all processes of the app, runs a last step, and ends the app */
function handleSecondStart(
  desktop: Desktop,
  argv: readonly string[],
  quitAfter: (lastStep: () => Promise<void>) => Promise<void>,
): void {
  const decision = parseSecondStart(argv);
  if (decision.kind === 'quit') return void quitAfter(() => Promise.resolve());
  if (decision.kind === 'demo') return desktop.openDemo();
  if (decision.kind === 'hidden') return;
  desktop.window.show();
  if (decision.kind === 'refused') showNotification('Lab Manager', rejectionText(decision.options));
}
