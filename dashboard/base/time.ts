/** Formats times and durations: local, 24 h unless the user chose otherwise. */
import { ref } from 'vue';
import { formatLocalDate, months, padTwoDigits } from '../../api/time/clockText.ts';
import { formatElapsed } from '../../api/time/durationText.ts';

export { formatDuration, formatElapsed } from '../../api/time/durationText.ts';

export const timeFormats = ['24h', '12h'] as const;
type TimeFormat = (typeof timeFormats)[number];
/** The user's time format; displayed times follow it. */
export const timeFormat = ref<TimeFormat>('24h');

/** In ms since the epoch. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Parses ISO 8601 with a zone to ms since the epoch; `null` for anything else. A time without a zone is `null` too: it is
 * local to its host, and only `useManagerTime` has that zone.
 */
export function parseTime(iso: string | null | undefined): number | null {
  if (iso === null || iso === undefined || !/T.*(?:[zZ]|[+-]\d{2}:?\d{2})$/.test(iso)) return null;
  const time = Date.parse(iso);
  return Number.isNaN(time) ? null : time;
}

/** @param suffix the text after the minutes */
function formatClockWith(date: Date, suffix: string): string {
  const [hours, minutes] = [date.getHours(), padTwoDigits(date.getMinutes())];
  if (timeFormat.value === '24h') return `${padTwoDigits(hours)}:${minutes}${suffix}`;
  return `${hours % 12 === 0 ? 12 : hours % 12}:${minutes}${suffix} ${hours < 12 ? 'am' : 'pm'}`;
}

/** `14:02` or `2:02 pm` */
export function formatClock(time: number): string {
  return formatClockWith(new Date(time), '');
}

/** `14:02:05` or `2:02:05 pm`; with a `fraction` of the second: `14:02:05.3` */
export function formatClockSeconds(time: number, fraction = ''): string {
  const date = new Date(time);
  return formatClockWith(date, `:${padTwoDigits(date.getSeconds())}${fraction}`);
}

/** `20 Nov `, with the year if it differs; empty for today. */
function datePrefix(time: number, now: number): string {
  const [date, today] = [new Date(time), new Date(now)];
  if (date.toDateString() === today.toDateString()) return '';
  const year = date.getFullYear() === today.getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${months[date.getMonth()] ?? ''}${year} `;
}

/** `14:02` today, `20 Nov 14:02` otherwise, with the year if it differs; empty for an unknown time. */
export function formatTime(time: number | null, now: number): string {
  return time === null ? '' : datePrefix(time, now) + formatClock(time);
}

/** Like `formatTime`, with seconds: `14:02:05`, `20 Nov 14:02:05`. */
export function formatTimeSeconds(time: number, now: number): string {
  return datePrefix(time, now) + formatClockSeconds(time);
}

/**
 * Formats times that are displayed together: all with seconds if two share a minute, because those would look equal.
 */
export function formatTimes(times: readonly number[], now: number): string[] {
  const minutes = new Set(times.map((time) => Math.floor(time / 60_000)));
  return times.map((time) => (minutes.size < times.length ? formatTimeSeconds(time, now) : formatTime(time, now)));
}

/** ISO 8601 in local time with its offset, for tooltips: `2026-11-21T14:02:05+01:00`. */
export function toLocalIso(time: number): string {
  const date = new Date(time);
  const offset = -date.getTimezoneOffset();
  const sign = offset < 0 ? '-' : '+';
  const zone = `${sign}${padTwoDigits(Math.floor(Math.abs(offset) / 60))}:${padTwoDigits(Math.abs(offset) % 60)}`;
  return `${formatLocalDate(date)}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(padTwoDigits).join(':')}${zone}`;
}

/**
 * ISO 8601 in UTC, for files; empty for an unknown time.
 * @param stamp the manager's text of the time, whose digits below a millisecond are kept
 */
export function toUtcIso(time: number | null, stamp = ''): string {
  if (time === null) return '';
  const [, milliseconds = '', digits = ''] = /\.(\d{3})(\d+)/.exec(stamp) ?? [];
  const iso = new Date(time).toISOString();
  return iso.endsWith(`.${milliseconds}Z`) ? iso.replace('Z', `${digits}Z`) : iso;
}

/** Formats the age of a state: `12 s`, whole minutes from one minute on, so that it changes only once a minute. */
export function formatAge(ms: number): string {
  return formatElapsed(ms < 60_000 ? ms : Math.floor(ms / 60_000) * 60_000);
}
