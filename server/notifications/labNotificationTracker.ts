/** What of a lab's status is worth a notification: one policy for whoever watches the lab, or reads who does. */
import type { LabStatus, NodeActivity } from '../../api/lab/lab.ts';
import { maintenanceOf } from '../../api/lab/maintenance.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import type { Notification } from '../channels/channel.ts';
import { NotificationPolicy, type RememberedSubject } from './policy.ts';
import { endedNotification, subjectsOf } from './subjects.ts';

/** The settings that decide what is sent. */
export type NotifyChoices = Pick<LabSettings, 'notifyEvents' | 'notifyReminderHours'>;

const hourMs = 3_600_000;

export class LabNotificationTracker {
  readonly #policy = new NotificationPolicy();
  /** Of workflows that ended: those that were there before, or somebody was notified of; `null` before the first look. */
  #announced: ReadonlySet<string> | null = null;
  #inMaintenance = '';
  #signature = '';

  /**
   * @param nodes all that are known
   * @param areKnown whether they were heard of lately
   * @param now in ms of a steady clock, such as `performance.now()`
   */
  observe(status: LabStatus, nodes: readonly NodeActivity[], areKnown: boolean, now: number): void {
    const inMaintenance = (status.maintenance ?? [])
      .map(({ kind, id }) => `${kind} ${id}`)
      .toSorted()
      .join('\n');
    // What the lab is with other managers counted is no news of the lab.
    const restartsCounting = inMaintenance !== this.#inMaintenance;
    this.#inMaintenance = inMaintenance;
    this.#policy.observe(subjectsOf(status, nodes, areKnown), now, (key) => restartsCounting && key === 'lab');
    const ended = status.activity?.ended_workflows ?? [];
    const isLabInMaintenance = maintenanceOf(status.maintenance, 'lab', 'lab') !== null;
    const announced = this.#announced;
    for (const workflow of ended.toReversed()) {
      if (announced === null || announced.has(`${workflow.id} ${workflow.at}`) || isLabInMaintenance) continue;
      const notification = endedNotification(workflow, now);
      if (notification !== null) this.#policy.happened(notification);
    }
    this.#announced = new Set(ended.map(({ id, at }) => `${id} ${at}`));
  }

  /** What is to be said at `now`, with its time by the wall clock; it counts as said then. */
  due(
    now: number,
    { notifyEvents, notifyReminderHours }: NotifyChoices,
    wallNow = Date.now(),
  ): readonly Notification[] {
    const due = this.#policy.due(now, {
      isEnabled: (kind) => notifyEvents.includes(kind),
      reminderMs: notifyReminderHours === 0 ? null : notifyReminderHours * hourMs,
      wallNow,
    });
    return due.map((notification) => ({ ...notification, at: wallNow - (now - notification.at) }));
  }

  /** What a restart must not lose; `null` where it is as at the last call. */
  changedMemory(now: number): readonly RememberedSubject[] | null {
    const { signature } = this.#policy;
    if (signature === this.#signature) return null;
    this.#signature = signature;
    return this.#policy.remembered({ now, wallNow: Date.now() });
  }

  /** Takes up what was known before a restart. @param pauseMs for how long the lab was not watched */
  restore(subjects: readonly RememberedSubject[], now: number, pauseMs: number): void {
    this.#policy.restore(subjects, { now, wallNow: Date.now() }, pauseMs);
  }
}
