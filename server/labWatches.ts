/** All watches of a lab while the service runs: managers, nodes and workflows, the history, and the notifications. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { clock } from '../api/time/clock.ts';
import { commandRefusal } from '../api/lab/followedLab.ts';
import { getHostClock, type DatabaseStatus, type Delivery } from '../api/lab/lab.ts';
import type { MaintenanceWindows } from '../api/lab/maintenance.ts';
import type { ManagerKey } from '../api/managers.ts';
import type { HostZone } from '../api/time/time.ts';
import { ActiveWorkflows } from './activity/activeWorkflows.ts';
import { ActivityWatch, type NodesListener } from './activity/activityWatch.ts';
import { ManagerZones } from './activity/managerZones.ts';
import { SafetyStopWatch } from './activity/safetyStopWatch.ts';
import { CommandLog } from './commandLog/commandLog.ts';
import { Database } from './database/database.ts';
import { getLabIdentity } from './database/sameLab.ts';
import { ServerIdentity } from './database/serverIdentity.ts';
import { Fleet } from './fleet/fleet.ts';
import { LabSummaries } from './fleet/labSummary.ts';
import { Watch, type WatchConfig } from './health/watch.ts';
import { HistoryRecorder } from './history/recorder.ts';
import type { Log } from './logging/log.ts';
import { listWindows } from './maintenance/entries.ts';
import { LabMetrics } from './metrics/labMetrics.ts';
import { MaintenanceList } from './maintenance/maintenanceFile.ts';
import { Notifier } from './notifications/notifier.ts';
import type { DeliveryResult, Notification } from './channels/channel.ts';
import { RelayedCommands, type RecordRelayed } from './relay/relayedCommands.ts';
import { SafetyStops } from './safetyStop/safetyStops.ts';
import type { StopSender } from './safetyStop/stopStore.ts';
import { readKnownNodes } from './activity/knownNodes.ts';
import { ServerRole } from './standby/serverRole.ts';
import type { LabSettings } from './settings/schema/types.ts';

/** The watch configuration without the parts that `LabWatches` itself provides. */
type LabConfig = Omit<
  WatchConfig,
  'activity' | 'maintenance' | 'safetyStop' | 'stopInEffect' | 'stopsRead' | 'timeZone' | 'standby' | 'database'
>;

export interface LabWatchesOptions {
  /** The version of this program. */
  readonly version: string;
  readonly config: LabConfig;
  readonly settings: () => LabSettings;
  /** Folder of the persistent state; `null` for a lab without stored state, such as a simulated one. */
  readonly stateDir: string | null;
  readonly onNotification: (notification: Notification) => void;
  readonly onNodes?: NodesListener | undefined;
  /** The current and the planned maintenance windows at the followed lab manager. */
  readonly followedMaintenance?: () => MaintenanceWindows | undefined;
  readonly log: Log;
}

export class LabWatches {
  readonly watch: Watch;
  readonly history: HistoryRecorder;
  readonly maintenance: MaintenanceList;
  readonly metrics: LabMetrics;
  readonly summaries: LabSummaries;
  readonly fleet: Fleet;
  readonly #activity: ActivityWatch;
  readonly #workflows: ActiveWorkflows;
  readonly #stopLog: SafetyStopWatch;
  readonly safetyStops: SafetyStops;
  /** The stops as last observed, as JSON. */
  #stopsText = '';
  readonly #zones: ManagerZones;
  /** Stops after the watches, in `stopRecording`. */
  readonly #relayedCommands: RelayedCommands;
  /** Sends the records of relayed commands and those of the command line; `null` if no state is stored. */
  #commandLog: CommandLog | null = null;
  readonly #options: LabWatchesOptions;
  /** `LAB_DATABASE_URL` at the start. */
  readonly databaseUrl: string | null;
  readonly #role: ServerRole;
  /** The database that two servers share; `null` without one. */
  #database: Database | null = null;
  #notifier: Notifier | null = null;

  constructor(options: LabWatchesOptions) {
    const { config, settings, version, log } = options;
    this.#options = options;
    this.databaseUrl = settings().databaseUrl;
    const intervalMs = () => settings().watchInterval * 1000;
    const workcell = () => this.watch.getAddress('workcell');
    this.watch = new Watch(this.#completeConfig(config), { log: log.scope('watch') });
    this.#activity = this.#createActivityWatch(workcell, intervalMs);
    const hostClock = () => getHostClock(this.watch.status(), 'workcell');
    this.#workflows = new ActiveWorkflows({ workcell, intervalMs, hostClock });
    this.metrics = new LabMetrics({ watch: this.watch, activity: this.#activity, workflows: this.#workflows, version });
    this.#stopLog = new SafetyStopWatch({
      eventManager: () => this.watch.getAddress('event'),
      lab: () => ({ workcell: workcell(), nodeNames: this.safetyStops.nodeNames }),
      flags: () => this.#activity.flags(),
      intervalMs,
      onRead: () => this.#observeStops(),
      log: log.scope('safety stop'),
    });
    this.safetyStops = this.#createSafetyStops();
    this.#zones = new ManagerZones({
      getAddress: (manager) => this.watch.getAddress(manager),
      isReachable: (manager) => this.watch.isReachable(manager),
      configuredZone: (manager) => configuredZone(settings(), manager),
      intervalMs,
      onChange: () => this.watch.notify(),
      log: log.scope('time zones'),
    });
    const record: RecordRelayed = (fields, description, sender) =>
      this.#commandLog?.record({ ...fields, application: 'relay' }, description, undefined, sender) ?? '';
    this.#relayedCommands = new RelayedCommands(record);
    this.#role = new ServerRole({ settings, onChange: () => this.watch.notify(), log: log.scope('two servers') });
    this.fleet = new Fleet(log.scope('fleet'));
    this.maintenance = new MaintenanceList(() => this.watch.notify(), log.scope('maintenance'));
    this.history = new HistoryRecorder(this.watch, () => this.#activity.nodeSnapshot(), log.scope('history'));
    this.summaries = new LabSummaries({
      watch: this.watch,
      history: this.history,
      activity: this.#activity,
      workflows: this.#workflows,
      safetyStops: this.#stopLog,
      version,
    });
  }

  /** @param port the listening port, which names the state files, so that only its owner writes them */
  async start(port: number): Promise<void> {
    const { settings, onNotification, version, log } = this.#options;
    const path = (name: string) => this.#statePath(name, port);
    // First: a stop that is sent now needs the nodes of the file.
    this.#commandLog = new CommandLog({
      folder: path('commands'),
      eventManager: () => this.watch.getAddress('event'),
      clock: () => getHostClock(this.watch.status(), 'event'),
      log: log.scope('commands'),
    });
    this.#commandLog.start();
    await this.safetyStops.start(path('safety-stop.json'));
    await this.maintenance.start(path('maintenance.json'));
    this.#database = await this.#connectDatabase(port);
    const isActive = () => this.#role.standbyReason === null;
    const maxAgeDays = () => settings().databaseRetentionDays;
    const sharing = this.#database && { database: this.#database, isActive, maxAgeDays };
    await this.history.start(path('history.jsonl'), version, sharing);
    this.watch.restore(this.history.restoredState());
    this.#role.start();
    this.watch.start();
    this.#activity.start();
    this.#workflows.start();
    this.metrics.start();
    this.#stopLog.start();
    this.#zones.start();
    this.fleet.configure(settings().fleet);
    this.#notifier = new Notifier({
      watch: this.watch,
      activity: this.#activity,
      settings,
      version,
      path: path('notifications.json'),
      watchedUntil: this.history.previousRunEnd,
      onNotification,
      isOnStandby: () => this.#role.standbyReason !== null,
      database: this.#database,
      onDelivery: (isOk) => this.metrics.countDelivery(isOk),
      log: log.scope('notify'),
    });
    await this.#notifier.start();
  }

  async stop(): Promise<void> {
    await this.#notifier?.stop();
    this.#notifier = null;
    this.#role.stop();
    this.#activity.stop();
    this.#workflows.stop();
    this.metrics.stop();
    this.#stopLog.stop();
    this.#zones.stop();
    this.fleet.stop();
    await this.history.stop();
    await this.#database?.stop();
    this.#database = null;
    await this.maintenance.stop();
    this.watch.stop();
  }

  /** Call this when no request is pending: commands that were relayed until then are recorded. */
  async stopRecording(): Promise<void> {
    await this.safetyStops.stop();
    await this.#relayedCommands.stop();
    await this.#commandLog?.stop();
    this.#commandLog = null;
  }

  /** The parts that the routes of the service use. */
  get parts() {
    const { watch, history, metrics, summaries, fleet, safetyStops } = this;
    return {
      watch,
      history,
      metrics,
      summaries,
      fleet,
      safetyStops,
      relayedCommands: this.#relayedCommands,
      commandRefusal: () => commandRefusal(watch.status().followed),
    };
  }

  #observeStops(): void {
    const { safetyStops } = this;
    safetyStops.observe();
    const text = JSON.stringify([this.#stopLog.isRead, safetyStops.current, safetyStops.acknowledged]);
    if (this.#stopsText !== '' && text !== this.#stopsText) this.watch.notify();
    this.#stopsText = text;
  }

  #createActivityWatch(workcell: () => string | null, intervalMs: () => number): ActivityWatch {
    const { onNodes, log } = this.#options;
    return new ActivityWatch({
      workcell,
      intervalMs,
      onChange: () => this.watch.notify(),
      onNodes: (address, body) => {
        const nodes = readKnownNodes(address, body);
        if (nodes !== null) this.safetyStops.setNodes(nodes);
        onNodes?.(address, body);
      },
      onRead: () => this.#observeStops(),
      onEnded: (ended) => this.metrics.countEnded(ended),
      timeZone: () => this.#zones.zoneFor('workcell'),
      runningSteps: () => this.#workflows.runningSteps(),
      waitingCounts: () => this.#workflows.waitingCounts(),
      stateSinceBeforeRestart: (name, state) => this.history.getNodeStateStart(name, state),
      log: log.scope('activity'),
    });
  }

  #createSafetyStops(): SafetyStops {
    return new SafetyStops({
      workcell: () => this.watch.getAddress('workcell'),
      flags: () => this.#activity.flags(),
      states: () => this.#activity.nodeSnapshot().nodes,
      readLog: (ms) => this.#stopLog.readWithin(ms),
      loggedStop: (ended) => this.#stopLog.stopInEffect(ended),
      isAcknowledgedInLog: (id) => this.#stopLog.isAcknowledged(id),
      undoneStop: () => this.#stopLog.undoneStop,
      releasedInLog: (id) => this.#stopLog.releasedAt(id),
      record: ({ fields, title }, { application, ...sender }: StopSender) =>
        this.#commandLog?.record({ ...fields, application }, title, undefined, sender) ?? '',
      onChange: () => this.watch.notify(),
      onReading: (name, now) => this.#activity.applyState(name, now),
      log: this.#options.log.scope('safety stop'),
    });
  }

  /** Records the result of a test message to a webhook. */
  recordTestResult(address: string, result: DeliveryResult): void {
    this.#notifier?.recordTestResult(address, result);
  }

  /** The delivery status of the notifications to each receiver. */
  deliveries(): readonly Delivery[] {
    return this.#notifier?.deliveries() ?? [];
  }

  configure(config: LabConfig): void {
    this.watch.configure(this.#completeConfig(config));
    this.#role.configure();
    this.fleet.configure(this.#options.settings().fleet);
  }

  /** Returns `null` without `LAB_DATABASE_URL`, and for a simulated or followed lab, whose history is not stored. */
  async #connectDatabase(port: number): Promise<Database | null> {
    const log = this.#options.log.scope('database');
    const path = this.#statePath('server.json', port);
    if (this.databaseUrl === null || path === null) return null;
    const database: Database = new Database({
      url: this.databaseUrl,
      identity: await ServerIdentity.load(path, log),
      name: `${hostname()}:${port}`,
      lab: () => getLabIdentity(this.#options.settings()),
      isCandidate: () => this.#role.hasAddress,
      isActing: () => this.#role.standbyReason === null,
      onChange: () => {
        this.#role.check();
        this.watch.notify();
      },
      log,
    });
    this.#role.useDatabase(database);
    return database;
  }

  #databaseStatus(): DatabaseStatus | null {
    if (this.#database === null) return null;
    const { problem } = this.#database;
    const reportedProblem = problem && { reason: problem.reason, since: new Date(problem.since).toISOString() };
    return { problem: reportedProblem, waiting: this.history.pendingCount };
  }

  #completeConfig(config: LabConfig): WatchConfig {
    const { followedMaintenance } = this.#options;
    return {
      ...config,
      maintenance: () => listWindows(this.maintenance.state, clock.now(), followedMaintenance?.()),
      activity: () => this.#workflows.withBlocked(this.#activity.status()),
      safetyStop: () => this.safetyStops.current,
      stopInEffect: () => this.safetyStops.acknowledged,
      stopsRead: () => this.#stopLog.isRead,
      timeZone: (manager) => this.#zones.zoneFor(manager),
      standby: () => this.#role.standbyReason,
      database: () => this.#databaseStatus(),
    };
  }

  #statePath(name: string, port: number): string | null {
    const { stateDir } = this.#options;
    return stateDir === null ? null : statePath(stateDir, name, port);
  }
}

/** The configured time zone of a manager's host. */
function configuredZone(settings: LabSettings, manager: ManagerKey): HostZone | null {
  const zones: Readonly<Record<ManagerKey, HostZone | null>> = {
    event: settings.eventTimeZone,
    experiment: settings.experimentTimeZone,
    data: settings.dataTimeZone,
    workcell: settings.workcellTimeZone,
    location: settings.locationTimeZone,
    resource: null,
  };
  return zones[manager] ?? settings.timeZone;
}

/** `history-8000.jsonl`, `commands-8000`: each lab manager of this user has separate files. */
export function statePath(stateDir: string, name: string, port: number): string {
  return join(stateDir, name.replace(/(?=\.|$)/, `-${port}`));
}
