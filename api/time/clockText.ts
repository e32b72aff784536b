/** Formats local dates and times for texts and file names, and parses the times of the lab's status. */

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `07` */
export function padTwoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** `2026-03-02` */
export function formatLocalDate(date: Date): string {
  return `${date.getFullYear()}-${padTwoDigits(date.getMonth() + 1)}-${padTwoDigits(date.getDate())}`;
}

/** `18:00` */
export function formatLocalClock(date: Date): string {
  return `${padTwoDigits(date.getHours())}:${padTwoDigits(date.getMinutes())}`;
}

/** `2026-03-02 18:00` */
export function formatLocalDateTime(date: Date): string {
  return `${formatLocalDate(date)} ${formatLocalClock(date)}`;
}

/** `2026-03-02-1800`, for a file name. */
export function formatFileTime(date: Date): string {
  return `${formatLocalDate(date)}-${formatLocalClock(date).replace(':', '')}`;
}

/** `14:02` today, else `19 Nov 14:02`. @param at ms since the epoch @param now ms since the epoch */
export function formatClockTime(at: number, now: number): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date(now).toDateString();
  return isToday
    ? formatLocalClock(time)
    : `${time.getDate()} ${months[time.getMonth()] ?? ''} ${formatLocalClock(time)}`;
}

/** Returns ms since the epoch for a time of the lab's status, ISO 8601 UTC; `null` if it is unknown. */
export function parseStatusTime(iso: string | null): number | null {
  const at = Date.parse(iso ?? '');
  return Number.isNaN(at) ? null : at;
}
