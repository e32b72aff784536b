/**
 * Derives notifications from a lab's status: one policy for the service that watches the lab and for programs that read
 * its status.
 */
import { clock } from '../../api/time/clock.ts';
import type { LabStatus, NodeActivity, OverdueStep } from '../../api/lab/lab.ts';
import { findMaintenance } from '../../api/lab/maintenance.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import type { Notification } from '../channels/channel.ts';
import { NotificationPolicy, type RememberedSubject } from './policy.ts';
import type { Subject } from './notification.ts';
import { endedNotification, listSubjects, lossNotification, overdueKey, overdueNotification } from './subjects.ts';

/** The settings that select the notifications. */
export type NotifyChoices = Pick<LabSettings, 'notifyEvents' | 'notifyReminderHours'>;

const hourMs = 3_600_000;
/** Announced steps to remember after they left the list, which can miss one for a moment. */
const maxRememberedSteps = 500;
export class LabNotificationTracker {
  readonly #policy = new NotificationPolicy();
  /** Ended workflows that were present initially or already reported; `null` before the first status. */
  #announcedWorkflows: ReadonlySet<string> | null = null;
  /** Overdue steps that were present initially or already reported; `null` before the first list. */
  #announcedSteps: ReadonlySet<string> | null = null;
  /** When the last reported loss of workflows was missed. */
  #announcedLoss = '';
  #maintenanceKey = '';
  #signature = '';

  /**
   * @param nodes all known nodes
   * @param isRecent whether the nodes were read recently
   * @param now in ms of a monotonic clock, such as `performance.now()`
   * @param align adjusts a subject to the observation of another server
   */
  observe(
    status: LabStatus,
    nodes: readonly NodeActivity[],
    isRecent: boolean,
    now: number,
    align: (subject: Subject) => Subject = (subject) => subject,
  ): void {
    const inMaintenance = (status.maintenance ?? [])
      .map(({ kind, id }) => `${kind} ${id}`)
      .toSorted()
      .join('\n');
    // A lab state that changes only because other managers are counted triggers no notification.
    const hasMaintenanceChanged = inMaintenance !== this.#maintenanceKey;
    this.#maintenanceKey = inMaintenance;
    this.#policy.observe(
      listSubjects(status, nodes, isRecent).map(align),
      now,
      (key) => hasMaintenanceChanged && key === 'lab',
    );
    const ended = status.activity?.ended_workflows ?? [];
    const isLabInMaintenance = findMaintenance(status.maintenance, 'lab', 'lab') !== null;
    const announced = this.#announcedWorkflows;
    for (const workflow of ended.toReversed()) {
      if (announced === null || announced.has(`${workflow.id} ${workflow.at}`) || isLabInMaintenance) continue;
      const notification = endedNotification(workflow, now);
      if (notification !== null) this.#policy.recordNotification(notification);
    }
    this.#announcedWorkflows = new Set(ended.map(({ id, at }) => `${id} ${at}`));
    const lost = status.activity?.lost_workflows;
    if (lost !== undefined && lost.missed !== this.#announcedLoss && announced !== null && !isLabInMaintenance)
      this.#policy.recordNotification(lossNotification(lost, now, clock.now()));
    this.#announcedLoss = lost?.missed ?? this.#announcedLoss;
    this.#observeSteps(status, now);
  }

  /** Reports each overdue step once; one in maintenance is reported afterwards if it still runs. */
  #observeSteps({ activity, maintenance }: LabStatus, now: number): void {
    const overdue = activity?.overdue_steps;
    if (overdue === undefined) return;
    const announced = this.#announcedSteps;
    const isInMaintenance = ({ node }: OverdueStep) => findMaintenance(maintenance, 'node', node) !== null;
    const wasAnnounced = (step: OverdueStep) => announced?.has(overdueKey(step)) === true;
    const listed = overdue.filter((step) => wasAnnounced(step) || !isInMaintenance(step));
    if (announced !== null)
      for (const step of listed)
        if (!wasAnnounced(step)) this.#policy.recordNotification(overdueNotification(step, now, clock.now()));
    const recent = [...(announced ?? [])].slice(-maxRememberedSteps);
    this.#announcedSteps = new Set([...recent, ...listed.map(overdueKey)]);
  }

  /** Returns the notifications due at `now`, with wall-clock times, and marks them as reported. */
  due(
    now: number,
    { notifyEvents, notifyReminderHours }: NotifyChoices,
    wallNow = clock.now(),
  ): readonly Notification[] {
    const due = this.#policy.due(now, {
      enabledKinds: notifyEvents,
      reminderMs: notifyReminderHours === 0 ? null : notifyReminderHours * hourMs,
      wallNow,
    });
    return due.map((notification) => ({ ...notification, at: wallNow - (now - notification.at) }));
  }

  /** The state to keep across a restart or a failover. */
  rememberedSubjects(now: number): readonly RememberedSubject[] {
    return this.#policy.rememberedSubjects({ now, wallNow: clock.now() });
  }

  /** The state to keep across a restart; `null` if it is unchanged since the last call. */
  changedSubjects(now: number): readonly RememberedSubject[] | null {
    const { signature } = this.#policy;
    if (signature === this.#signature) return null;
    this.#signature = signature;
    return this.rememberedSubjects(now);
  }

  /** Restores the state from before a restart. @param pauseMs time in which the lab was not watched */
  restore(subjects: readonly RememberedSubject[], now: number, pauseMs: number): void {
    this.#policy.restore(subjects, { now, wallNow: clock.now() }, pauseMs);
  }
}
