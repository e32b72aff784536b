/**
 * A lab manager service and its current state: starts it in one of its modes, or attaches to another instance that
 * already uses the port. Window and tray show its state.
 */
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import * as z from 'zod/mini';
import { delivery, type Delivery, type LabStatus } from '../../api/lab/lab.ts';
import type { ManagerKey } from '../../api/managers.ts';
import type { Log } from '../../server/logging/log.ts';
import { fixResult, diagnosticsList, type FixResult, type DiagnosticsList } from '../../api/diagnostics.ts';
import { accountsReply, type AccountsReply, type AccountsRequest } from '../../server/access/accountMessages.ts';
import type { AppDetails } from '../../server/diagnostics/checks/check.ts';
import type { ShellMessage } from '../../server/lifecycle/messages.ts';
import type { KnownNodes } from '../../server/lab/knownNodes.ts';
import type { MaintenanceChange } from '../../server/maintenance/entries.ts';
import type { WatchedLab } from '../../server/fleet/watchedLabs.ts';
import type { Notification } from '../../server/channels/channel.ts';
import type { FolderRequest } from '../../api/labFolders.ts';
import type { SettingsRequest } from '../../server/settings/edit/messages.ts';
import type { SettingsInputs } from '../../server/settings/schema/types.ts';
import type { ServiceStatus } from '../../server/status.ts';
import { addressTest, nearbyLabs, type AddressTest, type NearbyLabs } from '../ipc/contract.ts';
import { testResults, type TestResults } from '../ipc/settingsContract.ts';
import { ServiceProcess, type Announcement, type ServiceCrash } from './serviceProcess.ts';

export type Mode = Extract<ShellMessage, { type: 'start' }>['mode'];

/** The current state of the service. Times are ms since the epoch. */
export interface ServiceState {
  readonly status: ServiceStatus;
  readonly lab: LabStatus | null;
  /** The time at which the last lab state arrived; `null` before the first, and after a suspend. */
  readonly receivedAt: number | null;
  /** The last crash, until the restarted service reports a state; `null` without one. */
  readonly lastCrash: ServiceCrash | null;
  /** The time since which it has failed to start or kept crashing; `null` otherwise. */
  readonly failedSince: number | null;
  /** The time since which the running service has not responded; `null` otherwise. */
  readonly unresponsiveSince: number | null;
  /** The other labs that were chosen, as last read. */
  readonly otherLabs: readonly WatchedLab[];
  /** Path of its log, empty until the service reports it. */
  readonly logFile: string;
}

export interface LabServiceOptions {
  /** Absolute path of the service's entry file. */
  readonly entry: string;
  readonly log: Log;
  readonly logDir: string;
  /** The inputs for the service's search for settings, read at each start. */
  readonly inputs: (extraArguments: readonly string[]) => SettingsInputs;
  /** Addresses of the other labs that were chosen. */
  readonly labs?: () => readonly string[];
  readonly onChange: () => void;
  readonly onCrash?: (crash: ServiceCrash) => void;
  readonly onNodes?: (nodes: KnownNodes) => void;
  /** Called with a notification for the user. */
  readonly onNotification?: (notification: Notification) => void;
}

/**
 * The timeout for collecting diagnostics, in milliseconds: checks run up to 15 s; reading and packing a log of some MB
 * adds to it.
 */
const collectTimeoutMs = 60_000;

/** The timeout for a test, in milliseconds: a webhook has 30 s to accept a message. */
const testTimeoutMs = 35_000;

const starting: ServiceStatus = { phase: 'starting' };

export class LabService {
  readonly #options: LabServiceOptions;
  readonly #process: ServiceProcess;
  #state: ServiceState = {
    status: starting,
    lab: null,
    receivedAt: null,
    lastCrash: null,
    failedSince: null,
    unresponsiveSince: null,
    otherLabs: [],
    logFile: '',
  };
  /** The number of the current start: messages of earlier ones are ignored. */
  #run = 0;
  /** The key of the window; `null` until the service sends it after each start. */
  #appKey: string | null = null;
  /** Options for this start only, such as a port that can't be saved. */
  #extraArguments: readonly string[] = [];
  #attaches = true;

  constructor(options: LabServiceOptions) {
    this.#options = options;
    this.#process = new ServiceProcess(options.entry, options.log.scope('service'), {
      onMessage: (message) => this.#receive(message),
      onCrash: (crash) => {
        options.onCrash?.(crash);
        this.#appKey = null;
        this.#change({ lastCrash: crash, status: starting, unresponsiveSince: null, otherLabs: [] });
      },
      onUnresponsive: (since) => this.#change({ unresponsiveSince: since }),
    });
  }

  get state(): ServiceState {
    return this.#state;
  }

  /** The process ID of the service while it runs. */
  get pid(): number | null {
    return this.#process.pid;
  }

  /** The address of its dashboard on this machine; `null` if there is none. */
  get dashboardUrl(): string | null {
    const { status } = this.#state;
    if (status.phase === 'running') return status.loopbackUrl;
    return status.phase === 'attached' ? status.url : null;
  }

  /** The key that gives the window the role administrator at this app's service; `null` for every other service. */
  get appKey(): string | null {
    return this.#state.status.phase === 'running' ? this.#appKey : null;
  }

  /**
   * Starts or restarts the service with the current folder, files and extra options.
   * @param attaches whether it attaches to a copy of the service that uses the port
   */
  start(mode: Mode = { kind: 'serve' }, extraArguments = this.#extraArguments, attaches = true): void {
    this.#extraArguments = extraArguments;
    this.#attaches = attaches;
    this.#run += 1;
    this.#appKey = null;
    const { logDir, inputs, labs = () => [] } = this.#options;
    this.#state = {
      ...this.#state,
      status: starting,
      lab: null,
      receivedAt: null,
      lastCrash: null,
      failedSince: null,
      otherLabs: [],
    };
    this.#process.start({
      type: 'start',
      run: this.#run,
      inputs: inputs(extraArguments),
      logDir,
      labs: [...labs()],
      mode,
    });
    this.#options.onChange();
  }

  /** Watches the other labs that are chosen now. */
  watchLabs(): void {
    this.#process.send({ type: 'watch-labs', labs: [...(this.#options.labs?.() ?? [])] });
  }

  checkNow(): void {
    this.#process.send({ type: 'check-now' });
  }

  /** Confirms the machine of the followed lab manager: commands to its lab are no longer refused. */
  confirmMachine(): void {
    this.#process.send({ type: 'confirm-machine' });
  }

  suspend(): void {
    this.#process.send({ type: 'suspend' });
  }

  /** Discards the lab state from before a suspend. */
  resume(): void {
    this.#process.send({ type: 'resume' });
    this.#change({ receivedAt: null });
  }

  /** Shows the starting state while the service's dependencies start. */
  prepare(): void {
    this.#run += 1;
    this.#change({ status: starting, lab: null, lastCrash: null });
  }

  /** Shows a failure to start the service's dependencies. */
  fail(reason: string): void {
    this.#run += 1;
    this.#change({ status: { phase: 'failed', reason }, lab: null });
  }

  testAddress(manager: ManagerKey, url: string): Promise<AddressTest> {
    return this.#request(addressTest, { type: 'test-address', manager, url });
  }

  /** Returns the labs that are announced on the network. @throws Error with a user-facing message */
  nearbyLabs(): Promise<NearbyLabs> {
    return this.#request(nearbyLabs, { type: 'nearby-labs' });
  }

  /** Reads the folders of this machine in the service. @throws Error with a user-facing message */
  requestFolders<Reply extends z.core.$ZodType>(schema: Reply, request: FolderRequest): Promise<z.output<Reply>> {
    return this.#request(schema, { type: 'settings', request });
  }

  /** Returns the other machines that sent the service requests in the last ten minutes; empty if it doesn't respond. */
  async readRecentClients(): Promise<readonly string[]> {
    try {
      return await this.#request(z.array(z.string()), { type: 'recent-visitors' });
    } catch (error) {
      this.#options.log.warn(`The clients of the service are unknown: ${errorText(error)}`);
      return [];
    }
  }

  /**
   * Writes settings to the file in which they take effect; the service detects the change.
   * @returns the absolute path of their file
   * @throws Error with a user-facing message; nothing is written then
   */
  writeSettings(changes: Record<string, string | null>): Promise<string> {
    return this.#request(z.string(), { type: 'write-settings', changes });
  }

  /** Starts, ends, plans or cancels maintenance. @throws Error with a user-facing message; nothing is changed then */
  async setMaintenance(change: MaintenanceChange): Promise<void> {
    await this.#request(z.unknown(), { type: 'set-maintenance', change });
  }

  /** Sends a test to each webhook. @throws Error with a user-facing message */
  testNotifications(): Promise<TestResults> {
    return this.#request(testResults, { type: 'test-notifications' }, testTimeoutMs);
  }

  /** Returns the delivery results of each webhook. @throws Error with a user-facing message */
  readDeliveries(): Promise<readonly Delivery[]> {
    return this.#request(z.array(delivery), { type: 'deliveries' });
  }

  /**
   * Sends a request of the Settings window, which reads data or saves a plan.
   * @throws Error with a user-facing message; nothing is changed then
   */
  requestSettings(request: SettingsRequest): Promise<unknown> {
    return this.#request(z.unknown(), { type: 'settings', request });
  }

  /**
   * Sends a request of the Settings window about users and API tokens.
   * @throws Error with a user-facing message; nothing is changed then
   */
  requestAccounts(request: AccountsRequest): Promise<AccountsReply> {
    return this.#request(accountsReply, { type: 'accounts', request });
  }

  /**
   * Runs the checks, collects the diagnostics and returns the list of their content.
   * @throws Error with a user-facing message
   */
  collectDiagnostics(app: AppDetails): Promise<DiagnosticsList> {
    return this.#request(diagnosticsList, { type: 'collect-diagnostics', app }, collectTimeoutMs);
  }

  /** Repeats one check, after applying its fix if requested. @throws Error with a user-facing message */
  runCheck(check: string, fix: boolean, app: AppDetails): Promise<FixResult> {
    return this.#request(fixResult, { type: 'run-check', check, fix, app }, collectTimeoutMs);
  }

  /**
   * Saves the collected diagnostics, or discards them (`null`).
   * @throws Error with a user-facing message; nothing is written then
   */
  async saveDiagnostics(path: string | null): Promise<void> {
    await this.#request(z.unknown(), { type: 'save-diagnostics', path }, collectTimeoutMs);
  }

  async #request<Reply extends z.core.$ZodType>(
    schema: Reply,
    ...request: Parameters<ServiceProcess['request']>
  ): Promise<z.output<Reply>> {
    const reply = await this.#process.request(...request);
    if (!reply.ok) throw new Error(reply.error);
    return z.parse(schema, reply.value);
  }

  /** Stops the service, within 4.5 s. */
  stop(): Promise<void> {
    return this.#process.stop();
  }

  #receive(message: Announcement): void {
    if (message.run !== this.#run) return undefined;
    switch (message.type) {
      case 'lab':
        return this.#change({ lab: message.lab, receivedAt: clock.now() });
      case 'other-labs':
        return this.#change({ otherLabs: message.labs });
      case 'nodes':
        return this.#options.onNodes?.(message.nodes);
      case 'app-key':
        this.#appKey = message.key;
        return undefined;
      case 'notification':
        return this.#options.onNotification?.(message.notification);
      case 'status':
        return this.#applyStatus(message.status, message.logFile);
    }
  }

  #applyStatus(status: ServiceStatus, logFile: string): void {
    if (status.phase === 'port-taken' && status.portOwner.kind === 'ours' && this.#attaches) {
      this.#options.log.info(`Attaching to the lab manager that runs at ${status.portOwner.url}`);
      return this.start({ kind: 'attach', url: status.portOwner.url });
    }
    // Any definite status ends the record of an earlier crash.
    const lastCrash = status.phase === 'starting' || status.phase === 'stopped' ? this.#state.lastCrash : null;
    this.#change({ status, logFile, lastCrash });
  }

  #change(changes: Partial<ServiceState>): void {
    const next = { ...this.#state, ...changes };
    const isFailed = next.status.phase === 'failed' || next.lastCrash?.isCrashingRepeatedly === true;
    this.#state = { ...next, failedSince: isFailed ? (next.failedSince ?? clock.now()) : null };
    this.#options.onChange();
  }
}
