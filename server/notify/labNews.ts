/** What of a lab's status is worth a notification: one policy for whoever watches the lab, or reads who does. */
import type { LabStatus, NodeActivity } from '../../api/lab/lab.ts';
import { maintenanceOf } from '../../api/lab/maintenance.ts';
import { NotificationPolicy, type Notification, type NotificationKind } from './policy.ts';
import { endedNotification, subjectsOf } from './subjects.ts';

export class LabNews {
  readonly #policy = new NotificationPolicy();
  /** Of workflows that ended: those that were there before, or somebody was notified of; `null` before the first look. */
  #announced: ReadonlySet<string> | null = null;
  #inMaintenance = '';

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
    const isCountedAnew = inMaintenance !== this.#inMaintenance;
    this.#inMaintenance = inMaintenance;
    this.#policy.observe(subjectsOf(status, nodes, areKnown), now, (key) => isCountedAnew && key === 'lab');
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
  due(now: number, wanted: readonly NotificationKind[], wallNow = Date.now()): readonly Notification[] {
    const due = this.#policy.due(now, (kind) => wanted.includes(kind));
    return due.map((notification) => ({ ...notification, at: wallNow - (now - notification.at) }));
  }
}
