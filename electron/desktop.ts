/**
 * The running app: one lab manager service, its window and the tray. The pure functions `createWindowView`,
 * `createNotices` and `createTrayModel` decide the display; commands run in `commands.ts`.
 */
import { powerMonitor, type BrowserWindow } from 'electron';
import { join } from 'node:path';
import { clock } from '../api/time/clock.ts';
import { unidentifiedText, unreadFollowedLab } from '../api/lab/followedLab.ts';
import type { OtherOwner } from '../server/attached/ownSettings.ts';
import type { Log } from '../server/logging/log.ts';
import { AppProblems } from './notifications/appProblems.ts';
import { openCommandRecords, type CommandRecords } from './service/commandRecords.ts';
import { currentMenuChoice, renameLabs, shownLabText } from './connect/connectLab.ts';
import { CrashWatch } from './crashes/crashWatch.ts';
import { DemoSession } from './demo/demoSession.ts';
import { DemoWindow } from './demo/demoWindow.ts';
import { DesktopNotifications } from './notifications/desktopNotifications.ts';
import { lastLines } from './logs/desktopLog.ts';
import type { AppPaths } from './folders/appPaths.ts';
import { waitForStateFiles } from '../server/storage/stateFile.ts';
import type { AppCommand } from './ipc/commands.ts';
import type { Notice, StopView } from './ipc/contract.ts';
import { labFolderProblem } from './folders/labFolder.ts';
import { createNotices } from './notifications/notices.ts';
import { PreferencesFile } from './preferences/preferences.ts';
import { KnownNodesFile } from './safetyStop/knownNodes.ts';
import { SafetyStop } from './safetyStop/safetyStop.ts';
import { LabService, type Mode } from './service/labService.ts';
import { serviceInputs } from './service/serviceInputs.ts';
import { createStopView } from './safetyStop/stopView.ts';
import { LabTray } from './tray/tray.ts';
import { readTrayModel } from './tray/trayInput.ts';
import { closeDialogs } from './windows/dialogs.ts';
import { HiddenStart } from './windows/hiddenStart.ts';
import { LabWindow } from './windows/labWindow.ts';
import { openingOptions, rememberBounds } from './windows/mainWindow.ts';
import { WindowClosing } from './windows/windowClosing.ts';
import { Updates } from './updates/updates.ts';
import { createWindowView } from './windows/windowView.ts';

/** The interval for updating the display, in milliseconds: some states change with time, without a message. */
const checkIntervalMs = 2500;

export class Desktop {
  readonly appPaths: AppPaths;
  readonly preferences: PreferencesFile;
  readonly #nodes: KnownNodesFile;
  readonly log: Log;
  readonly crashes: CrashWatch;
  readonly problems: AppProblems;
  readonly updates: Updates;
  readonly service: LabService;
  readonly safetyStop: SafetyStop;
  readonly commands: CommandRecords;
  readonly #runCommand: (command: AppCommand) => void;
  readonly #closing: WindowClosing;
  readonly notifications: DesktopNotifications;
  #window: LabWindow | null = null;
  #hiddenStart: HiddenStart | null = null;
  #tray: LabTray | null = null;
  /** The demo lab instead of the user's lab: `--demo`. */
  #session: DemoSession | null = null;
  /** The demo lab in a separate window, next to the user's lab. */
  #demo: DemoWindow | null = null;
  #mode: Mode = { kind: 'serve' };
  /** The lab manager of another owner that uses the port, while the user chooses between it and a new one. */
  #otherOwner: OtherOwner | null = null;
  #hasPassedFirstScreen = false;
  #isQuitting = false;
  #checkTimer: NodeJS.Timeout | null = null;
  readonly #onChange: () => void;

  /**
   * @param run runs a command of the tray
   * @param onChange called when the content of menus or other windows may have changed
   */
  constructor(appPaths: AppPaths, log: Log, run: (command: AppCommand) => void, onChange: () => void) {
    this.appPaths = appPaths;
    this.log = log;
    this.#runCommand = run;
    this.#onChange = onChange;
    this.preferences = new PreferencesFile(appPaths.preferencesFile, log.scope('preferences'));
    this.#nodes = new KnownNodesFile(join(appPaths.configDir, 'nodes.json'), log.scope('nodes'));
    this.notifications = new DesktopNotifications(this.preferences, () => this.#window);
    this.#closing = new WindowClosing(this.preferences, () => this.window.show());
    this.commands = openCommandRecords(appPaths.configDir, () => this.service.state.lab, log.scope('commands'));
    this.safetyStop = new SafetyStop({
      nodes: () => this.#nodes.nodes,
      labStop: () => this.service.state.lab?.safety_stop ?? this.service.state.lab?.acknowledged_stop ?? null,
      service: () => {
        const { dashboardUrl: url, appKey: key } = this.service;
        return url === null ? null : { url, key };
      },
      eventManager: () => this.service.state.lab?.managers.find(({ manager }) => manager === 'event')?.url ?? null,
      lab: () => this.labOnMachine,
      refusalReason: () => this.machineWarning,
      log: log.scope('safety stop'),
      onChange: () => this.updateViews(),
      record: this.commands.record,
    });
    this.crashes = new CrashWatch(appPaths, log.scope('crashes'));
    this.updates = new Updates(log.scope('updates'), () => this.updateViews());
    this.problems = new AppProblems(appPaths, log, () => this.updateViews());
    this.service = new LabService({
      entry: appPaths.serviceEntry,
      log,
      logDir: appPaths.logDir,
      inputs: (extraArguments) => serviceInputs(appPaths.configDir, this.preferences.values.labFolder, extraArguments),
      labs: () => this.preferences.values.chosenLabs.map(({ url }) => url).filter((url) => url !== this.followedUrl),
      onChange: () => this.#onServiceChange(),
      onCrash: ({ reason, exitCode }) => this.crashes.recordCrash('service', reason, exitCode),
      onNodes: (nodes) => this.#nodes.set(nodes),
      onNotification: (notification) => {
        if (!this.#isQuitting) this.notifications.show(notification, this.service.state.lab);
      },
    });
  }

  /** Reads the files of the last run, before anything is shown or started. Never rejects. */
  load(): Promise<void> {
    return this.problems.load([
      { file: this.preferences, use: 'Preferences' },
      { file: this.#nodes, use: 'Nodes for a safety stop without the service' },
    ]);
  }

  get window(): LabWindow {
    if (!this.#window) throw new Error('The window is not open yet');
    return this.#window;
  }

  get browserWindow(): BrowserWindow {
    return this.window.browserWindow;
  }

  /** The demo lab's separate window; `null` if there is none. */
  get demoWindow(): DemoWindow | null {
    return this.#demo;
  }

  /** Whether this app shows the demo lab instead of the user's lab. */
  get showsDemo(): boolean {
    return this.#session !== null;
  }

  /** The followed lab manager; `null` for this machine's lab. */
  get followedUrl(): string | null {
    return this.#mode.kind === 'follow' ? this.#mode.url : null;
  }

  /** The name of the shown lab with its machine, for dialogs: `Bench on this machine (bench-1)`. */
  get labOnMachine(): string {
    return shownLabText(this);
  }

  /** The reason why the machine that receives the nodes' commands is uncertain; `null` if it is certain. */
  get machineWarning(): string | null {
    if (this.followedUrl === null) return null;
    const followed = this.service.state.lab?.followed ?? unreadFollowedLab(this.followedUrl);
    return followed.identified ? null : unidentifiedText(followed);
  }

  /** @param hidden keeps the window closed until it is opened from the tray; ignored without a tray */
  openWindow(hidden: boolean): void {
    this.#window = new LabWindow({
      title: 'Lab Manager',
      windowOptions: { ...openingOptions(this.preferences.values.window), show: !hidden },
      preload: this.appPaths.preload,
      icon: join(this.appPaths.iconDir, 'icon.png'),
      log: this.log.scope('window'),
      dashboardUrl: () => this.service.dashboardUrl,
      appKey: () => this.service.appKey,
      mayClose: () => this.#mayClose(),
      onReloadDue: () => this.updateViews(),
    });
    const maximized = this.preferences.values.window?.maximized ?? false;
    if (hidden) this.#hiddenStart = new HiddenStart(this.#window, maximized);
    else if (maximized) this.browserWindow.maximize();
  }

  /** Whether every window must close now. */
  readonly isQuitting = (): boolean => this.#isQuitting;

  /** Also starts the timers that update the display and check for problems. */
  openTray(): void {
    this.#tray = new LabTray({
      iconDir: this.appPaths.iconDir,
      model: () => readTrayModel(this),
      window: () => this.#window?.browserWindow ?? null,
      run: this.#runCommand,
    });
    this.#checkTimer = clock.setInterval(() => this.updateViews(), checkIntervalMs);
    this.problems.start();
  }

  /** On resume, states from before the suspend are discarded and everything is checked, so that no alarm is raised. */
  registerPowerEvents(): void {
    powerMonitor.on('suspend', () => this.service.suspend());
    powerMonitor.on('resume', () => this.service.resume());
  }

  /**
   * Starts or restarts the service: in the previous mode, or in `mode`.
   * @param otherOwner the lab manager on this machine to which the app doesn't attach again, because the user chooses
   */
  startService(
    mode: Mode = this.#mode,
    extraArguments?: readonly string[],
    otherOwner: OtherOwner | null = null,
  ): void {
    if (this.#isQuitting) return;
    // Its lab is no longer shown.
    if (mode !== this.#mode) closeDialogs('machine');
    this.#mode = mode;
    this.#nodes.useLab(this.followedUrl);
    this.#otherOwner = otherOwner;
    this.service.start(mode, extraArguments, otherOwner === null);
  }

  /** Starts the lab of this machine's settings, or follows the lab manager of the preferences. */
  startPreferredLab(): void {
    const { follow } = this.preferences.values;
    this.startService(follow === null ? { kind: 'serve' } : { kind: 'follow', url: follow });
  }

  /** Shows the demo lab instead of the user's lab, as `--demo` requests. Restarts its lab manager if it is shown. */
  startDemoOnly(): Promise<void> {
    this.#nodes.useDemoLab();
    this.#session ??= new DemoSession(this.service, this.appPaths.installation.demo, this.log, false);
    this.#onChange();
    return this.#session.start();
  }

  /** Opens the demo lab in a separate window, or brings that window to the front. */
  openDemo(): void {
    if (this.#isQuitting || this.showsDemo) return this.window.show();
    if (this.#demo) return this.#demo.window.show();
    this.#demo = new DemoWindow({
      appPaths: this.appPaths,
      log: this.log.scope('demo'),
      icon: join(this.appPaths.iconDir, 'icon.png'),
      inputs: () => serviceInputs(this.appPaths.configDir, null, []),
      onClosed: () => {
        this.#demo = null;
        this.#onChange();
      },
    });
    this.#onChange();
  }

  /** Stops the demo lab, in either kind of window. */
  async leaveDemo(): Promise<void> {
    this.#demo?.window.browserWindow.close();
    const session = this.#session;
    if (!session) return;
    this.#session = null;
    this.#onChange();
    this.startPreferredLab();
    await session.stop();
  }

  /** @param passed false to show it again, if there are no settings */
  passFirstScreen(passed = true): void {
    this.#hasPassedFirstScreen = passed;
    this.updateViews();
  }

  /** Stops the service and all other processes of the app; `installGracefulQuit` limits the time. */
  async quit(): Promise<void> {
    this.#isQuitting = true;
    this.crashes.end();
    this.#rememberBounds();
    this.updates.stop();
    this.problems.stop();
    if (this.#checkTimer) clock.clearInterval(this.#checkTimer);
    await Promise.all([this.service.stop(), this.#session?.stop(), this.#demo?.stop(), this.commands.stop()]);
    await waitForStateFiles(1000);
    this.#tray?.destroy();
  }

  /** Updates the window, the tray, the menus and the other windows, and shows notifications of new notices. */
  updateViews(): void {
    if (this.#isQuitting || !this.#window) return;
    const view = createWindowView({
      ...this.service.state,
      showsDashboard: this.#window.showsDashboard,
      demo: this.showsDemo,
      labFolder: this.preferences.values.labFolder,
      followedUrl: this.followedUrl,
      otherOwner: this.#otherOwner,
      firstScreenPassed: this.#hasPassedFirstScreen,
      logLines: lastLines(this.service.state.logFile, 20),
      now: clock.now(),
    });
    if (view.kind === 'dashboard') this.#hasPassedFirstScreen = true;
    const currentNotices = this.notices;
    this.#window.showView(view, { notices: currentNotices, stop: this.stopView });
    this.#tray?.update();
    this.#onChange();
    this.notifications.showNewNotices(currentNotices);
  }

  #onServiceChange(): void {
    const { status, lab } = this.service.state;
    // The demo lab reads no settings, so it has no information about the feed.
    if (status.phase === 'running' && !status.demo) this.updates.setFeed(status.updateFeed, status.updatePublicKey);
    if (status.phase === 'running' && !status.demo && lab !== null) {
      this.#nodes.useWorkcell(lab.managers.find(({ manager }) => manager === 'workcell')?.url ?? null);
    }
    renameLabs(this);
    if (lab !== null) {
      void this.commands.flush();
      this.safetyStop.observe();
    }
    this.updateViews();
  }

  /** The safety stop as shown on the app's pages. */
  get stopView(): StopView {
    return createStopView(this.labOnMachine, this.knownNodes.length, this.safetyStop.report, clock.now());
  }

  get knownNodes(): readonly string[] {
    return this.#nodes.names;
  }

  /** The known nodes that a safety stop locks and pauses, because they have none. */
  get nodesWithoutStop(): readonly string[] {
    return this.#nodes.namesWithoutStop;
  }

  /** See `DesktopNotifications.mute`. */
  mute(subject: string | null, until: number | null): void {
    this.notifications.mute(subject, until);
    this.updateViews();
  }

  get notices(): readonly Notice[] {
    const { status } = this.service.state;
    const localNotices = createNotices({
      ...this.service.state,
      labFolder: labFolderProblem(this.preferences.values.labFolder, status),
      ...this.problems.noticeInput,
      stop: this.safetyStop.report,
      choice: currentMenuChoice(),
      now: clock.now(),
    });
    return [...localNotices, ...this.updates.notices];
  }

  #rememberBounds(): void {
    if (!this.#window || this.#window.isDestroyed || this.#hiddenStart?.wasShown === false) return;
    rememberBounds(this.browserWindow, this.preferences);
  }

  #mayClose(): boolean {
    if (this.#isQuitting) return true;
    this.#rememberBounds();
    void this.#closing.close(this.browserWindow);
    return false;
  }
}
