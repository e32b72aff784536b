/**
 * Notifications on the desktop of a lab that another process of this machine watches: its service has no screen. The status
 * that is read anyway is all that is known.
 */
import type { LabStatus, NodeActivity } from '../../api/lab/lab.ts';
import { LabNotificationTracker, type NotifyChoices } from './labNotificationTracker.ts';
import type { Notification } from '../channels/channel.ts';

/** What must hold for a while becomes due without anything happening, in ms. */
const checkIntervalMs = 2000;
/** It is read every 5 s; what was read this long ago, in ms, says nothing. */
const oldMs = 12_000;

export class AttachedLabNotifier {
  readonly #tracker = new LabNotificationTracker();
  readonly #choices: () => NotifyChoices;
  readonly #onNotification: (notification: Notification) => void;
  readonly #timer: NodeJS.Timeout;
  /** Nodes that needed a person at some time: of the others the status has only how many there are. */
  readonly #nodes = new Map<string, NodeActivity>();
  #haveNodes = false;
  /** By the steady clock, which stands still in a sleep, and by the wall clock, which a person may set: in ms. */
  #readAt = { steady: 0, wall: 0 };

  constructor(choices: () => NotifyChoices, onNotification: (notification: Notification) => void) {
    this.#choices = choices;
    this.#onNotification = onNotification;
    this.#timer = setInterval(() => this.#sendDue(performance.now()), checkIntervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** @param now in ms of the steady clock */
  read(status: LabStatus, now = performance.now()): void {
    this.#readAt = { steady: now, wall: Date.now() };
    const inNeed = status.activity?.nodes?.in_need ?? null;
    if (inNeed !== null) {
      const names = new Set(inNeed.map(({ name }) => name));
      const isWell = (node: NodeActivity): NodeActivity => ({ ...node, state: 'ready', reason: null });
      for (const [name, node] of this.#nodes) if (!names.has(name)) this.#nodes.set(name, isWell(node));
      // One that is named for the first time was well at the reading before.
      for (const node of inNeed)
        if (this.#haveNodes && !this.#nodes.has(node.name)) this.#nodes.set(node.name, isWell(node));
      if (this.#haveNodes) this.#observe(status, true, now);
      for (const node of inNeed) this.#nodes.set(node.name, node);
      this.#haveNodes = true;
    }
    this.#observe(status, inNeed !== null, now);
    this.#sendDue(now);
  }

  #observe(status: LabStatus, areKnown: boolean, now: number): void {
    this.#tracker.observe(status, [...this.#nodes.values()], areKnown, now);
  }

  #sendDue(now: number): void {
    // Nothing is said of how it was before a sleep, or while the other process is silent.
    const { steady, wall } = this.#readAt;
    if (Math.max(now - steady, Date.now() - wall) > oldMs) return;
    for (const notification of this.#tracker.due(now, this.#choices())) this.#onNotification(notification);
  }
}
