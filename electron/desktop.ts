/**
 * The app while it runs: hears the service, and keeps window and tray showing the same state. What is shown is decided
 * by the pure `windowTarget` and `trayModel`; what a person asks is done by `personActions`.
 */
import { app, powerMonitor, type BrowserWindow } from 'electron';
import { join } from 'node:path';
import type { LabStatus } from '../api/lab.ts';
import type { RunningDemo } from '../server/demo.ts';
import { errorText, type Log } from '../server/log.ts';
import type { AddressTest, Reply, ShellMessage } from '../server/messages.ts';
import type { ManagerKey } from '../api/managers.ts';
import { formatProblem } from '../server/settings/problem.ts';
import type { ServiceStatus } from '../server/status.ts';
import { lastLines } from './desktopLog.ts';
import { askCloseWithoutTray, askForRestart, note } from './dialogs.ts';
import type { Identity } from './identity.ts';
import { PreferencesFile } from './preferences/preferences.ts';
import { startDemoProcess } from './service/demoProcess.ts';
import { ServiceProcess, type Told } from './service/serviceProcess.ts';
import { serviceInputs } from './serviceInputs.ts';
import { LabTray } from './tray/tray.ts';
import { hasTrayHost } from './tray/trayHost.ts';
import { trayModel, type TrayAction, type TrayModel } from './tray/trayModel.ts';
import { MainWindow } from './window/mainWindow.ts';
import { windowTarget, type WindowInput } from './windowTarget.ts';

type Mode = Extract<ShellMessage, { type: 'start' }>['mode'];

export class Desktop {
  readonly identity: Identity;
  readonly preferences: PreferencesFile;
  readonly log: Log;
  readonly #service: ServiceProcess;
  readonly #act: (action: TrayAction) => void;
  #window: MainWindow | null = null;
  #tray: LabTray | null = null;
  #status: ServiceStatus = { phase: 'starting' };
  #lab: LabStatus | null = null;
  #heardAt: number | null = null;
  #gaveUp: WindowInput['gaveUp'] = null;
  #restarting = false;
  #firstScreenPassed = false;
  #serviceLog = '';
  #quitting = false;
  /** Options for this start only, as a port that can't be kept. */
  #extraArguments: readonly string[] = [];
  #staleTimer: NodeJS.Timeout | null = null;
  #demo: RunningDemo | null = null;

  constructor(identity: Identity, log: Log, act: (action: TrayAction) => void) {
    this.identity = identity;
    this.log = log;
    this.#act = act;
    this.preferences = new PreferencesFile(join(identity.configDir, 'preferences.json'), log.scope('preferences'));
    this.#service = new ServiceProcess(identity.serviceEntry, log.scope('service'), {
      message: (message) => this.#take(message),
      restarting: () => this.#serviceDied(),
      gaveUp: (crashes, code, output) => this.#serviceGaveUp(crashes, code, output),
    });
  }

  get status(): ServiceStatus {
    return this.#status;
  }

  get window(): MainWindow {
    if (!this.#window) throw new Error('The window is not open yet');
    return this.#window;
  }

  /** `http://127.0.0.1:8000`, while a dashboard is served. */
  get dashboardOrigin(): string | null {
    const url = this.dashboardUrl;
    return url === null ? null : new URL(url).origin;
  }

  get dashboardUrl(): string | null {
    if (this.#status.phase === 'running') return this.#status.loopbackUrl;
    return this.#status.phase === 'attached' ? this.#status.url : null;
  }

  /** `lab.settings.yaml`, where settings typed in the app are kept. */
  get settingsFile(): string {
    return join(this.identity.configDir, 'lab.settings.yaml');
  }

  openWindow(): void {
    this.#window = new MainWindow({
      preferences: this.preferences,
      preload: this.identity.preload,
      icon: join(this.identity.iconDir, 'icon.png'),
      mayClose: () => this.#mayClose(),
      onDashboardLost: (reason) => this.#dashboardLost(reason),
    });
  }

  openTray(): void {
    this.#tray = new LabTray({ iconDir: this.identity.iconDir, model: () => this.trayModel(), act: this.#act });
    this.#staleTimer = setInterval(() => this.#tray?.update(), 5000);
  }

  /** No alarm for what only slept: nothing seen before is believed, everything is asked at once. */
  followPower(): void {
    powerMonitor.on('suspend', () => this.#service.send({ type: 'suspend' }));
    powerMonitor.on('resume', () => {
      this.#heardAt = null;
      this.#service.send({ type: 'resume' });
      this.#show();
    });
  }

  /** Starts the service, or starts it anew: with the folder, the files and the extra options as they are now. */
  startService(mode: Mode = { kind: 'serve' }, extraArguments = this.#extraArguments): void {
    this.#extraArguments = extraArguments;
    this.#gaveUp = null;
    this.#restarting = false;
    this.#lab = null;
    this.#status = { phase: 'starting' };
    const inputs = serviceInputs(this.identity.configDir, this.preferences.values.labFolder, extraArguments);
    this.#service.start({ type: 'start', inputs, logDir: this.identity.logDir, mode });
    this.#show();
  }

  /** Starts the lab manager on a simulated lab. */
  async startDemo(): Promise<void> {
    this.#gaveUp = null;
    this.#status = { phase: 'starting' };
    this.#lab = null;
    this.#show();
    try {
      this.#demo ??= await startDemoProcess(this.identity.installation.demo);
      this.log.info(`Faults and size of the demo lab: ${this.#demo.control}`);
      this.startService({ kind: 'demo', addresses: this.#demo.addresses });
    } catch (error) {
      this.#status = { phase: 'failed', reason: errorText(error) };
      this.#show();
    }
  }

  /** Back from the simulated lab to the user's own. */
  async leaveDemo(): Promise<void> {
    this.startService({ kind: 'serve' });
    await this.#demo?.stop();
    this.#demo = null;
  }

  restartService(): void {
    this.#service.send({ type: 'restart' });
  }

  checkNow(): void {
    this.#service.send({ type: 'check-now' });
  }

  async testAddress(manager: ManagerKey, url: string): Promise<AddressTest> {
    const reply = await this.#service.ask({ type: 'test-address', manager, url });
    return valueOf(reply) as AddressTest;
  }

  /** Writes settings into the user's file; the service takes them over by itself. */
  async writeSettings(changes: Record<string, string | null>): Promise<void> {
    valueOf(await this.#service.ask({ type: 'write-settings', changes }));
  }

  passFirstScreen(): void {
    this.#firstScreenPassed = true;
    this.#show();
  }

  trayModel(): TrayModel {
    const status = this.#status;
    return trayModel({
      service: this.#gaveUp ? { phase: 'failed', reason: this.#gaveUp.title } : status,
      lab: this.#lab,
      heardAt: this.#heardAt,
      now: Date.now(),
      publicUrl: status.phase === 'running' ? status.serverUrl : this.dashboardUrl,
    });
  }

  /** Stops the service and everything of ours, within 5 s. */
  async quit(): Promise<void> {
    this.#quitting = true;
    if (this.#staleTimer) clearInterval(this.#staleTimer);
    await Promise.all([this.#service.stop(), this.#demo?.stop()]);
    this.#tray?.destroy();
  }

  #take(message: Told): void {
    if (message.type === 'lab') {
      this.#lab = message.lab;
      this.#heardAt = Date.now();
      return this.#show();
    }
    this.#serviceLog = message.logFile;
    const { status } = message;
    const before = this.#status;
    this.#status = status;
    if (status.phase !== 'starting') this.#restarting = false;
    if (status.phase === 'port-taken' && status.occupant.kind === 'ours') {
      this.log.info(`Attaching to the lab manager that runs at ${status.occupant.url}`);
      return this.startService({ kind: 'attach', url: status.occupant.url });
    }
    if (status.phase === 'running') this.#tellChanges(before, status);
    this.#show();
  }

  /** Says what a person must know of a change of the settings while we run. */
  #tellChanges(before: ServiceStatus, status: Extract<ServiceStatus, { phase: 'running' }>): void {
    const earlier = before.phase === 'running' ? before : null;
    const { problems, restartNeeded } = status;
    if (problems.length > 0 && JSON.stringify(problems) !== JSON.stringify(earlier?.problems)) {
      const [first] = problems;
      note('The settings have errors', `${first ? formatProblem(first) : ''}\nThe settings before them stay in force.`);
    }
    if (restartNeeded.length > 0 && restartNeeded.join() !== earlier?.restartNeeded.join()) {
      void askForRestart(this.browserWindow, restartNeeded).then((now) => now && this.restartService());
    }
  }

  get browserWindow(): BrowserWindow {
    return this.window.browserWindow;
  }

  #show(): void {
    if (this.#quitting) return;
    const target = windowTarget({
      service: this.#status,
      lab: this.#lab,
      gaveUp: this.#gaveUp,
      restarting: this.#restarting,
      firstScreenPassed: this.#firstScreenPassed,
      logLines: lastLines(this.#serviceLog, 20),
      logFile: this.#serviceLog,
      settingsFile: this.settingsFile,
    });
    if (target.kind === 'dashboard') this.#firstScreenPassed = true;
    this.#window?.go(target);
    this.#tray?.update();
  }

  #serviceDied(): void {
    this.#restarting = this.#window?.showsDashboard ?? false;
    this.#status = { phase: 'starting' };
    this.#show();
  }

  #serviceGaveUp(crashes: number, code: number, output: string): void {
    const said = output.trim().split('\n').at(-1);
    const reason = `It ended ${crashes} times within a minute (exit code ${code})${said ? `: ${said}` : ''}`;
    this.#gaveUp = { title: 'The lab manager service keeps stopping', reason };
    this.#show();
  }

  /** Loading failed: the shell's page stands in until the service says where it is. */
  #dashboardLost(reason: string): void {
    this.log.warn(`The dashboard was lost: ${reason}`);
    this.#window?.go({ kind: 'page', page: { page: 'starting', message: 'Waiting for the dashboard' } });
    setTimeout(() => this.#show(), 500);
  }

  #mayClose(): boolean {
    if (this.#quitting) return true;
    void this.#closeWindow();
    return false;
  }

  /** Into the tray where there is one; otherwise as the person decided. */
  async #closeWindow(): Promise<void> {
    const window = this.browserWindow;
    if (await hasTrayHost()) {
      window.hide();
      if (this.preferences.values.trayNoteShown) return;
      this.preferences.change({ trayNoteShown: true });
      return note('Lab Manager keeps running', 'Find it in the tray; choose Quit there to end it.', () =>
        this.window.show(),
      );
    }
    let { closeWithoutTray } = this.preferences.values;
    if (closeWithoutTray === null) {
      closeWithoutTray = await askCloseWithoutTray(window);
      this.preferences.change({ closeWithoutTray });
    }
    if (closeWithoutTray === 'quit') app.quit();
    else window.minimize();
  }
}

function valueOf(reply: Reply): unknown {
  if (!reply.ok) throw new Error(reply.error);
  return reply.value;
}
