/** Which of the lab's notifications a person sees on this machine. Pure. */
import type { Notification } from '../server/notify/policy.ts';

export interface Attention {
  /** Until when nothing is shown, in ms since the epoch; `null` while nothing is muted. */
  readonly mutedUntil: number | null;
  /** The address in the window that is in front; `null` while it isn't. */
  readonly lookingAt: string | null;
  readonly now: number;
}

/** Nothing while it is muted, nor about the page that somebody looks at. */
export function isShown({ path }: Pick<Notification, 'path'>, { mutedUntil, lookingAt, now }: Attention): boolean {
  if (isMuted(mutedUntil, now)) return false;
  if (lookingAt === null || !URL.canParse(lookingAt)) return true;
  return new URL(lookingAt).pathname.replace(/\/$/, '') !== path.replace(/\/$/, '');
}

export function isMuted(mutedUntil: number | null, now: number): boolean {
  return mutedUntil !== null && now < mutedUntil;
}

const hourMs = 3_600_000;
export type MuteChoice = 'hour' | 'tomorrow' | 'off';

/** Until when, in ms since the epoch: an hour from now, or 8:00 of the next day; `null` is not at all. */
export function muteUntil(choice: MuteChoice, now: number): number | null {
  switch (choice) {
    case 'hour':
      return now + hourMs;
    case 'tomorrow': {
      const date = new Date(now);
      return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 8).getTime();
    }
    case 'off':
      return null;
  }
}
