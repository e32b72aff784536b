/** The one running lab manager of a service process, in any mode, and the handling of the shell's messages. */
import { randomBytes } from 'node:crypto';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { AccountsReply, AccountsRequest } from '../access/accountMessages.ts';
import { AttachedReader } from '../attached/attach.ts';
import { OwnSettings } from '../attached/ownSettings.ts';
import { AttachedLabNotifier } from '../notifications/attachedLabNotifier.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import { testAddress } from '../health/addressTest.ts';
import type { AppDetails } from '../diagnostics/checks/check.ts';
import type { ContextOptions } from '../diagnostics/checks/context.ts';
import { DiagnosticsSession, runCheckAlone } from '../diagnostics/diagnose.ts';
import { handleAccountsRequest } from './accountRequests.ts';
import { NearbyLabsReader } from '../discovery/nearbyLabs.ts';
import { WatchedLabs } from '../fleet/watchedLabs.ts';
import { demoOptions } from './demo.ts';
import { findInstallation } from '../storage/installation.ts';
import { TaskQueue } from '../concurrency/taskQueue.ts';
import { LabManager } from '../labManager.ts';
import { deferredLog, silentLog, type Log } from '../logging/log.ts';
import { openLog, type FileLog } from '../logging/logFile.ts';
import type { Reply, ServiceMessage, ShellMessage } from './messages.ts';
import { readDeliveries, testNotifications } from './notificationRequests.ts';
import type { MaintenanceChange } from '../maintenance/entries.ts';
import { readKnownNodes, nodesRequest, nodesWarning, type KnownNodes } from '../lab/knownNodes.ts';
import { ManagerReader } from '../readers/managerReader.ts';
import { saveSettings } from '../settings/edit/save.ts';
import { SettingsEditSession } from '../settings/edit/settingsEditSession.ts';
import type { SettingsInputs } from '../settings/schema/types.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { ServiceStatus } from '../status.ts';
import type { DiagnosticsList } from '../../api/diagnostics.ts';

type Start = Extract<ShellMessage, { type: 'start' }>;

/** Minimum interval of lab updates to the shell, in milliseconds. */
const minLabUpdateMs = 100;
/** Clients with requests within this time count as recent, in milliseconds. */
const recentRequestMs = 10 * 60_000;

export class ServiceHost {
  readonly #send: (message: ServiceMessage) => void;
  readonly #quit: () => void;
  /** The latest requested start: an older one that is still queued is dropped. */
  #start: Start | null = null;
  #fileLog: FileLog | null = null;
  #manager: LabManager | null = null;
  #attachment: AttachedReader | null = null;
  /** The last logged message about the list of nodes. */
  #nodesWarning = '';
  #notifier: AttachedLabNotifier | null = null;
  #nodes: ManagerReader | null = null;
  #labTimer: NodeJS.Timeout | null = null;
  #lab: LabModel | null = null;
  readonly #diagnostics = new DiagnosticsSession();
  readonly #settings = new SettingsEditSession();
  /** Serialises start, restart and stop. */
  readonly #queue = new TaskQueue();

  /** @param quit ends the process after everything is stopped */
  constructor(send: (message: ServiceMessage) => void, quit: () => void) {
    this.#send = send;
    this.#quit = quit;
  }

  /** The log of the process; lines before the file is opened are dropped. */
  readonly log: Log = deferredLog(() => this.#fileLog?.log ?? silentLog);
  readonly #otherLabs = new WatchedLabs(this.log.scope('other labs'), (labs) => {
    if (this.#start !== null) this.#send({ type: 'other-labs', run: this.#start.run, labs });
  });
  readonly #nearby = new NearbyLabsReader(this.log.scope('mdns'));

  /** Handles a message; resolves when it is done. Never rejects. */
  async handle(message: ShellMessage): Promise<void> {
    switch (message.type) {
      case 'start':
        this.#start = message;
        return this.#enqueue(async () => {
          if (this.#start === message) await this.#startManager(message);
        });
      case 'quit':
        this.#start = null;
        this.#otherLabs.stop();
        return this.#enqueue(async () => {
          await this.#stopManager();
          this.#quit();
        });
      case 'restart':
        return this.#enqueue(async () => void (await this.#manager?.restart()));
      case 'ping':
        return this.#send({ type: 'pong' });
      case 'check-now':
        void this.#attachment?.readNow();
        return this.#manager?.watches?.watch.checkNow();
      case 'confirm-machine':
        return this.#manager?.confirmMachine();
      case 'suspend':
        return this.#manager?.watches?.watch.suspend();
      case 'resume':
        void this.#attachment?.readNow();
        return this.#manager?.watches?.watch.resume();
      case 'test-address':
        return this.#reply(message.id, testAddress(message.manager, message.url));
      case 'watch-labs':
        return this.#otherLabs.configure(message.labs);
      case 'nearby-labs':
        return this.#replyWith(message.id, (inputs) => this.#nearby.read(inputs, this.#ownPort));
      case 'recent-visitors':
        return this.#reply(message.id, Promise.resolve(this.#recentClients()));
      case 'write-settings':
        return this.#replyWith(message.id, (inputs) => saveSettings(inputs, message.changes));
      case 'set-maintenance':
        return this.#reply(message.id, this.#setMaintenance(message.change));
      case 'test-notifications':
        return this.#replyWith(message.id, (inputs) => testNotifications(inputs, this.#manager));
      case 'deliveries':
        return this.#reply(message.id, readDeliveries(this.#start?.mode ?? null, this.#manager));
      case 'settings':
        return this.#replyWith(message.id, (inputs) => this.#settings.handle(inputs, message.request));
      case 'accounts':
        return this.#reply(message.id, this.#handleAccounts(message.request));
      case 'collect-diagnostics':
        return this.#reply(message.id, this.#collectDiagnostics(message.app));
      case 'run-check':
        return this.#reply(
          message.id,
          runCheckAlone(this.#diagnosticsOptions(message.app), message.check, message.fix),
        );
      case 'save-diagnostics':
        return this.#reply(message.id, this.#diagnostics.save(message.path));
    }
  }

  /** Stops serving, overriding earlier requests. */
  async stop(): Promise<void> {
    this.#start = null;
    this.#otherLabs.stop();
    await this.#enqueue(() => this.#stopManager());
  }

  async #startManager(start: Start): Promise<void> {
    await this.#stopManager();
    this.#fileLog ??= openLog(start.logDir, false);
    this.#otherLabs.configure(start.labs ?? []);
    if (start.mode.kind === 'attach') return this.#attach(start, start.mode.url);
    const installation = findInstallation(import.meta.dirname);
    const manager = new LabManager({
      inputs: start.inputs,
      version: installation.version,
      bundled: installation,
      log: this.#fileLog.log,
      onLogSettings: (settings) => this.#fileLog?.configure(settings),
      ...(start.mode.kind === 'serve' ? { appKey: this.#newAppKey(start) } : {}),
      ...(start.mode.kind === 'follow' ? { follow: start.mode.url, listen: { host: '127.0.0.1', port: 0 } } : {}),
      ...(start.mode.kind === 'demo' ? await demoOptions(start.mode.addresses, start.mode.besidesLab) : {}),
    });
    this.#manager = manager;
    manager.onStatus((status) => {
      this.#sendStatus(start, status);
      if (status.phase === 'running') this.#watchLab(start, manager);
    });
    manager.lastNotification.subscribe((notification) => {
      if (notification !== null) this.#send({ type: 'notification', run: start.run, notification });
    });
    await manager.start();
  }

  async #stopManager(): Promise<void> {
    clock.clearTimeout(this.#labTimer);
    this.#labTimer = null;
    this.#nodes?.stop();
    this.#nodes = null;
    this.#attachment?.stop();
    this.#attachment = null;
    this.#notifier?.stop();
    this.#notifier = null;
    const stopped = this.#manager?.stop();
    this.#manager = null;
    await Promise.all([this.#nearby.stop(), stopped]);
  }

  /** A key that exists only in the memory of this process and of the app. */
  #newAppKey({ run }: Start): string {
    const key = randomBytes(32).toString('base64url');
    this.#send({ type: 'app-key', run, key });
    return key;
  }

  #attach(start: Start, url: string): void {
    let workcell: string | null = null;
    let lastStatus: Extract<ServiceStatus, { phase: 'attached' }> | null = null;
    const own = new OwnSettings(start.inputs);
    const notifier = new AttachedLabNotifier(
      () => own.notifyChoices,
      (notification) => this.#send({ type: 'notification', run: start.run, notification }),
    );
    this.#notifier = notifier;
    const attachment = (this.#attachment = new AttachedReader(url, this.log.scope('attach')));
    attachment.lab.subscribe((response) => {
      if (response === null) return;
      const { lab, owner, ...service } = response;
      own.read();
      workcell = lab.managers.find(({ manager }) => manager === 'workcell')?.url ?? null;
      const otherOwner = own.compare(owner);
      lastStatus = { phase: 'attached', url, ...service, labName: lab.lab_name, otherOwner, lost: null };
      this.#sendStatus(start, lastStatus);
      this.#sendLab(start, lab);
      notifier.handleStatus(lab);
    });
    attachment.lost.subscribe((lost) => {
      if (lost === null) return;
      const unread = { version: '', hasDashboard: false, labName: null, otherOwner: null };
      lastStatus ??= { phase: 'attached', url, ...unread, lost };
      this.#sendStatus(start, { ...lastStatus, lost });
    });
    void attachment.start();
    // The other process watches the nodes, but does not report their addresses.
    this.#nodes = new ManagerReader({
      address: () => workcell,
      next: () => nodesRequest,
      onResult: (result, from) => result.ok && this.#reportNodes(start, from, readKnownNodes(from, result.body)),
    });
    this.#nodes.startIn(0);
  }

  /** Sends the nodes to the shell, so that its safety stop has them in advance. */
  #reportNodes(start: Start, workcell: string, nodes: KnownNodes | null): boolean {
    const warning = nodesWarning(workcell, nodes);
    // Logged once per change: the nodes are read several times a minute.
    if (warning !== '' && warning !== this.#nodesWarning) this.log.scope('nodes').warn(warning);
    this.#nodesWarning = warning;
    if (nodes !== null) this.#send({ type: 'nodes', run: start.run, nodes });
    return nodes !== null;
  }

  /** Sends the lab's state soon after each change, and each list of nodes. */
  #watchLab(start: Start, manager: LabManager): void {
    const { lab } = manager;
    if (!lab) return;
    this.#sendLab(start, lab.currentStatus());
    if (lab === this.#lab) return;
    this.#lab = lab;
    lab.status.subscribe(() => {
      if (this.#manager !== manager) return;
      this.#labTimer ??= clock.setTimeout(() => {
        this.#labTimer = null;
        this.#sendLab(start, lab.currentStatus());
      }, minLabUpdateMs);
    });
    lab.nodesResponse.subscribe((response) => {
      if (this.#manager === manager && response) this.#reportNodes(start, response.workcell, response.known);
    });
  }

  #sendLab(start: Start, lab: LabStatus): void {
    this.#send({ type: 'lab', run: start.run, lab });
  }

  #sendStatus(start: Start, status: ServiceStatus): void {
    this.#send({ type: 'status', run: start.run, status, logFile: this.#fileLog?.path ?? '' });
  }

  #recentClients(): readonly string[] {
    return this.#manager?.recentClients.listAddressesSince(clock.now() - recentRequestMs) ?? [];
  }

  async #handleAccounts(request: AccountsRequest): Promise<AccountsReply> {
    const status = this.#manager?.status;
    const isOwnLab = status?.phase === 'running' && this.#start?.mode.kind === 'serve';
    const log = this.log.scope('access');
    return handleAccountsRequest({ inputs: this.#inputs(), port: isOwnLab ? status.port : null, log }, request);
  }

  /** Replies with the result of work that needs the inputs of the current start. */
  #replyWith(id: number, work: (inputs: SettingsInputs) => Promise<unknown>): Promise<void> {
    return this.#reply(
      id,
      Promise.resolve().then(() => work(this.#inputs())),
    );
  }

  /** The port of this machine's lab manager while its lab is shown. */
  get #ownPort(): number | null {
    const { mode } = this.#start ?? {};
    if (mode?.kind === 'attach') return Number(new URL(mode.url).port);
    const status = this.#manager?.status;
    return status?.phase === 'running' && status.followedUrl === null ? status.port : null;
  }

  #inputs(): SettingsInputs {
    if (!this.#start) throw new Error('The service was not started yet');
    return this.#start.inputs;
  }

  async #setMaintenance(change: MaintenanceChange): Promise<void> {
    const maintenance = this.#manager?.watches?.maintenance ?? null;
    if (maintenance === null) throw new Error('The lab manager service doesn’t watch the lab now');
    return maintenance.change(change);
  }

  /** Collects the diagnostics of the lab that this process serves or is attached to. */
  async #collectDiagnostics(app: AppDetails): Promise<DiagnosticsList> {
    return this.#diagnostics.collect(this.#diagnosticsOptions(app));
  }

  #diagnosticsOptions(app: AppDetails): ContextOptions {
    if (!this.#start) throw new Error('The service was not started yet');
    const { inputs, logDir } = this.#start;
    const status = this.#manager?.status;
    const serving =
      status?.phase === 'running'
        ? { port: status.port, listensOnLoopbackOnly: status.demo || status.followedUrl !== null }
        : {};
    return { inputs, logDir, app, ...serving };
  }

  async #reply(id: number, work: Promise<unknown>): Promise<void> {
    const reply: Reply = await work.then(
      (value) => ({ ok: true as const, value }),
      (error: unknown) => ({ ok: false as const, error: errorText(error) }),
    );
    this.#send({ type: 'reply', id, reply });
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    return this.#queue.run(async () => {
      try {
        await step();
      } catch (error) {
        this.log.error(errorText(error));
        if (this.#start) this.#sendStatus(this.#start, { phase: 'failed', reason: errorText(error) });
      }
    });
  }
}
