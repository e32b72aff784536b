/**
 * MADSci's times and durations. Most timestamps have no zone and are local times of the manager's host, so parsing one
 * requires the host's time zone; the resource manager on SQLite writes naive UTC.
 */
import { clock } from './clock.ts';
import { padTwoDigits } from './clockText.ts';

/** Minutes east of UTC: +60 in Berlin's winter. */
export type OffsetMinutes = number;

/** The time zone of a host: an IANA name (`Europe/Berlin`), or `+01:00` if only its offset is known. */
export type HostZone = string;

const timestampPattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/i;
const offsetPattern = /^(?:GMT|UTC)?([+-])(\d{2}):?(\d{2})(?::\d{2})?$/;
const minuteMs = 60_000;
const quarterHourMs = 15 * minuteMs;
const dayMs = 86_400_000;

/** Whether the text contains a zone, so that the host's is not needed. */
export function hasZone(text: string): boolean {
  return timestampPattern.exec(text.trim())?.[3] !== undefined;
}

/**
 * Parses a manager's timestamp, exact to the millisecond; null if it is invalid. A zone in the text has priority; without
 * one the text is the local time of a host in `zone`. If the time occurs twice, when the clocks go back, the first is
 * used, as in Python.
 */
export function parseManagerTime(text: string | null | undefined, zone: HostZone): Date | null {
  const match = timestampPattern.exec((text ?? '').trim());
  if (match === null) return null;
  const [, date = '', dayTime = '', zoneText] = match;
  const [hours = '', minutes = '', seconds = '00'] = dayTime.split(':');
  // ECMAScript defines three digits of a second; MADSci writes six.
  const [wholeSeconds = '00', fraction = ''] = seconds.split('.');
  const local = Date.parse(`${date}T${hours}:${minutes}:${wholeSeconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== date) return null;
  if (zoneText !== undefined)
    return new Date(local - (zoneText.toUpperCase() === 'Z' ? 0 : (parseOffset(zoneText) ?? 0)) * minuteMs);
  const before = offsetAt(zone, local - dayMs);
  const after = offsetAt(zone, local + dayMs);
  const matches = (offset: OffsetMinutes) => offsetAt(zone, local - offset * minuteMs) === offset;
  return new Date(local - (matches(before) || !matches(after) ? before : after) * minuteMs);
}

/** Formats a time like a manager on the host: naive, in its local time, for `start_time` and similar parameters. */
export function formatManagerTime(moment: Date, zone: HostZone): string {
  return new Date(moment.getTime() + offsetAt(zone, moment.getTime()) * minuteMs).toISOString().slice(0, -1);
}

/** `+05:30`, for a host with a known offset but no zone. */
function formatOffset(offset: OffsetMinutes): HostZone {
  const absolute = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${padTwoDigits(Math.floor(absolute / 60))}:${padTwoDigits(absolute % 60)}`;
}

function parseOffset(zone: string): OffsetMinutes | null {
  const match = offsetPattern.exec(zone);
  if (match === null) return null;
  const totalMinutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? 0 - totalMinutes : totalMinutes;
}

const formatters = new Map<HostZone, Intl.DateTimeFormat>();
/** Offsets by zone and quarter hour: a lookup by `Intl` takes microseconds, and a timeline has 100,000 timestamps. */
const offsets = new Map<HostZone, Map<number, OffsetMinutes>>();
/** Quarter hours of a year. */
const maxOffsets = 35_000;

/**
 * The offset of a zone at a time.
 * @param at ms since the epoch
 * @throws RangeError for a zone that does not exist (`isTimeZone`)
 */
export function offsetAt(zone: HostZone, at: number): OffsetMinutes {
  const fixed = parseOffset(zone);
  if (fixed !== null) return fixed;
  let zoneOffsets = offsets.get(zone);
  if (zoneOffsets === undefined || zoneOffsets.size > maxOffsets) offsets.set(zone, (zoneOffsets = new Map()));
  const quarter = Math.floor(at / quarterHourMs);
  const cached = zoneOffsets.get(quarter);
  if (cached !== undefined) return cached;
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formatters.set(zone, formatter);
  }
  const name =
    formatter.formatToParts(quarter * quarterHourMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const offset = parseOffset(name) ?? 0;
  zoneOffsets.set(quarter, offset);
  return offset;
}

/** Whether the text is an IANA time zone or an offset such as `+05:30`. */
export function isTimeZone(text: string): boolean {
  if (/^[+-]\d{2}:\d{2}$/.test(text)) return Math.abs(parseOffset(text) ?? Infinity) <= 14 * 60;
  try {
    return (
      new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone !== '' && /^[A-Z]/i.test(text)
    );
  } catch {
    return false;
  }
}

/** The time zone and clock offset of a host. */
export interface HostClock {
  readonly zone: HostZone;
  /** How far its clock is ahead of the service's, in ms; negative: behind. */
  readonly aheadMs: number;
}

/**
 * The time of a host's timestamp by the service's clock, in ms since the epoch; `null` if it is invalid.
 * @param id of the record with the timestamp, if any: it shows the zone of the host that created the record
 */
export function hostTime(stampText: string | null | undefined, hostClock: HostClock, id?: string): number | null {
  const offset = id === undefined ? null : detectOffset({ id, stamp: stampText });
  const at = parseManagerTime(stampText, offset === null ? hostClock.zone : formatOffset(offset));
  return at === null ? null : at.getTime() - hostClock.aheadMs;
}

/** Parses a timestamp of one host, like `hostTime` with its clock. */
export type ReadStamp = (stamp: string | null | undefined, id?: string) => number | null;

/**
 * Formats a time (ms since the epoch by the service's clock) like the host: naive, to the second, for comparison as text.
 */
export function hostStamp(at: number, { zone, aheadMs }: HostClock): string {
  const moment = Math.min(maxMoment, Math.max(minMoment, at + aheadMs));
  return formatManagerTime(new Date(moment), zone).slice(0, 19);
}

/** The time zone of this machine. A zone without a name, as with an empty `TZ`, is returned as its offset. */
export function ownTimeZone(): HostZone {
  const name: unknown = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return typeof name === 'string' && isTimeZone(name)
    ? name
    : formatOffset(0 - new Date(clock.now()).getTimezoneOffset());
}

/** Between these times, in ms since the epoch, the year has four digits in every time zone: times compare as text. */
const [minMoment, maxMoment] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')];

const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const ulidDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The creation time of an ID, in ms since the epoch; `null` if it is not a ULID. */
export function parseUlidTime(id: string): number | null {
  if (!ulidPattern.test(id)) return null;
  return Array.from(id.slice(0, 10)).reduce((time, digit) => time * 32 + ulidDigits.indexOf(digit), 0);
}

/** A record's ID and its creation time, as written by its host. */
export interface StampedRecord {
  readonly id: string;
  readonly stamp: string | null | undefined;
}

/** The maximum delay between a record's ID and its timestamp, in ms. */
const maxStampDelayMs = 2 * minuteMs;

/**
 * The offset of the host that created a record. MADSci creates a record's ID, a ULID with the UTC time, and its naive
 * time together from one clock, which need not be correct. `null` if the ID is not a ULID or has a different time.
 */
function detectOffset({ id, stamp: text }: StampedRecord): OffsetMinutes | null {
  const createdAt = parseUlidTime(id);
  if (createdAt === null || typeof text !== 'string' || hasZone(text)) return null;
  const local = parseManagerTime(text, '+00:00')?.getTime();
  if (local === undefined) return null;
  const offset = Math.round((local - createdAt) / quarterHourMs) * 15;
  const isSameTime = Math.abs(local - createdAt - offset * minuteMs) <= maxStampDelayMs;
  return isSameTime && offset >= -12 * 60 && offset <= 14 * 60 ? offset + 0 : null;
}

/** The number of newest records that determine a host's time zone. */
const maxEvidence = 20;

/**
 * The time zone of the host that created the records; `null` if none of them shows it.
 * @param probableZone such as this machine's: returned if it matches every record, because a named zone also contains
 * daylight saving time
 */
export function detectTimeZone(records: readonly StampedRecord[], probableZone: HostZone): HostZone | null {
  const evidence = records
    .flatMap((record) => {
      const offset = detectOffset(record);
      return offset === null ? [] : [{ at: parseUlidTime(record.id) ?? 0, offset }];
    })
    .toSorted((a, b) => b.at - a.at)
    .slice(0, maxEvidence);
  const newest = evidence[0];
  if (newest === undefined) return null;
  if (evidence.every(({ at, offset }) => offsetAt(probableZone, at) === offset)) return probableZone;
  // Older records may have another offset because of daylight saving time.
  const recent = evidence.filter(({ at }) => at > newest.at - dayMs);
  const counts = new Map<OffsetMinutes, number>();
  for (const { offset } of recent) counts.set(offset, (counts.get(offset) ?? 0) + 1);
  const highest = Math.max(...counts.values());
  // If two offsets are equally frequent, the newer one is used.
  return formatOffset(recent.find(({ offset }) => counts.get(offset) === highest)?.offset ?? newest.offset);
}

const durationPattern =
  /^([+-]?)P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?=\d)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const daySeconds = 86_400;
/** Seconds in a year, month, week, day, hour, minute and second; years and months as in pydantic. */
const unitSeconds = [365 * daySeconds, 30 * daySeconds, 7 * daySeconds, daySeconds, 3600, 60, 1] as const;

/** The seconds of an ISO 8601 duration such as `PT0.996324S` or `P1DT2H`; null if it is invalid. */
export function parseDuration(text: string | null | undefined): number | null {
  const match = durationPattern.exec((text ?? '').trim());
  if (match === null) return null;
  const seconds = unitSeconds.reduce((sum, length, index) => sum + Number(match[index + 2] ?? 0) * length, 0);
  return match[1] === '-' ? -seconds : seconds;
}

/** Sorts spans of time by their start, and merges those that touch or overlap. */
export function mergeSpans(
  spans: readonly { readonly from: number; readonly to: number }[],
): { from: number; to: number }[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
