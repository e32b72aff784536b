/**
 * Decides which notifications are sent and when: only for lasting changes, without repetition, and combined if
 * simultaneous. Times come from a monotonic clock, so that setting the wall clock has no effect on them.
 */
import * as z from 'zod';
import { clock } from '../../api/time/clock.ts';
import type { Notification, NotificationKind } from '../channels/channel.ts';
import {
  flapNotification,
  combineNotifications,
  outageNotification,
  recoveryNotification,
  type Moment,
  type ReportedOutage,
  type Subject,
} from './notification.ts';

/** The minimum duration of a state before it is reported. */
export const minDurationMs = 15_000;
/** A change within the repeat interval of the previous report must last this long to be reported on its own. */
const minRepeatedDurationMs = 90_000;
/** Minimum interval between reports of the same state; changes in between are summarised. */
export const repeatIntervalMs = 10 * 60_000;
/** The number of outages within twice the repeat interval that is reported as flapping. */
const minFlapCount = 3;
/** Time to wait for other changing subjects, so that they are combined. */
const coalesceWindowMs = 12_000;
/** Share of the reminder interval: reminders that become due within it after another one are sent with that one. */
const reminderSlack = 0.05;
/** The minimum duration of a change during a restart: other services of the machine may still be starting. */
export const minDurationAfterRestartMs = 60_000;
/** After a longer pause, the states before and after it are not compared. */
const maxPauseMs = 10 * 60_000;
/** Subjects that are not observed again within this time after a restart are dropped. */
const maxRestoreMs = 10 * 60_000;
const maxRemembered = 2000;

/** The state of a subject that is stored across a restart. Times are ms since the epoch. */
export const rememberedSubject = z.object({
  key: z.string(),
  identity: z.string(),
  isFailing: z.boolean(),
  /** The reported outage whose end was not reported yet. */
  reported: z.nullable(z.object({ state: z.string(), since: z.nullable(z.number()) })),
  /** Whether the last reported or first observed state is failing. */
  reportedAsFailing: z.boolean(),
  /** The times of the last report of an outage and of the end of one. */
  reportedAt: z.object({ failing: z.nullable(z.number()), healthy: z.nullable(z.number()) }),
});
export type RememberedSubject = z.infer<typeof rememberedSubject>;

interface TrackedSubject {
  subject: Subject;
  /** The current state and its start. */
  isFailing: boolean;
  since: number;
  /** Whether the current state is unknown, which suppresses reminders. */
  isUnknown: boolean;
  /** Whether the last reported or first observed state is failing. */
  reportedAsFailing: boolean;
  reported: ReportedOutage | null;
  /** The outage whose end was reported last, and when an end was reported before. */
  endedOutage: { readonly outage: ReportedOutage; readonly healthyReportedAt: number } | null;
  /** The times of the last report of an outage and of the end of one. */
  readonly reportedAt: { failing: number; healthy: number };
  /** Start times of the recent outages after the last reported one. */
  outageStarts: number[];
  /** Time before which nothing is reported. */
  readonly notBefore: number;
}

export interface DueOptions {
  /** Whether a kind is enabled. */
  readonly enabledKinds?: readonly NotificationKind[];
  /** Reminder interval of an outage, in ms; `null`: no reminders. */
  readonly reminderMs?: number | null;
  /** ms since the epoch. */
  readonly wallNow?: number;
}

export class NotificationPolicy {
  readonly #subjects = new Map<string, TrackedSubject>();
  #pending: Notification[] = [];
  /** Subjects from before a restart that were not observed again yet. */
  #restoredSubjects = new Map<string, RememberedSubject>();
  #restore = { at: 0, wallAt: 0, isLongAgo: false };

  /**
   * Records the states at `now` (ms of a monotonic clock). The first observation of a subject triggers no notification.
   * @param isExpected whether a change of this subject was caused by a person, such as by starting maintenance, so that
   *   it is not reported
   */
  observe(subjects: readonly Subject[], now: number, isExpected: (key: string) => boolean = () => false): void {
    const keys = new Set(subjects.map(({ key }) => key));
    for (const key of this.#subjects.keys()) if (!keys.has(key)) this.#subjects.delete(key);
    if (now - this.#restore.at > maxRestoreMs) this.#restoredSubjects.clear();
    for (const subject of subjects) this.#observeOne(subject, now);
    for (const [key, tracked] of this.#subjects)
      if (isExpected(key)) {
        tracked.reportedAsFailing = tracked.isFailing;
        tracked.outageStarts = [];
      }
  }

  /** Adds a notification of a single event, such as a failed workflow. */
  recordNotification(notification: Notification): void {
    this.#pending = [...this.#pending, notification];
  }

  /**
   * Returns the notifications due at `now` and marks them as reported. Waits for other changes that are about to be
   * due: when a lab goes down, its managers are detected one after the other.
   */
  due(now: number, options: DueOptions = {}): readonly Notification[] {
    const { enabledKinds = null, reminderMs = null, wallNow = clock.now() } = options;
    const moment = { now, wallNow };
    const tracked = [...this.#subjects.values()];
    const dueChanges = tracked.flatMap((candidate) => dueNotifications(candidate, moment));
    const reminders = reminderMs === null ? [] : dueReminders(tracked, reminderMs, moment);
    this.#pending = [...this.#pending, ...dueChanges, ...reminders].filter(
      ({ kind }) => enabledKinds?.includes(kind) ?? true,
    );
    const [first] = this.#pending;
    const hasUnreportedChanges = tracked.some(({ isFailing, reportedAsFailing }) => isFailing !== reportedAsFailing);
    if (first === undefined || (hasUnreportedChanges && now - first.at < coalesceWindowMs)) return [];
    const waiting = this.#pending.filter((notification) => !this.#withdrawRecovery(notification));
    this.#pending = [];
    return waiting.length === 0 ? [] : combineNotifications(waiting, moment);
  }

  /** Withdraws a recovery whose subject failed again while it waited: the reported outage continues. */
  #withdrawRecovery({ level, subjects: [key = ''] }: Notification): boolean {
    const tracked = this.#subjects.get(key);
    if (level !== 'recovery' || !tracked?.isFailing || tracked.endedOutage === null) return false;
    tracked.reportedAsFailing = true;
    tracked.reported = tracked.endedOutage.outage;
    tracked.reportedAt.healthy = tracked.endedOutage.healthyReportedAt;
    return true;
  }

  /** A text that changes whenever the result of `rememberedSubjects` changes. */
  get signature(): string {
    const states = [...this.#subjects].map(([key, { subject, isFailing, reportedAsFailing, reported, reportedAt }]) => {
      return [key, subject.identity, isFailing, reportedAsFailing, reported, reportedAt];
    });
    return JSON.stringify([states, this.#restoredSubjects.size]);
  }

  /** The state to keep across a restart. */
  rememberedSubjects({ now, wallNow }: Moment): readonly RememberedSubject[] {
    const toWallTime = (at: number) => (Number.isFinite(at) ? Math.round(wallNow - (now - at)) : null);
    const states = [...this.#subjects].map(
      ([key, { subject, isFailing, reportedAsFailing, reported, reportedAt }]) => ({
        key,
        identity: subject.identity,
        isFailing,
        reportedAsFailing,
        reported,
        reportedAt: { failing: toWallTime(reportedAt.failing), healthy: toWallTime(reportedAt.healthy) },
      }),
    );
    return [...states, ...this.#restoredSubjects.values()].slice(0, maxRemembered);
  }

  /**
   * Restores the state from before a restart. Subjects that were healthy before a long pause start as new ones.
   * @param pauseMs time in which nothing was observed
   */
  restore(subjects: readonly RememberedSubject[], { now, wallNow }: Moment, pauseMs: number): void {
    this.#restore = { at: now, wallAt: wallNow, isLongAgo: pauseMs > maxPauseMs };
    this.#restoredSubjects = new Map(subjects.map((subject) => [subject.key, subject]));
  }

  #observeOne(subject: Subject, now: number): void {
    const { key, isFailing } = subject;
    if (this.#subjects.get(key)?.subject.identity !== subject.identity) this.#subjects.delete(key);
    const tracked = this.#subjects.get(key) ?? this.#restoreSubject(subject, now);
    if (tracked !== null) this.#subjects.set(key, tracked);
    if (isFailing === null) {
      // The next known state must last for the minimum duration again.
      if (tracked !== null) Object.assign(tracked, { since: now, isUnknown: true });
      return;
    }
    if (tracked === null) return void this.#subjects.set(key, trackSubject(subject, isFailing, now));
    tracked.subject = subject;
    tracked.isUnknown = false;
    if (tracked.isFailing === isFailing) return;
    tracked.isFailing = isFailing;
    tracked.since = now;
    if (isFailing) tracked.outageStarts.push(now);
  }

  #restoreSubject(subject: Subject, now: number): TrackedSubject | null {
    const remembered = this.#restoredSubjects.get(subject.key);
    this.#restoredSubjects.delete(subject.key);
    if (remembered === undefined || remembered.identity !== subject.identity) return null;
    const { isFailing, reportedAsFailing, reported } = remembered;
    const { at, wallAt, isLongAgo } = this.#restore;
    if (isLongAgo && !isFailing && reported === null) return null;
    const toSteadyTime = (time: number | null) =>
      time === null ? Number.NEGATIVE_INFINITY : at - Math.max(0, wallAt - time);
    const { failing, healthy } = remembered.reportedAt;
    const reportedAt = { failing: toSteadyTime(failing), healthy: toSteadyTime(healthy) };
    // An outage whose report was pending was already observed before the restart.
    const notBefore = isFailing && !reportedAsFailing ? now : at + minDurationAfterRestartMs;
    return { ...trackSubject(subject, isFailing, now), reportedAsFailing, reported, reportedAt, notBefore };
  }
}

function trackSubject(subject: Subject, isFailing: boolean, now: number): TrackedSubject {
  const reportedAt = { failing: Number.NEGATIVE_INFINITY, healthy: Number.NEGATIVE_INFINITY };
  const notBefore = Number.NEGATIVE_INFINITY;
  return {
    subject,
    isFailing,
    since: now,
    isUnknown: false,
    reportedAsFailing: isFailing,
    reported: null,
    endedOutage: null,
    reportedAt,
    outageStarts: [],
    notBefore,
  };
}

function dueNotifications(tracked: TrackedSubject, moment: Moment): Notification[] {
  const { now } = moment;
  const { subject, isFailing, reportedAt } = tracked;
  const recentOutageStarts = tracked.outageStarts.filter((at) => now - at < 2 * repeatIntervalMs);
  tracked.outageStarts = recentOutageStarts;
  const direction = isFailing ? 'failing' : 'healthy';
  const durationMs = stateDurationMs(tracked, now);
  const hasLasted = durationMs >= minDurationMs;
  const first = recentOutageStarts[0] ?? now;
  const isDue =
    tracked.reportedAsFailing !== isFailing &&
    hasLasted &&
    (durationMs >= minRepeatedDurationMs || now - reportedAt[direction] >= repeatIntervalMs);
  const isLongAgo = now - Math.max(reportedAt.failing, reportedAt.healthy, first) >= repeatIntervalMs;
  if (recentOutageStarts.length >= minFlapCount && (isDue || isLongAgo)) {
    if (hasLasted) tracked.reportedAsFailing = isFailing;
    tracked.outageStarts = [];
    reportedAt.failing = now;
    reportedAt.healthy = now;
    tracked.reported = isFailing ? toReportedOutage(subject) : null;
    return [
      flapNotification(
        subject,
        { count: recentOutageStarts.length, sinceFirstOutageMs: now - first, isFailing },
        moment,
      ),
    ];
  }
  if (!isDue) return [];
  const { reported } = tracked;
  tracked.reportedAsFailing = isFailing;
  // The end of an outage that was not reported triggers no notification.
  if (!isFailing && reported === null) return [];
  tracked.endedOutage = reported && { outage: reported, healthyReportedAt: reportedAt.healthy };
  reportedAt[direction] = now;
  tracked.reported = isFailing ? toReportedOutage(subject) : null;
  if (reported !== null && !isFailing) return [recoveryNotification(subject, reported, moment)];
  // The outage reported now is not part of the next summary.
  tracked.outageStarts = [];
  return [outageNotification(subject, null, moment)];
}

/** The duration of the current state; 0 before `notBefore`. */
function stateDurationMs({ since, notBefore }: TrackedSubject, now: number): number {
  return now < notBefore ? 0 : now - since;
}

function toReportedOutage({ state, since }: Subject): ReportedOutage {
  return { state, since };
}

/** Reminders of reported outages that continue. */
function dueReminders(tracked: readonly TrackedSubject[], reminderMs: number, moment: Moment): Notification[] {
  const ongoing = tracked.filter((candidate) => {
    const { isFailing, reportedAsFailing, isUnknown, reported } = candidate;
    return (
      isFailing &&
      reportedAsFailing &&
      !isUnknown &&
      reported !== null &&
      stateDurationMs(candidate, moment.now) >= minDurationMs
    );
  });
  const isDue =
    (share: number) =>
    ({ reportedAt }: TrackedSubject) =>
      moment.now - reportedAt.failing >= share * reminderMs;
  if (!ongoing.some(isDue(1))) return [];
  return ongoing.filter(isDue(1 - reminderSlack)).map((outage) => {
    outage.reportedAt.failing = moment.now;
    const downMs = moment.wallNow - (outage.subject.since ?? moment.wallNow);
    return outageNotification(outage.subject, Math.round(downMs / reminderMs), moment);
  });
}
