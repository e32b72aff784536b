/** The desktop app, step by step. Each step lives in the file it is named after. */
import { app } from 'electron';
import { Desktop } from './desktop.ts';
import { openDesktopLog } from './desktopLog.ts';
import { demoRequested, headlessRequested } from './headlessOptions.ts';
import { identify } from './identity.ts';
import { answerPages } from './ipc/answerPages.ts';
import { setApplicationMenu } from './menu.ts';
import { answerRequest, menuActions, trayActions } from './personActions.ts';
import { quitInOrder } from './quit.ts';
import { guardAllContents, guardSession } from './window/guard.ts';
import { serveShellPages } from './window/shellProtocol.ts';

if (headlessRequested(process.argv)) void import('./headless.ts').then(({ runHeadless }) => runHeadless());
else openDesktop();

function openDesktop(): void {
  const identity = identify();
  if (!app.requestSingleInstanceLock()) return app.quit();
  const log = openDesktopLog(identity.logDir);
  const desktop: Desktop = new Desktop(
    identity,
    log,
    trayActions(() => desktop),
  );
  app.on('second-instance', () => desktop.window.show());
  app.on('activate', () => desktop.window.show());
  guardAllContents(() => desktop.dashboardOrigin, log.scope('guard'));
  quitInOrder(desktop);

  // Not awaited at the top: an Electron app isn't ready before its main module is done.
  void app.whenReady().then(() => {
    guardSession(() => desktop.dashboardOrigin);
    serveShellPages(identity.shellPages);
    answerPages((request) => answerRequest(desktop, request), log.scope('pages'));
    setApplicationMenu(menuActions(desktop));
    desktop.openWindow();
    if (demoRequested(process.argv)) void desktop.startDemo();
    else desktop.startService();
    desktop.openTray();
    desktop.followPower();
  });
}
