/** All watches of a lab while the service runs: managers, nodes and workflows, the history, and the notifications. */
import type { Signal } from '@preact/signals-core';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ManagerZones } from './readers/managerZones.ts';
import { SafetyStopWatch } from './readers/safetyStopWatch.ts';
import { WorkcellReader } from './readers/workcellReader.ts';
import { CommandLog, type CommandSender } from './commandLog/commandLog.ts';
import { Database } from './database/database.ts';
import { ServerIdentity } from './database/serverIdentity.ts';
import { Fleet } from './fleet/fleet.ts';
import { LabSummaries } from './fleet/labSummary.ts';
import { Watch } from './health/watch.ts';
import { HistoryRecorder } from './history/recorder.ts';
import type { LabModel } from './lab/labModel.ts';
import type { Log } from './logging/log.ts';
import { LabMetrics } from './metrics/labMetrics.ts';
import { MaintenanceList } from './maintenance/maintenanceFile.ts';
import { Notifier } from './notifications/notifier.ts';
import type { Notification } from './channels/channel.ts';
import { RelayedCommands } from './relay/relayedCommands.ts';
import { SafetyStops } from './safetyStop/safetyStops.ts';
import { ServerRole } from './standby/serverRole.ts';

export interface LabWatchesOptions {
  /** The version of this program. */
  readonly version: string;
  readonly lab: LabModel;
  /** Folder of the persistent state; `null` for a lab without stored state, such as a simulated one. */
  readonly stateDir: string | null;
  /** Receives each notification for the desktop. */
  readonly lastNotification: Signal<Notification | null>;
  readonly log: Log;
}

export class LabWatches {
  readonly lab: LabModel;
  readonly watch: Watch;
  readonly history: HistoryRecorder;
  readonly maintenance: MaintenanceList;
  readonly metrics: LabMetrics;
  readonly summaries: LabSummaries;
  readonly fleet: Fleet;
  readonly #workcell: WorkcellReader;
  readonly #stopLog: SafetyStopWatch;
  readonly safetyStops: SafetyStops;
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
  /** `null` before the start. */
  notifier: Notifier | null = null;
  readonly #subscriptions: (() => void)[] = [];

  constructor(options: LabWatchesOptions) {
    const { lab, version, log } = options;
    this.#options = options;
    this.lab = lab;
    this.databaseUrl = lab.settings.value.databaseUrl;
    this.watch = new Watch(lab, { log: log.scope('watch') });
    this.history = new HistoryRecorder(lab, log.scope('history'));
    this.#workcell = new WorkcellReader(lab, {
      stateSinceBeforeRestart: (name, state) => this.history.getNodeStateStart(name, state),
      log: log.scope('activity'),
    });
    this.metrics = new LabMetrics(lab, this.#workcell, version);
    this.#stopLog = new SafetyStopWatch(lab, log.scope('safety stop'));
    const record = (fields: Parameters<CommandLog['record']>[0], description: string, sender: CommandSender): string =>
      this.#commandLog?.record(fields, description, undefined, sender) ?? '';
    this.safetyStops = new SafetyStops({
      lab,
      stopLog: this.#stopLog,
      record: ({ fields, title }, { application, ...sender }) => record({ ...fields, application }, title, sender),
      workcell: this.#workcell,
      log: log.scope('safety stop'),
    });
    this.#zones = new ManagerZones(lab, { log: log.scope('time zones') });
    this.#relayedCommands = new RelayedCommands((fields, ...rest) =>
      record({ ...fields, application: 'relay' }, ...rest),
    );
    this.#role = new ServerRole({ lab, log: log.scope('two servers') });
    this.fleet = new Fleet(log.scope('fleet'));
    this.maintenance = new MaintenanceList(lab.maintenance, log.scope('maintenance'));
    this.summaries = new LabSummaries({
      lab,
      history: this.history,
      workflows: this.#workcell,
      safetyStops: this.#stopLog,
      version,
    });
  }

  /** @param port the listening port, which names the state files, so that only its owner writes them */
  async start(port: number): Promise<void> {
    const { lab, lastNotification, version, log } = this.#options;
    const path = (name: string) => this.#statePath(name, port);
    // First: a stop that is sent now needs the nodes of the file.
    this.#commandLog = new CommandLog({
      folder: path('commands'),
      eventManager: () => lab.address('event'),
      clock: () => lab.hostClock('event'),
      log: log.scope('commands'),
    });
    this.#commandLog.start();
    await this.safetyStops.start(path('safety-stop.json'));
    await this.maintenance.start(path('maintenance.json'));
    const database = (this.#database = await this.#connectDatabase(port));
    if (database !== null)
      this.#subscriptions.push(
        database.state.subscribe(() => {
          this.#role.check();
          this.#publishDatabase();
        }),
      );
    await this.history.start(path('history.jsonl'), version, this.#database);
    this.watch.restore(this.history.restoredState());
    this.#role.start();
    lab.start();
    this.#subscriptions.push(
      lab.settings.subscribe(({ fleet }) => this.fleet.configure(fleet)),
      lab.tick.subscribe(() => this.#publishDatabase()),
    );
    this.watch.start();
    this.#workcell.start();
    this.metrics.start();
    this.#stopLog.start();
    this.#zones.start();
    this.notifier = new Notifier({
      lab,
      version,
      path: path('notifications.json'),
      watchedUntil: this.history.previousRunEnd,
      last: lastNotification,
      database: this.#database,
      metrics: this.metrics,
      log: log.scope('notify'),
    });
    await this.notifier.start();
  }

  async stop(): Promise<void> {
    await this.notifier?.stop();
    this.notifier = null;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.lab.stop();
    this.#role.stop();
    this.#workcell.stop();
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
    const { lab, watch, history, metrics, summaries, fleet, safetyStops } = this;
    return {
      lab,
      watch,
      history,
      metrics,
      summaries,
      fleet,
      safetyStops,
      relayedCommands: this.#relayedCommands,
    };
  }

  /** Returns `null` without `LAB_DATABASE_URL`, and for a simulated or followed lab, whose history is not stored. */
  async #connectDatabase(port: number): Promise<Database | null> {
    const log = this.#options.log.scope('database');
    const path = this.#statePath('server.json', port);
    if (this.databaseUrl === null || path === null) return null;
    const database = new Database({
      url: this.databaseUrl,
      identity: await ServerIdentity.load(path, log),
      name: `${hostname()}:${port}`,
      lab: this.lab,
      log,
    });
    this.#role.useDatabase(database);
    return database;
  }

  #publishDatabase(): void {
    if (this.#database === null) return;
    const { problem } = this.#database;
    const reportedProblem = problem && { reason: problem.reason, since: new Date(problem.since).toISOString() };
    this.lab.database.value = { problem: reportedProblem, waiting: this.history.pendingCount };
  }

  #statePath(name: string, port: number): string | null {
    const { stateDir } = this.#options;
    return stateDir === null ? null : statePath(stateDir, name, port);
  }
}

/** `history-8000.jsonl`, `commands-8000`: each lab manager of this user has separate files. */
export function statePath(stateDir: string, name: string, port: number): string {
  return join(stateDir, name.replace(/(?=\.|$)/, `-${port}`));
}
