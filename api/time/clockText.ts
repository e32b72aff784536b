/** Formats local dates and times for texts and file names. Pure. */

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `07` */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** `2026-03-02` */
export function localDate(date: Date): string {
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

function localClock(date: Date): string {
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** `2026-03-02 18:00` */
export function localDateTime(date: Date): string {
  return `${localDate(date)} ${localClock(date)}`;
}

/** `2026-03-02-1800`, for a file name. */
export function fileTime(date: Date): string {
  return `${localDate(date)}-${localClock(date).replace(':', '')}`;
}

/** `14:02` today, else `19 Nov 14:02`. @param at ms since the epoch @param now ms since the epoch */
export function clockText(at: number, now: number): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date(now).toDateString();
  return isToday ? localClock(time) : `${time.getDate()} ${months[time.getMonth()] ?? ''} ${localClock(time)}`;
}
