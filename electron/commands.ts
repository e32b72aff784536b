/** The handler of each app command, for all sources. */
import { app, clipboard } from 'electron';
import { clock } from '../api/time/clock.ts';
import { ensureTrailingSlash } from '../api/hosts.ts';
import { errorText } from '../api/errorText.ts';
import { folderListing, labFolders } from '../api/labFolders.ts';
import { chooseLab, connectLab, disconnectLab, forgetLab, testLab } from './connect/connectLab.ts';
import { chooseLabManager, useOtherLabManager, usePort } from './connect/portInUse.ts';
import type { Desktop } from './desktop.ts';
import { runCheck } from './diagnostics/runCheck.ts';
import { collectDiagnostics, saveDiagnostics } from './diagnostics/saveDiagnostics.ts';
import { chooserStart } from './folders/labFolder.ts';
import { mayCommand, type AppCommand, type CommandOf, type CommandSource, type PageCommand } from './ipc/commands.ts';
import type { Diagnosis } from './ipc/contract.ts';
import { LogSession } from './logs/logSession.ts';
import { resolveEndTime } from './maintenance/endTimes.ts';
import { setMaintenance } from './maintenance/setMaintenance.ts';
import { getShellState } from './pageState.ts';
import { confirmMachine, openStopReport, stopFromPage, stopFromTray } from './safetyStop/stopCommands.ts';
import { saveAddresses, searchRoots, useLabFolder } from './settings/labSettings.ts';
import { openSettingFile, openProblem, openSettingsFile } from './settings/openSettingsFile.ts';
import { changePreferences, forgetChoice, getPreferencesView } from './settings/preferencesView.ts';
import { checkForUpdates } from './updates/checkForUpdates.ts';
import { restartReplacedApp } from './updates/restartReplaced.ts';
import { copyAddress, openAddress, openPath } from './windows/openExternal.ts';
import { showNotification } from './windows/dialogs.ts';
import { openGuide } from './windows/guideWindow.ts';
import { pageWindows } from './windows/pageWindow.ts';
import { tryParseUrl } from '../api/url.ts';

type Handlers = {
  readonly [Name in AppCommand['command']]: (command: CommandOf<Name>, from: CommandSource) => unknown;
};

export class Commands {
  readonly #desktop: Desktop;
  readonly #handlers: Handlers;

  /** @param quitAfter stops all processes of the app, runs a last step, and ends the app */
  constructor(desktop: Desktop, quitAfter: (lastStep: () => Promise<void>) => Promise<void>) {
    this.#desktop = desktop;
    this.#handlers = createHandlers(desktop, quitAfter);
  }

  /** Runs a command of the tray or the application menu; a failure is logged and shown. */
  readonly runFromMenu = (command: AppCommand): void => {
    this.#run(command, 'menu').catch((error: unknown) => {
      this.#desktop.log.warn(errorText(error));
      showNotification('Lab Manager', errorText(error));
    });
  };

  /**
   * Runs a page's command.
   * @param from the window of the page; `null` if unknown
   * @throws Error with a user-facing message if the window may not send the command, or the command fails
   */
  async runFromPage(command: PageCommand, from: Exclude<CommandSource, 'menu'> | null): Promise<unknown> {
    if (from === null || !mayCommand(from, command)) throw new Error('This window can’t do that');
    return this.#run(command, from);
  }

  async #run(command: AppCommand, from: CommandSource): Promise<unknown> {
    // Each handler accepts its own command type; the compiler doesn't infer this through a variable.
    const handler = this.#handlers[command.command] as (command: AppCommand, from: CommandSource) => unknown;
    return handler(command, from);
  }
}

// oxlint-disable-next-line max-lines-per-function -- a table, one entry for each command
function createHandlers(desktop: Desktop, quitAfter: (lastStep: () => Promise<void>) => Promise<void>): Handlers {
  const { appPaths, service, preferences, safetyStop, updates } = desktop;
  const diagnosticsLog = desktop.log.scope('diagnostics');
  /** The log lines already sent to the Logs window; reset when its page reloads. */
  let logSession = new LogSession(appPaths.logDir);
  /** Restarts the service, which reads the settings again, or the lab manager of a demo lab that replaces the lab. */
  const restart = () => (desktop.showsDemo ? desktop.startDemoOnly() : desktop.startService());
  return {
    state: (_command, from) => {
      if (from === 'logs') logSession = new LogSession(appPaths.logDir);
      return getShellState(desktop, from);
    },
    'choose-folder': () => pageWindows.folder.open(appPaths),
    'lab-folders': () =>
      service.requestFolders(labFolders, { kind: 'find-folders', roots: searchRoots(preferences.values) }),
    'list-folder': ({ path }) =>
      service.requestFolders(folderListing, {
        kind: 'list-folder',
        path: path ?? chooserStart(preferences.values.labFolder, app.getPath('home')),
      }),
    'use-folder': ({ path }) => useLabFolder(desktop, path),
    'test-address': ({ manager, url }) => service.testAddress(manager, url),
    'save-addresses': async ({ addresses }) => {
      const file = await saveAddresses(desktop, addresses);
      desktop.passFirstScreen();
      return file;
    },
    'skip-first-screen': () => desktop.passFirstScreen(),
    'start-demo': () => desktop.openDemo(),
    'restart-service': (_command, from) => (from === 'demo' ? desktop.demoWindow?.session.start() : restart()),
    'check-now': () => service.checkNow(),
    'open-problem': ({ index }) => openProblem(service, index),
    'open-settings': () => pageWindows.settings.open(appPaths),
    'open-settings-file': () => openSettingsFile(desktop),
    'serve-here': () => {
      // The settings of a lost service can belong to another account.
      desktop.passFirstScreen(false);
      return desktop.startService({ kind: 'serve' });
    },
    'chosen-labs': () => preferences.values.chosenLabs,
    'forget-lab': ({ url }) => {
      forgetLab(desktop, url);
      desktop.updateViews();
    },
    'nearby-labs': () => service.nearbyLabs(),
    'test-lab': ({ url }) => testLab(desktop, url),
    connect: async ({ url }, from) => {
      if (from !== 'menu') return connectLab(desktop, url);
      await chooseLab(desktop, url);
      // The window may be hidden.
      return desktop.window.show();
    },
    disconnect: () => disconnectLab(desktop),
    'safety-stop': ({ confirmed }, from) =>
      from === 'menu' ? stopFromTray(desktop) : stopFromPage(desktop, from === 'main', confirmed),
    // The page could not send another one before the end of this one, which a press can supersede.
    'release-stop': () => void safetyStop.release(),
    'close-stop': () => safetyStop.closeReport(),
    'use-other-lab-manager': () => useOtherLabManager(desktop),
    'use-port': ({ port, host }) => usePort(desktop, port, host),
    diagnose: async () => {
      const { reports } = await collectDiagnostics(desktop);
      return { reports } satisfies Diagnosis;
    },
    'run-check': ({ check, fix }) => runCheck(desktop, check, fix),
    'save-diagnostics': () => saveDiagnostics(desktop, diagnosticsLog),
    'set-maintenance': ({ kind, id, until }) =>
      setMaintenance(desktop, { kind, id, until: resolveEndTime(until, clock.now()) }),
    'plan-maintenance': ({ kind, id, every }) => setMaintenance(desktop, { kind, id, every }),
    'set-mute': ({ key, until }) => desktop.mute(key, resolveEndTime(until, clock.now())),
    settings: ({ request }) => service.requestSettings(request),
    accounts: ({ request }) => service.requestAccounts(request),
    'open-setting-file': ({ name }) => openSettingFile(service, name),
    'test-notifications': () => service.testNotifications(),
    deliveries: async () => ({ webhooks: await service.readDeliveries(), desktop: desktop.notifications.delivery }),
    preferences: () => getPreferencesView(desktop),
    prefer: async ({ changes }) => {
      await changePreferences(preferences, changes);
      desktop.updateViews();
    },
    forget: ({ choice }) => forgetChoice(preferences, desktop.browserWindow, choice),
    'use-no-folder': () => {
      preferences.change({ labFolder: null });
      return restart();
    },
    'open-guide': ({ page }) => openGuide(appPaths, page),
    'open-log-folder': () => openPath(appPaths.logDir),
    'log-start': ({ filter }) => logSession.start(filter),
    'log-older': () => logSession.older(),
    'log-newer': () => logSession.newer(),
    copy: ({ text }) => clipboard.writeText(text),
    // A dialog or a page confirms each action except cancelling a download.
    'press-notice': ({ id, press }) => {
      if (id === 'other-owner') return chooseLabManager(desktop);
      if (id === 'replaced') return void restartReplacedApp(quitAfter);
      if (id !== 'update') return undefined;
      if (press === 'close') return updates.closeNotice();
      return updates.state.kind === 'downloading' ? updates.cancel() : void checkForUpdates(desktop, quitAfter);
    },
    quit: (_command, from) => (from === 'demo' ? desktop.demoWindow?.window.browserWindow.close() : app.quit()),
    'show-window': () => desktop.window.show(),
    'open-in-browser': () => (service.dashboardUrl === null ? undefined : openAddress(service.dashboardUrl)),
    'open-manager': ({ url }) => openAddress(tryParseUrl('docs', ensureTrailingSlash(url))?.href ?? url),
    'copy-address': ({ url }) => copyAddress(url, desktop.log),
    'open-page': ({ path }) => desktop.window.showPage(path),
    'open-stop': () => openStopReport(desktop),
    'open-connect': () => pageWindows.connect.open(appPaths),
    'confirm-machine': () => confirmMachine(desktop),
    'leave-demo': () => desktop.leaveDemo(),
    'open-maintenance': () => pageWindows.maintenance.open(appPaths),
    'open-logs': () => pageWindows.logs.open(appPaths),
    'open-diagnostics': () => pageWindows.diagnostics.open(appPaths),
    'check-for-updates': () => checkForUpdates(desktop, quitAfter),
    'open-about': () => pageWindows.about.open(appPaths),
  };
}
