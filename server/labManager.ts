/**
 * The lab manager service as one object: start, stop, status. The command line and the desktop's service process both
 * use it.
 */
import { batch, computed, signal } from '@preact/signals-core';
import { clock } from '../api/time/clock.ts';
import { errorText } from '../api/errorText.ts';
import { findDashboardDirectory, type DashboardDirectory } from './http/files/dashboard.ts';
import { TaskQueue } from './concurrency/taskQueue.ts';
import { Follower } from './attached/follow.ts';
import { LabModel } from './lab/labModel.ts';
import type { Notification } from './channels/channel.ts';
import { serve, type ServingOptions } from './serve.ts';
import { LabWatches } from './labWatches.ts';
import { stateDir } from './storage/installation.ts';
import { LabManagerIdentity } from './identity/labIdentity.ts';
import { PortInUseError, type ListeningServer, type ListenTarget } from './http/listening/listen.ts';
import { endOrphan } from './http/listening/orphan.ts';
import { RecentClients } from './http/callers/recentClients.ts';
import type { Log } from './logging/log.ts';
import { formatProblem } from './settings/parse/problem.ts';
import { isConfigured, loadSettings } from './settings/load/load.ts';
import type { SettingsInputs, SettingsResult, LabSettings } from './settings/schema/types.ts';
import { SettingsWatch } from './settings/load/watch.ts';
import { Telemetry } from './telemetry/telemetry.ts';
import { settingsRequiringRestart, getListenTarget, listTlsWarnings } from './http/listening/listenTarget.ts';
import { StartRetry } from './http/listening/startRetry.ts';
import { portInUseStatus, runningStatus, serviceOwner } from './buildStatus.ts';
import type { RunningStatus, ServiceStatus } from './status.ts';

export interface LabManagerOptions extends Pick<ServingOptions, 'identifyCaller' | 'appKey'> {
  readonly inputs: SettingsInputs;
  readonly version: string;
  /** Directories that ship with the service. */
  readonly bundled: { readonly dashboard: string; readonly swaggerUi: string; readonly help: string };
  readonly log: Log;
  /** Called with the log level and verbosity whenever settings are applied. */
  readonly onLogSettings?: (settings: Pick<LabSettings, 'logLevel' | 'verbose'>) => void;
  /** Serves the addresses of this other lab manager, on this machine only. */
  readonly follow?: string;
  /** Whether the lab is simulated, which all outputs show. */
  readonly demo?: boolean;
  /** Overrides the listening address of the settings. */
  readonly listen?: ListenTarget;
}

type LoadedSettings = Extract<SettingsResult, { ok: true }>;

export class LabManager {
  readonly #options: LabManagerOptions;
  readonly #log: Log;
  readonly #listeners = new Set<(status: ServiceStatus) => void>();
  /** The last notification for the desktop. */
  readonly lastNotification = signal<Notification | null>(null);
  #status: ServiceStatus = { phase: 'stopped' };
  readonly #loaded = signal<LoadedSettings | null>(null);
  #follower: Follower | null = null;
  readonly #dashboard = signal<DashboardDirectory | null>(null);
  #listening: ListeningServer | null = null;
  /** The listening address at the start: that of the options, otherwise that of the settings. */
  #target: ListenTarget | null = null;
  #settingsWatch: { stop(): Promise<void> } | null = null;
  #watches: LabWatches | null = null;
  readonly #identity: LabManagerIdentity;
  readonly #telemetry: Telemetry;
  readonly #retry = new StartRetry(() => this.#retryStart());
  /** The other machines that recently sent requests. */
  readonly recentClients = new RecentClients();
  /** Serialises starts and stops. */
  readonly #queue = new TaskQueue();

  constructor(options: LabManagerOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#identity = new LabManagerIdentity({ ...options, loaded: this.#loaded });
    this.#telemetry = new Telemetry(options.log, options.version);
  }

  get status(): ServiceStatus {
    return this.#status;
  }

  /** The state of the lab while the service runs. */
  get lab(): LabModel | null {
    return this.#watches?.lab ?? null;
  }

  /** The watches of the lab while the service runs. */
  get watches(): LabWatches | null {
    return this.#watches;
  }

  /** Confirms the machine of the followed lab manager. */
  confirmMachine(): void {
    this.#follower?.confirmMachine();
  }

  onStatus(listener: (status: ServiceStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the settings, listens, and starts the watch. Resolves with the result; never rejects for user input. */
  start(): Promise<ServiceStatus> {
    return this.#enqueue(async () => {
      if (this.#listening) return;
      this.#setStatus({ phase: 'starting' });
      const result = await loadSettings(this.#options.inputs);
      this.#watchSettingsFiles(result);
      await this.#run(result);
    });
  }

  /** Stops all parts of the service. Hanging requests, storage and databases are not waited for. */
  stop(): Promise<ServiceStatus> {
    return this.#enqueue(async () => {
      this.#retry.stop();
      await this.#settingsWatch?.stop();
      this.#settingsWatch = null;
      await this.#close();
      this.#setStatus({ phase: 'stopped' });
    });
  }

  /** Reads the settings again and restarts, on another address if that changed. */
  restart(): Promise<ServiceStatus> {
    // Both are enqueued synchronously, so a later stop runs after them.
    void this.stop();
    return this.start();
  }

  async #run(result: SettingsResult): Promise<void> {
    this.#retry.stop();
    if (!result.ok) {
      for (const problem of result.problems) this.#log.error(formatProblem(problem));
      return this.#setStatus({ phase: 'settings-error', problems: result.problems, warnings: result.warnings });
    }
    try {
      await this.#applySettings(result);
      await this.#serve(result);
    } catch (error) {
      await this.#close();
      if (error instanceof PortInUseError) return this.#portInUse(error, result);
      this.#log.error(errorText(error));
      this.#setStatus({ phase: 'failed', reason: errorText(error) });
      this.#retry.scheduleRetry();
    }
  }

  /** Handles a taken port: retries when it is free, and ends a hung orphaned service of ours. */
  async #portInUse(error: PortInUseError, loadedSettings: LoadedSettings): Promise<void> {
    this.#log.error(error.message);
    const { port, portOwner } = error;
    if (portOwner.kind === 'unknown' && (await endOrphan(port, this.#log))) return this.#serveAgain(loadedSettings);
    this.#setStatus(await portInUseStatus(error, loadedSettings));
    this.#retry.retryWhenPortFree(port);
  }

  /** Serves again after the end of an orphan. A further error, such as a taken port, fails the start. */
  async #serveAgain(loadedSettings: LoadedSettings): Promise<void> {
    try {
      await this.#serve(loadedSettings);
    } catch (error) {
      await this.#close();
      this.#setStatus({ phase: 'failed', reason: errorText(error) });
      this.#retry.scheduleRetry();
    }
  }

  /** Retries a failed start with the current settings. */
  #retryStart(): void {
    void this.#enqueue(async () => {
      if (this.#status.phase !== 'port-taken' && this.#status.phase !== 'failed') return;
      this.#log.info('Trying to start again');
      await this.#run(await loadSettings(this.#options.inputs));
    });
  }

  async #serve(loadedSettings: LoadedSettings): Promise<void> {
    const { version, bundled, log } = this.#options;
    const service = { version, started: new Date(clock.now()).toISOString() };
    const watches = new LabWatches({
      version,
      lab: new LabModel(this.#settings(), this.#follower?.state.value ?? null, this.#options.demo ?? false),
      stateDir: this.#stateDir(),
      lastNotification: this.lastNotification,
      log,
    });
    this.#watches = watches;
    if (this.#follower !== null) this.#follower.measured = watches.lab;
    this.#target = this.#options.listen ?? getListenTarget(loadedSettings.settings);
    this.#listening = await serve({
      parts: {
        identity: this.#identity,
        watches,
        dashboard: this.#dashboard,
        withholdsContext: computed(() => this.#withholdsContext()),
        ...watches.parts,
        service,
        owner: computed(() => serviceOwner(this.#loaded.value)),
        swaggerUi: bundled.swaggerUi,
        help: bundled.help,
        recentClients: this.recentClients,
        telemetry: this.#telemetry,
      },
      target: this.#target,
      stateDir: this.#stateDir(),
      identifyCaller: this.#options.identifyCaller,
      appKey: this.#options.appKey,
      log,
    });
    await watches.start(this.#listening.port);
    this.#log.info(`Listening on ${this.#listening.addresses.join(' and ')}`);
    this.#identity.configure(loadedSettings);
    this.#setStatus(this.#runningStatus(loadedSettings));
  }

  /** Returns the folder of the persistent state; `null` for a simulated or followed lab, which stores none. */
  #stateDir(): string | null {
    const { inputs, follow, demo } = this.#options;
    return follow !== undefined || demo ? null : stateDir(process.platform, inputs.env, inputs.homeDir);
  }

  async #applySettings(loadedSettings: LoadedSettings): Promise<void> {
    const { settings, warnings } = loadedSettings;
    for (const warning of [...warnings.map(formatProblem), ...listTlsWarnings(settings)]) this.#log.warn(warning);
    const directory = await findDashboardDirectory(settings.dashboardFiles, this.#options.bundled.dashboard);
    this.#dashboard.value = directory;
    this.#options.onLogSettings?.(settings);
    if (this.#options.follow !== undefined && this.#follower === null) {
      this.#follower = new Follower(this.#options.follow, this.#log.scope('follow'));
      this.#follower.state.subscribe(() => this.#onFollowedChange());
      await this.#follower.start();
      // Never show our own addresses as another lab manager's.
      if (this.#follower.context === null) throw new Error(this.#follower.unusableReason);
    }
    await this.#telemetry.configure(settings);
    this.#loaded.value = loadedSettings;
    this.#reconfigure();
  }

  /** Handles a change of the followed lab manager's addresses, name or availability. */
  #onFollowedChange(): void {
    this.#reconfigure();
    if (!this.#loaded.value || this.#status.phase !== 'running') return;
    const { problems, restartNeeded } = this.#status;
    this.#setStatus({ ...this.#runningStatus(this.#loaded.value), problems, restartNeeded });
  }

  #reconfigure(): void {
    const { lab } = this;
    if (!this.#loaded.value || lab === null) return;
    batch(() => {
      lab.settings.value = this.#settings();
      lab.followed.value = this.#follower?.state.value ?? null;
    });
  }

  #settings(): LabSettings {
    if (!this.#loaded.value) throw new Error('The service has no settings yet');
    const [{ settings }, context] = [this.#loaded.value, this.#follower?.context];
    // Another lab manager's addresses come from the network, so requests are never relayed to them.
    return context ? { ...settings, context, remoteAccess: 'off', sharedAddress: null } : settings;
  }

  /** The default addresses of an app without settings belong to no lab that other machines could use. */
  #withholdsContext(): boolean {
    const { inputs, follow, demo = false } = this.#options;
    const isOwnLab = inputs.commandLine === 'desktop' && follow === undefined && !demo;
    return isOwnLab && this.#loaded.value !== null && !isConfigured(this.#loaded.value);
  }

  #runningStatus(loadedSettings: LoadedSettings): RunningStatus {
    const { follow, demo = false } = this.#options;
    return runningStatus(loadedSettings, this.#listening as ListeningServer, {
      labName: this.#follower ? this.#follower.state.value.labName : loadedSettings.settings.labName,
      followedUrl: follow ?? null,
      followLost: this.#follower?.lost ?? null,
      demo,
    });
  }

  /** Compares the files with the last read, so that a change before the start of the watch is noticed. */
  #watchSettingsFiles(lastResult: SettingsResult): void {
    this.#settingsWatch ??= new SettingsWatch(this.#options.inputs, {
      lastResult,
      onChange: (result) => void this.#enqueue(() => this.#onSettingsChange(result)),
    });
  }

  /** Handles a changed settings file, while running or after a failed start. */
  async #onSettingsChange(result: SettingsResult): Promise<void> {
    const { phase } = this.#status;
    if (phase === 'settings-error' || phase === 'port-taken' || phase === 'failed') return this.#run(result);
    if (this.#status.phase !== 'running') return;
    if (!result.ok) {
      for (const problem of result.problems) this.#log.error(`${formatProblem(problem)} (the previous settings stay)`);
      return this.#setStatus({ ...this.#status, problems: result.problems });
    }
    await this.#applySettings(result);
    const databaseUrl = this.#watches?.databaseUrl ?? null;
    const changed = settingsRequiringRestart(this.#options.listen ? null : this.#target, databaseUrl, result.settings);
    if (changed.length > 0)
      this.#log.warn(`${changed.join(' and ')} changed: this takes effect after a restart of the service`);
    this.#log.info('Settings changed and applied');
    this.#identity.configure(result);
    this.#setStatus({ ...this.#runningStatus(result), restartNeeded: changed });
  }

  async #close(): Promise<void> {
    await Promise.all([this.#watches?.stop(), this.#identity.stop()]);
    this.#follower?.stop();
    this.#follower = null;
    await this.#listening?.stop();
    this.#listening = null;
    await this.#telemetry.stop();
    await this.#watches?.stopRecording();
    this.#watches = null;
  }

  #setStatus(status: ServiceStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener(status);
  }

  #enqueue(step: () => Promise<void>): Promise<ServiceStatus> {
    return this.#queue.run(async () => {
      try {
        await step();
      } catch (error) {
        this.#log.error(errorText(error));
        this.#setStatus({ phase: 'failed', reason: errorText(error) });
      }
      return this.#status;
    });
  }
}
