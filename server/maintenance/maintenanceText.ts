/** Parses typed subjects and times of a maintenance window. */
import { weekdays, type MaintenanceSubject, type Recurrence } from '../../api/lab/lab.ts';
import { padTwoDigits } from '../../api/time/clockText.ts';
import { managerKeys } from '../../api/managers.ts';

export const subjectSyntax = `lab, ${managerKeys.join(', ')}, or node: and its name`;
export const everySyntax = 'Sun 02:00, Mon,Thu 22:30, daily 03:00, or never to cancel it';
export const durationSyntax = '30m, 2h, 1d';
export const untilSyntax = '30m, 2h, 3d, 18:00, tomorrow (8:00), 2026-03-02T08:00, or now to end it';

/** `data`, `lab`, `node:robotarm_1`. @returns `null` for anything else */
export function parseSubject(text: string): MaintenanceSubject | null {
  const trimmed = text.trim();
  const [, node] = /^node:\s*(\S.*)$/i.exec(trimmed) ?? [];
  if (node !== undefined) return { kind: 'node', id: node };
  if (trimmed.toLowerCase() === 'lab') return { kind: 'lab', id: 'lab' };
  const manager = managerKeys.find((key) => key === trimmed.replace(/[ _]manager$/i, '').toLowerCase());
  return manager === undefined ? null : { kind: 'manager', id: manager };
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const timeOfDayPattern = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/** `30m`, `2h`, `3d`. @returns ms; `null` if it is not a duration */
export function parseDuration(text: string): number | null {
  const [, count, unit] = /^(\d{1,5})\s*([mhd])$/.exec(text.trim().toLowerCase()) ?? [];
  return count === undefined ? null : Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** `Sun 02:00`, `Monday, Thursday 22:30`, `daily 3:00`. @returns `never` to cancel, `null` if it is neither */
export function parseEvery(text: string): Pick<Recurrence, 'days' | 'at'> | 'never' | null {
  const normalized = text.trim().toLowerCase();
  if (normalized === 'never') return 'never';
  const [, dayText = '', time = ''] = /^(.*\S)\s+(\S+)$/.exec(normalized) ?? [];
  const [, hours, minutes] = timeOfDayPattern.exec(time) ?? [];
  if (hours === undefined) return null;
  const names = dayText.split(/[,\s]+/).filter((name) => name !== '');
  const days = weekdays.filter((day) => names.some((name) => isDayName(name, day)));
  const isDaily = dayText === 'daily' || dayText === 'day';
  if (!isDaily && (days.length === 0 || !names.every((name) => days.some((day) => isDayName(name, day))))) return null;
  return { days: isDaily ? [...weekdays] : days, at: `${padTwoDigits(Number(hours))}:${minutes}` };
}
const fullNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const isDayName = (name: string, day: (typeof weekdays)[number]): boolean =>
  name.length >= 3 && (fullNames[weekdays.indexOf(day)] ?? '').startsWith(name);

/**
 * A time by this machine's clock; a time of day is the next one.
 * @returns ms since the epoch, `now` for the end, `null` if it is not a time
 */
export function parseUntil(text: string, now: number): number | 'now' | null {
  const normalized = text
    .trim()
    .toLowerCase()
    .replace(/^(\d{4}-\d{2}-\d{2}) +/, '$1t');
  if (normalized === 'now') return 'now';
  if (normalized === 'tomorrow') return timeOfDay(now, 1, 8, 0);
  const duration = parseDuration(normalized);
  if (duration !== null) return now + duration;
  const [, hours, minutes] = timeOfDayPattern.exec(normalized) ?? [];
  if (hours !== undefined) {
    const today = timeOfDay(now, 0, Number(hours), Number(minutes));
    return today > now ? today : timeOfDay(now, 1, Number(hours), Number(minutes));
  }
  if (!/^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(:\d{2})?(z|[+-]\d{2}:\d{2})?$/.test(normalized)) return null;
  // 31 February would be parsed as 3 March.
  const [year = 0, month = 0, day = 0] = normalized.slice(0, 10).split('-').map(Number);
  if (new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return null;
  const at = Date.parse(normalized.toUpperCase());
  return Number.isNaN(at) ? null : at;
}

/** A time of day, `days` after the day of `now`, by this machine's clock, in ms since the epoch. */
export function timeOfDay(now: number, days: number, hours: number, minutes: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, hours, minutes).getTime();
}
