/**
 * Desktop notifications for a lab that another process of this machine watches, whose service has no screen. They use
 * only the status that is read anyway.
 */
import { clock } from '../../api/time/clock.ts';
import type { LabStatus, NodeActivity } from '../../api/lab/lab.ts';
import { LabNotificationTracker, type NotifyChoices } from './labNotificationTracker.ts';
import type { Notification } from '../channels/channel.ts';

/** Interval of the checks for states that have lasted long enough to be reported, in ms. */
const checkIntervalMs = 2000;
/** The status is read every 5 s; above this age, in ms, it is ignored. */
const maxStatusAgeMs = 12_000;

export class AttachedLabNotifier {
  readonly #tracker = new LabNotificationTracker();
  readonly #choices: () => NotifyChoices;
  readonly #onNotification: (notification: Notification) => void;
  readonly #timer: NodeJS.Timeout;
  /** Nodes that once needed attention; the status contains only the number of the other nodes. */
  readonly #nodes = new Map<string, NodeActivity>();
  #hasNodes = false;
  #isOnStandby = false;
  /**
   * Time of the last reading in ms: by the monotonic clock, which stops during sleep, and by the wall clock, which a person
   * may set.
   */
  #readAt = { monotonic: 0, wall: 0 };

  constructor(choices: () => NotifyChoices, onNotification: (notification: Notification) => void) {
    this.#choices = choices;
    this.#onNotification = onNotification;
    this.#timer = clock.setInterval(() => this.#sendDue(clock.monotonic()), checkIntervalMs);
  }

  stop(): void {
    clock.clearInterval(this.#timer);
  }

  /** @param now in ms of the monotonic clock */
  handleStatus(status: LabStatus, now = clock.monotonic()): void {
    this.#readAt = { monotonic: now, wall: clock.now() };
    this.#isOnStandby = status.standby !== undefined;
    const inNeed = status.activity?.nodes?.in_need ?? null;
    if (inNeed !== null) {
      const names = new Set(inNeed.map(({ name }) => name));
      for (const [name, node] of this.#nodes)
        if (!names.has(name) && node.state !== 'ready') this.#nodes.set(name, asReady(node));
      // First the state between the readings: a node listed for the first time was healthy at the previous reading.
      for (const node of inNeed)
        if (this.#hasNodes && !this.#nodes.has(node.name)) this.#nodes.set(node.name, asReady(node));
      if (this.#hasNodes) this.#observe(status, true, now);
      for (const node of inNeed) this.#nodes.set(node.name, node);
      this.#hasNodes = true;
    }
    this.#observe(status, inNeed !== null, now);
    this.#sendDue(now);
  }

  #observe(status: LabStatus, isRecent: boolean, now: number): void {
    this.#tracker.observe(status, [...this.#nodes.values()], isRecent, now);
  }

  #sendDue(now: number): void {
    // Ignore a status from before a sleep, or while the other process does not respond.
    const { monotonic, wall } = this.#readAt;
    if (Math.max(now - monotonic, clock.now() - wall) > maxStatusAgeMs) return;
    // On standby, the other one of two servers notifies.
    for (const notification of this.#tracker.due(now, this.#choices()))
      if (!this.#isOnStandby) this.#onNotification(notification);
  }
}

/** The state of a node that the status does not list any more, or not yet. */
function asReady({ name }: NodeActivity): NodeActivity {
  return { name, state: 'ready', reason: null, since: new Date(clock.now()).toISOString() };
}
