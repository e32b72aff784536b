/**
 * What is worth a notification, and when: only changes, only those that last, never the same one again and again, many at
 * once as one. Pure but for what it remembers; the clock is given, a steady one: what a person sets it to changes no wait.
 */
import * as z from 'zod';
import type { Notification, NotificationKind } from '../channels/channel.ts';
import {
  flapNotification,
  joined,
  outageNotification,
  recoveryNotification,
  type Moment,
  type ReportedOutage,
  type Subject,
} from './notification.ts';

/** A state must hold this long. */
export const minDurationMs = 15_000;
/** A change that is reported sooner than `againMs` after the one before must hold this long: it is no flapping. */
const lastingMs = 90_000;
/** The same is said at most once in this time; what it did meanwhile is summed up. */
export const againMs = 10 * 60_000;
/** So often in that time, without ever holding, is worth a word too. */
const flapping = 3;
/** So long one waits for others that are changing, too. */
const togetherMs = 12_000;
/** Of a reminder interval: reminders that are due this soon after another one are sent with it. */
const reminderSlack = 0.05;
/** After a restart, what changed meanwhile must hold this long: other services of the machine may still be starting. */
export const minDurationAfterRestartMs = 60_000;
/** After a longer pause, how things were before it is not compared with how they are. */
const maxPauseMs = 10 * 60_000;
/** What is not observed again within this time after a restart is forgotten. */
const maxRestoreMs = 10 * 60_000;
const maxRemembered = 2000;

/** What is remembered of a subject over a restart. Times are ms since the epoch. */
export const rememberedSubject = z.object({
  key: z.string(),
  identity: z.string(),
  isBad: z.boolean(),
  /** The outage that was reported, and not yet its end. */
  reported: z.nullable(z.object({ state: z.string(), since: z.nullable(z.number()) })),
  /** As it was reported, or observed first. */
  said: z.boolean(),
  /** When an outage, and its end, was reported last. */
  saidAt: z.object({ bad: z.nullable(z.number()), well: z.nullable(z.number()) }),
});
export type RememberedSubject = z.infer<typeof rememberedSubject>;

interface Known {
  subject: Subject;
  /** As it is, since when. */
  isFailing: boolean;
  since: number;
  /** Nobody knows now: how it was last is no reason for a reminder. */
  isUnknown: boolean;
  /** As it was said last. */
  reportedAsFailing: boolean;
  reported: ReportedOutage | null;
  /** When it was said to be bad, and to be well, last. */
  readonly saidAt: { bad: number; well: number };
  /** When it went bad since it was last said to be. */
  downs: number[];
  /** Nothing is said of it before. */
  readonly notBefore: number;
}

export interface DueOptions {
  /** The kinds that somebody wants to hear of. */
  readonly isEnabled?: (kind: NotificationKind) => boolean;
  /** After so long an outage is reported again, in ms; `null`: never. */
  readonly reminderMs?: number | null;
  /** ms since the epoch. */
  readonly wallNow?: number;
}

export class NotificationPolicy {
  readonly #known = new Map<string, Known>();
  #waiting: Notification[] = [];
  /** From before a restart, until each is observed again. */
  #restored = new Map<string, RememberedSubject>();
  #restore = { at: 0, wallAt: 0, isLongAgo: false };

  /**
   * Takes in how things are at `now` (ms of a steady clock). What is there the first time isn't news.
   * @param isAlreadyKnown of a key: whoever caused it knows, so nothing is sent
   */
  observe(subjects: readonly Subject[], now: number, isAlreadyKnown: (key: string) => boolean = () => false): void {
    const keys = new Set(subjects.map(({ key }) => key));
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
    if (now - this.#restore.at > maxRestoreMs) this.#restored.clear();
    for (const subject of subjects) this.#observeOne(subject, now);
    for (const [key, known] of this.#known)
      if (isAlreadyKnown(key)) {
        known.reportedAsFailing = known.isFailing;
        known.downs = [];
      }
  }

  /** Something that happened, once: a workflow that failed. */
  happened(notification: Notification): void {
    this.#waiting = [...this.#waiting, notification];
  }

  /**
   * What is to be said at `now`; it counts as said then. What becomes due soon after something else is said with it: of a lab
   * that goes down, one manager is found so after the other.
   */
  due(now: number, options: DueOptions = {}): readonly Notification[] {
    const { isEnabled: isWanted = () => true, reminderMs = null, wallNow = Date.now() } = options;
    const moment = { now, wallNow };
    const known = [...this.#known.values()];
    const changed = known.flatMap((each) => dueOf(each, moment));
    const reminders = reminderMs === null ? [] : remindersOf(known, reminderMs, moment);
    this.#waiting = [...this.#waiting, ...changed, ...reminders].filter(({ kind }) => isWanted(kind));
    const [first] = this.#waiting;
    const others = known.some(({ isFailing, reportedAsFailing }) => isFailing !== reportedAsFailing);
    if (first === undefined || (others && now - first.at < togetherMs)) return [];
    const waiting = this.#waiting;
    this.#waiting = [];
    return joined(waiting, moment);
  }

  /** Another text after each change of what `remembered` returns. */
  get signature(): string {
    const known = [...this.#known].map(([key, { subject, isFailing, reportedAsFailing, reported, saidAt }]) => {
      return [key, subject.identity, isFailing, reportedAsFailing, reported, saidAt];
    });
    return JSON.stringify([known, this.#restored.size]);
  }

  /** What a restart must not lose. */
  remembered({ now, wallNow }: Moment): readonly RememberedSubject[] {
    const wall = (at: number) => (Number.isFinite(at) ? Math.round(wallNow - (now - at)) : null);
    const known = [...this.#known].map(([key, { subject, isFailing, reportedAsFailing, reported, saidAt }]) => ({
      key,
      identity: subject.identity,
      isBad: isFailing,
      said: reportedAsFailing,
      reported,
      saidAt: { bad: wall(saidAt.bad), well: wall(saidAt.well) },
    }));
    return [...known, ...this.#restored.values()].slice(0, maxRemembered);
  }

  /**
   * Takes up what was known before a restart. What was well before a long pause begins anew.
   * @param pauseMs for how long nothing was observed
   */
  restore(subjects: readonly RememberedSubject[], { now, wallNow }: Moment, pauseMs: number): void {
    this.#restore = { at: now, wallAt: wallNow, isLongAgo: pauseMs > maxPauseMs };
    this.#restored = new Map(subjects.map((subject) => [subject.key, subject]));
  }

  #observeOne(subject: Subject, now: number): void {
    const { key, isFailing } = subject;
    if (this.#known.get(key)?.subject.identity !== subject.identity) this.#known.delete(key);
    const known = this.#known.get(key) ?? this.#restoredOf(subject, now);
    if (known !== null) this.#known.set(key, known);
    if (isFailing === null) {
      // Whatever it is afterwards, it must hold anew.
      if (known !== null) Object.assign(known, { since: now, isUnknown: true });
      return;
    }
    if (known === null) return void this.#known.set(key, firstSeen(subject, isFailing, now));
    known.subject = subject;
    known.isUnknown = false;
    if (known.isFailing === isFailing) return;
    known.isFailing = isFailing;
    known.since = now;
    if (isFailing) known.downs.push(now);
  }

  #restoredOf(subject: Subject, now: number): Known | null {
    const before = this.#restored.get(subject.key);
    this.#restored.delete(subject.key);
    if (before === undefined || before.identity !== subject.identity) return null;
    const { isBad: isFailing, said: reportedAsFailing, reported } = before;
    const { at, wallAt, isLongAgo } = this.#restore;
    if (isLongAgo && !isFailing && reported === null) return null;
    const steady = (time: number | null) =>
      time === null ? Number.NEGATIVE_INFINITY : at - Math.max(0, wallAt - time);
    const saidAt = { bad: steady(before.saidAt.bad), well: steady(before.saidAt.well) };
    // An outage that waited to be reported has been seen already.
    const notBefore = isFailing && !reportedAsFailing ? now : at + minDurationAfterRestartMs;
    return { ...firstSeen(subject, isFailing, now), reportedAsFailing, reported, saidAt, notBefore };
  }
}

function firstSeen(subject: Subject, isFailing: boolean, now: number): Known {
  const saidAt = { bad: Number.NEGATIVE_INFINITY, well: Number.NEGATIVE_INFINITY };
  const notBefore = Number.NEGATIVE_INFINITY;
  return {
    subject,
    isFailing,
    since: now,
    isUnknown: false,
    reportedAsFailing: isFailing,
    reported: null,
    saidAt,
    downs: [],
    notBefore,
  };
}

function dueOf(known: Known, moment: Moment): Notification[] {
  const { now } = moment;
  const { subject, isFailing, saidAt } = known;
  const downs = known.downs.filter((at) => now - at < 2 * againMs);
  known.downs = downs;
  const direction = isFailing ? 'bad' : 'well';
  const durationMs = durationMsOf(known, now);
  const hasLasted = durationMs >= minDurationMs;
  const first = downs[0] ?? now;
  const isDue =
    known.reportedAsFailing !== isFailing &&
    hasLasted &&
    (durationMs >= lastingMs || now - saidAt[direction] >= againMs);
  const isLongAgo = now - Math.max(saidAt.bad, saidAt.well, first) >= againMs;
  if (downs.length >= flapping && (isDue || isLongAgo)) {
    if (hasLasted) known.reportedAsFailing = isFailing;
    known.downs = [];
    saidAt.bad = now;
    saidAt.well = now;
    known.reported = isFailing ? outageOf(subject) : null;
    return [flapNotification(subject, { count: downs.length, downMs: now - first, isFailing }, moment)];
  }
  if (!isDue) return [];
  const { reported } = known;
  known.reportedAsFailing = isFailing;
  // The end of an outage that nobody was notified of is no news.
  if (!isFailing && reported === null) return [];
  saidAt[direction] = now;
  known.reported = isFailing ? outageOf(subject) : null;
  if (reported !== null && !isFailing) return [recoveryNotification(subject, reported, moment)];
  // The one that is said now is no part of what is summed up later.
  known.downs = [];
  return [outageNotification(subject, false, moment)];
}

/** For how long it is as it is; 0 while nothing is to be said of it. */
function durationMsOf({ since, notBefore }: Known, now: number): number {
  return now < notBefore ? 0 : now - since;
}

function outageOf({ state, since }: Subject): ReportedOutage {
  return { state, since };
}

/** Of outages that were reported, and last. */
function remindersOf(known: readonly Known[], reminderMs: number, moment: Moment): Notification[] {
  const lasting = known.filter((each) => {
    const { isFailing, reportedAsFailing, isUnknown, reported } = each;
    return (
      isFailing &&
      reportedAsFailing &&
      !isUnknown &&
      reported !== null &&
      durationMsOf(each, moment.now) >= minDurationMs
    );
  });
  const isDue =
    (share: number) =>
    ({ saidAt }: Known) =>
      moment.now - saidAt.bad >= share * reminderMs;
  if (!lasting.some(isDue(1))) return [];
  return lasting.filter(isDue(1 - reminderSlack)).map((each) => {
    each.saidAt.bad = moment.now;
    return outageNotification(each.subject, true, moment);
  });
}
