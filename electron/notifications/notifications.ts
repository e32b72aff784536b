/** Decides which notifications of the lab are shown on this machine. */
import { labLabel } from '../../api/lab/followedLab.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import { headingParts, unnamedLab, type Notification } from '../../server/channels/channel.ts';
import { tryParseUrl } from '../../api/url.ts';

/** The mutes on this machine; times in ms since the epoch. */
export interface Mutes {
  /** The end of the mute of all notifications; `null` if there is none. */
  readonly mutedUntil: number | null;
  /** The end of the mute of each subject, by its key (`node robotarm_1`). */
  readonly mutedSubjects: Readonly<Record<string, number>>;
}

interface DisplayContext extends Mutes {
  /** Whether notifications are enabled on this machine. */
  readonly enabled: boolean;
  /** The address shown in the focused window; `null` without focus. */
  readonly visibleUrl: string | null;
  readonly now: number;
}

/** Returns whether to show the notification: not while it or all its subjects are muted, or while its page is in view. */
export function shouldShow(
  { path, subjects }: Pick<Notification, 'path' | 'subjects'>,
  { enabled, mutedUntil, mutedSubjects, visibleUrl, now }: DisplayContext,
): boolean {
  if (!enabled || isMuted(mutedUntil, now)) return false;
  if (subjects.length > 0 && subjects.every((key) => isMuted(mutedSubjects[key] ?? null, now))) return false;
  return tryParseUrl(visibleUrl)?.pathname.replace(/\/$/, '') !== path.replace(/\/$/, '');
}

/**
 * Returns the title with the lab's name, and its machine if another one is followed: `Lab B on bench-2: Data Manager:
 * unreachable`.
 */
export function formatTitle(
  notification: Pick<Notification, 'kind' | 'title'>,
  lab: Pick<LabStatus, 'lab_name' | 'followed'> | null,
): string {
  const isNamed = lab !== null && (lab.lab_name !== null || lab.followed !== undefined);
  return isNamed ? headingParts(notification, labLabel(lab, unnamedLab)).join(': ') : notification.title;
}

export function isMuted(mutedUntil: number | null, now: number): boolean {
  return mutedUntil !== null && now < mutedUntil;
}

/**
 * Returns the mutes after a change. A change of one subject also removes expired mutes of others.
 * @param subject `null` for the mute of all notifications
 * @param until in ms since the epoch; `null` ends the mute
 */
export function updateMutes(mutes: Mutes, subject: string | null, until: number | null, now: number): Mutes {
  if (subject === null) return { ...mutes, mutedUntil: until };
  const others = Object.entries(mutes.mutedSubjects).filter(([key, end]) => key !== subject && isMuted(end, now));
  return { ...mutes, mutedSubjects: Object.fromEntries(until === null ? others : [...others, [subject, until]]) };
}
