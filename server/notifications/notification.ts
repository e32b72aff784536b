/** Notifications: their kinds and texts, and the summary of simultaneous ones. */
import { formatClockTime } from '../../api/time/clockText.ts';
import type { Notification } from '../channels/channel.ts';

/** A subject that is healthy or failing. */
export interface Subject {
  /** `manager data` */
  readonly key: string;
  /** The identity behind the key, such as a manager's address: with another identity it is another subject. */
  readonly identity: string;
  readonly kind: 'lab' | 'manager' | 'node';
  /** `Data Manager` */
  readonly name: string;
  /** `null` while unknown: then the last reported state remains. */
  readonly isFailing: boolean | null;
  /** `unreachable`: the state as text after the subject's name. */
  readonly state: string;
  /** Start of the state, in ms since the epoch; `null` while it is unknown. */
  readonly since: number | null;
  /** Empty if no reason is known. */
  readonly reason: string;
  /** The dashboard page about the subject, with a leading slash. */
  readonly path: string;
}

/** The last reported outage whose end was not reported yet. */
export interface ReportedOutage {
  readonly state: string;
  /** ms since the epoch. */
  readonly since: number | null;
}

/** The time of a notification by the monotonic clock and by the wall clock. */
export interface Moment {
  readonly now: number;
  readonly wallNow: number;
}

/** `connection refused (since 14:02)` */
function appendSince(text: string, since: number | null, wallNow: number): string {
  if (since === null) return text;
  const part = `since ${formatClockTime(since, wallNow)}`;
  return text === '' ? part : `${text} (${part})`;
}

/** Servers that observe the same incident agree on its start, not on the time of their reports. */
function incidentIds(event: string, key: string, since: number | null, { wallNow }: Moment): readonly string[] {
  return [`${event} ${key} ${new Date(since ?? wallNow).toISOString()}`];
}

/** @param reminder the number of reminder intervals since the start of the outage; `null` for the first report */
export function outageNotification(
  { key, kind, name, state, since, reason, path }: Subject,
  reminder: number | null,
  moment: Moment,
): Notification {
  const { now, wallNow } = moment;
  const isReminder = reminder !== null;
  return {
    kind,
    level: 'problem',
    ...(isReminder && { isReminder }),
    title: isReminder ? `${name}: still ${state}` : `${name}: ${state}`,
    body: appendSince(reason, since, wallNow),
    path,
    at: now,
    since,
    subjects: [key],
    incidents: incidentIds(isReminder ? `reminder ${reminder}` : 'problem', key, since, moment),
  };
}

export function recoveryNotification(
  { key, kind, name, state, path }: Subject,
  { state: before, since }: ReportedOutage,
  moment: Moment,
): Notification {
  const { now, wallNow } = moment;
  const body = since === null ? state : `${state} (${before} since ${formatClockTime(since, wallNow)})`;
  const incidents = incidentIds('recovery', key, since, moment);
  return { kind, level: 'recovery', title: `${name} is back`, body, path, at: now, since, subjects: [key], incidents };
}

/** @param options `sinceFirstOutageMs`: the time since the first of these outages, in ms */
export function flapNotification(
  { key, kind, name, path, since }: Subject,
  {
    count,
    sinceFirstOutageMs,
    isFailing,
  }: { readonly count: number; readonly sinceFirstOutageMs: number; readonly isFailing: boolean },
  moment: Moment,
): Notification {
  const { now, wallNow } = moment;
  const title = `${name} went down ${count} times in ${Math.round(sinceFirstOutageMs / 60_000)} min`;
  const body = `It is ${isFailing ? 'down' : 'up'} now${since === null ? '' : `, since ${formatClockTime(since, wallNow)}`}.`;
  const level = isFailing ? 'problem' : 'info';
  const incidents = incidentIds('flapping', key, since, moment);
  return { kind, level, title, body, path, at: now, since: isFailing ? since : null, subjects: [key], incidents };
}

/** Above this number, simultaneous notifications are combined. */
const maxSeparate = 3;
/** The maximum number of titles in one body. */
const maxTitles = 6;

const groups = [
  { level: 'problem', isReminder: false, heading: (count: number) => `${count} things need attention` },
  { level: 'problem', isReminder: true, heading: (count: number) => `${count} things are still down` },
  { level: 'recovery', isReminder: false, heading: (count: number) => `${count} things are back` },
  { level: 'info', isReminder: false, heading: (count: number) => `${count} things happened` },
] as const;

/**
 * Combines more than `maxSeparate` notifications of one level; if the lab is among them, its title becomes the title.
 */
export function combineNotifications(all: readonly Notification[], { now, wallNow }: Moment): readonly Notification[] {
  return groups.flatMap(({ level, isReminder, heading }): readonly Notification[] => {
    const sameLevel = all.filter(
      (notification) => notification.level === level && (notification.isReminder ?? false) === isReminder,
    );
    const [first] = sameLevel;
    if (first === undefined || sameLevel.length <= maxSeparate) return sameLevel;
    const lab = sameLevel.find(({ kind }) => kind === 'lab');
    const titles = sameLevel.filter((notification) => notification !== lab).map(({ title }) => title);
    const rest = titles.length - maxTitles;
    const list = [...titles.slice(0, maxTitles), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
    const startTimes = sameLevel.flatMap(({ since }) => since ?? []);
    const since = startTimes.length === 0 ? null : Math.min(...startTimes);
    return [
      {
        ...(lab ?? first),
        title: lab?.title ?? heading(sameLevel.length),
        body: level === 'problem' ? appendSince(list, since, wallNow) : list,
        path: '/history',
        at: now,
        since,
        subjects: sameLevel.flatMap(({ subjects }) => subjects),
        incidents: sameLevel.flatMap(({ incidents }) => incidents),
      },
    ];
  });
}
