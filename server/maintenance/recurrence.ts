/**
 * Recurring maintenance: a rule yields windows. Its time of day is that of this machine's clock, also after the clock
 * changes to or from daylight saving time.
 */
import { weekdays, type Recurrence } from '../../api/lab/lab.ts';
import { timeOfDay } from './maintenanceText.ts';

const minuteMs = 60_000;

/** A window of a rule, in ms since the epoch. */
export interface RecurringWindow {
  readonly from: number;
  readonly until: number;
}

/**
 * The current window, else the next one. A time of day that the clock skips is an hour later, and of one that occurs twice
 * the first counts.
 */
export function findWindow({ days, at, minutes }: Recurrence, now: number): RecurringWindow {
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  // The current window began at most a week ago.
  for (let offset = -weekdays.length; ; offset += 1) {
    const from = timeOfDay(now, offset, hour, minute);
    const until = from + minutes * minuteMs;
    const day = weekdays[new Date(from).getDay()];
    if (until > now && day !== undefined && days.includes(day)) return { from, until };
  }
}

/** The next window that has not begun. */
export function findNextWindow(every: Recurrence, now: number): RecurringWindow {
  const current = findWindow(every, now);
  return current.from > now ? current : findWindow(every, current.until);
}

/** Whether a window ends before the next one begins, also if the clock is set forward between them. */
export function hasGaps({ days, minutes }: Recurrence): boolean {
  const indices = weekdays.flatMap((day, index) => (days.includes(day) ? [index] : []));
  const gaps = indices.map((index, position) => (indices[position + 1] ?? (indices[0] ?? 0) + weekdays.length) - index);
  return minutes < Math.min(...gaps) * 24 * 60 - 60;
}
