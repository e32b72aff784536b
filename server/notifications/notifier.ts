/** Observes the lab's status, and delivers notifications to the desktop and to the configured addresses. */
import type { Signal } from '@preact/signals-core';
import { clock } from '../../api/time/clock.ts';
import { errorText } from '../../api/errorText.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { Log } from '../logging/log.ts';
import type { LabMetrics } from '../metrics/labMetrics.ts';
import type { Delivery } from '../../api/lab/lab.ts';
import { LabNotificationTracker } from './labNotificationTracker.ts';
import type { DeliveryResult, Notification } from '../channels/channel.ts';
import { NotificationsFile } from './notificationsFile.ts';
import { deliver } from '../channels/channels.ts';
import { DeliveryQueue } from './deliveryQueue.ts';
import type { Database } from '../database/database.ts';
import type { LabManagerReader } from '../attached/labManagerReader.ts';
import { createActiveServerReader, StateStartTimes } from './otherServer.ts';
import { SharedNotifications } from './sharedNotifications.ts';
import { listSubjects } from './subjects.ts';
import { getSendingLab } from './sendingLab.ts';

const checkIntervalMs = 2000;

export interface NotifierOptions {
  readonly lab: LabModel;
  /** The version of this program. */
  readonly version: string;
  /** Path of the file for pending messages and reported outages; `null` if nothing is stored. */
  readonly path: string | null;
  /** The time until which an earlier run watched the lab, in ms since the epoch; `null` if there was none. */
  readonly watchedUntil: number | null;
  /** Receives each notification for the desktop. */
  readonly last: Signal<Notification | null>;
  /** The database that both servers share. */
  readonly database?: Database | null;
  /** Counts each attempt to deliver a notification. */
  readonly metrics?: Pick<LabMetrics, 'countDelivery'>;
  readonly log: Log;
}

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #tracker = new LabNotificationTracker();
  readonly #file: NotificationsFile;
  readonly #queue: DeliveryQueue;
  #timer: NodeJS.Timeout | null = null;
  #unsubscribe: (() => void) | null = null;
  readonly #starts = new StateStartTimes();
  /** The active server, read while this one is on standby without a shared database. */
  #reader: LabManagerReader | null = null;
  readonly #shared: SharedNotifications | null;
  #isSwitching = false;
  /** Whether the earlier state is restored: before that, the tracker's empty state must not replace it in the database. */
  #isRestored = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
    const { version, path, metrics, log } = options;
    this.#file = new NotificationsFile(path, log);
    const send: typeof deliver = async (...args) => {
      const result = await deliver(...args);
      metrics?.countDelivery(result.ok);
      return result;
    };
    const onChange: SharedNotifications['queueChange'] = (messages, isDone) => {
      if (!this.#queue.isPaused) this.#shared?.queueChange(messages, isDone);
    };
    this.#queue = new DeliveryQueue(() => this.#deliverySettings(), version, this.#file, log, send, onChange);
    this.#shared = this.#createShared(options);
  }

  async start(): Promise<void> {
    const { waiting, deliveries, reported } = await this.#file.load();
    const { watchedUntil } = this.#options;
    const pauseMs = watchedUntil === null ? Number.POSITIVE_INFINITY : clock.now() - watchedUntil;
    this.#applyRole();
    this.#tracker.restore((await this.#shared?.reported()) ?? reported, clock.monotonic(), pauseMs);
    this.#isRestored = true;
    this.#queue.start(waiting, deliveries);
    // Observes the results that the watch may have already: without them the next outage would count as the initial state.
    this.#unsubscribe = this.#options.lab.status.subscribe(() => this.#observe(clock.monotonic()));
    this.#timer = clock.setInterval(() => this.#sendDue(clock.monotonic()), checkIntervalMs);
  }

  async stop(): Promise<void> {
    if (this.#timer) clock.clearInterval(this.#timer);
    this.#timer = null;
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#reader?.stop();
    await this.#queue.stop();
    this.#storeState(clock.monotonic());
    await this.#file.settled();
  }

  /** Records the result of a test message. */
  recordTestResult(address: string, result: DeliveryResult): void {
    this.#queue.recordResult(address, result);
  }

  /** The delivery status of each address. */
  deliveries(): readonly Delivery[] {
    return this.#queue.deliveries();
  }

  #observe(now: number): void {
    const { lab } = this.#options;
    const { nodes, isRecent } = lab.nodeSnapshot();
    this.#tracker.observe(lab.currentStatus(), nodes, isRecent, now, (subject) =>
      this.#starts.withSharedStart(subject),
    );
  }

  /** Sends the notifications that are due, also those that become due only by the duration of a state. */
  #sendDue(now: number): void {
    const { lab, last } = this.#options;
    this.#applyRole();
    this.#observe(now);
    const due = this.#tracker.due(now, lab.settings.value);
    if (!this.#queue.isPaused) for (const notification of due) last.value = notification;
    this.#queue.send(due);
    this.#storeState(now);
  }

  /**
   * Pauses or resumes the delivery. On standby, the policy continues to queue messages; those that the active server has
   * delivered are discarded, and the others are sent when this server becomes the active one.
   */
  #applyRole(): void {
    const isOnStandby = this.#options.lab.standby.value !== null;
    if (isOnStandby === this.#queue.isPaused || this.#isSwitching) return;
    // `#starts` keeps the times that were read, because they identify the ongoing incidents.
    this.#reader?.stop();
    if (!isOnStandby) return void this.#becomeActive();
    this.#queue.isPaused = true;
    if (this.#shared !== null) return;
    const { lab, log } = this.#options;
    this.#reader = createActiveServerReader({ lab, starts: this.#starts, queue: this.#queue, log });
    void this.#reader.start();
  }

  /** Sends the messages that the other server has not delivered, if they can be read. */
  async #becomeActive(): Promise<void> {
    this.#isSwitching = true;
    const addresses = this.#options.lab.settings.value.notifyWebhookUrl;
    try {
      this.#queue.adopt((await this.#shared?.pendingMessages(addresses)) ?? []);
    } catch (error) {
      this.#options.log.debug(`The notifications of the other server are unknown: ${errorText(error)}`);
    }
    this.#isSwitching = false;
    this.#queue.isPaused = false;
    this.#shared?.queueChange(this.#queue.waiting, false);
    this.#queue.release();
  }

  #createShared({ database, lab, log }: NotifierOptions): SharedNotifications | null {
    if (!database) return null;
    const outages = () => {
      const { nodes, isRecent } = lab.nodeSnapshot();
      const failing = listSubjects(lab.currentStatus(), nodes, isRecent).filter(({ isFailing }) => isFailing === true);
      return failing.map((subject) => this.#starts.withSharedStart(subject)).map(({ key, since }) => ({ key, since }));
    };
    return new SharedNotifications({
      database,
      state: () =>
        this.#queue.isPaused || !this.#isRestored
          ? null
          : { reported: this.#tracker.rememberedSubjects(clock.monotonic()), outages: outages() },
      queue: this.#queue,
      starts: this.#starts,
      log,
    });
  }

  /** Stores the state for the next run. */
  #storeState(now: number): void {
    const reported = this.#tracker.changedSubjects(now);
    if (reported !== null) this.#file.update({ reported });
  }

  #deliverySettings() {
    const { lab } = this.#options;
    const settings = lab.settings.value;
    return {
      addresses: settings.notifyWebhookUrl,
      format: settings.notifyFormat,
      areIdempotent: settings.notifyIdempotentReceivers,
      sender: getSendingLab(settings, lab.currentStatus()),
    };
  }
}
