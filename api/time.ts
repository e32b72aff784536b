/**
 * MADSci's times and durations. Most timestamps have no zone and are the local time of the manager's host, so reading
 * one takes that host's offset; the resource manager on SQLite writes naive UTC (offset 0).
 */

/** Minutes east of UTC of a host's clock: +60 in Berlin's winter. */
export type OffsetMinutes = number;

const stamp = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/i;
const minute = 60_000;

/** Whether the text says its zone itself, so that no offset is needed. */
export function hasZone(text: string): boolean {
  return stamp.exec(text.trim())?.[3] !== undefined;
}

/**
 * The moment of a manager's timestamp; null for a text that is none. A zone in the text counts; without one it is the
 * local time of a host that is `hostOffsetMinutes` east of UTC. Exact to the millisecond.
 */
export function parseManagerTime(text: string | null | undefined, hostOffsetMinutes: OffsetMinutes): Date | null {
  const found = stamp.exec((text ?? '').trim());
  if (found === null) return null;
  const [, day = '', clock = '', zone] = found;
  const [hours = '', minutes = '', seconds = '00'] = clock.split(':');
  // ECMAScript defines three digits of a second; MADSci writes six.
  const [whole = '00', fraction = ''] = seconds.split('.');
  const utc = Date.parse(`${day}T${hours}:${minutes}:${whole}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  if (Number.isNaN(utc) || new Date(utc).toISOString().slice(0, 10) !== day) return null;
  return new Date(utc - zoneMinutes(zone, hostOffsetMinutes) * minute);
}

function zoneMinutes(zone: string | undefined, fallback: OffsetMinutes): OffsetMinutes {
  if (zone === undefined) return fallback;
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const size = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return zone.startsWith('-') ? -size : size;
}

/** The moment as a manager there would write it: naive, in its host's local time, for `start_time` and the like. */
export function formatManagerTime(moment: Date, hostOffsetMinutes: OffsetMinutes): string {
  return new Date(moment.getTime() + hostOffsetMinutes * minute).toISOString().slice(0, -1);
}

/** A naive timestamp, and a moment at or after it that is known for certain. */
export interface SeenStamp {
  readonly naive: string;
  readonly seen: Date;
}

/**
 * Estimates a host's offset from stamps that were fresh when seen; null when there are none. Good stamps are
 * `submitted_time` of a workflow just started, the newest event of a busy log, or a step's `last_status_update` next
 * to its result's `history_created_at`, which has a zone. (`/health` gives only the `Date` header, which is UTC and
 * hidden from pages.)
 *
 * A stamp can only be older than the moment it is seen, so the largest difference counts, and is rounded up to the
 * quarter hour, in which all zones are. Right as long as the newest stamp is at most 12 minutes old and the two
 * clocks differ by less than 2 minutes.
 */
export function estimateHostOffset(stamps: readonly SeenStamp[]): OffsetMinutes | null {
  const differences = stamps.flatMap(({ naive, seen }) => {
    const asUtc = hasZone(naive) ? null : parseManagerTime(naive, 0);
    return asUtc === null ? [] : [(asUtc.getTime() - seen.getTime()) / minute];
  });
  if (differences.length === 0) return null;
  const offset = Math.ceil((Math.max(...differences) - clockSkewMinutes) / 15) * 15;
  // Zones go from -12 to +14 hours: anything else is an old stamp or a clock that is wrong.
  return offset < -12 * 60 || offset > 14 * 60 ? null : offset + 0;
}

const clockSkewMinutes = 2;

const period =
  /^([+-]?)P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?=\d)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const day = 86_400;
/** Seconds in a year, month, week, day, hour, minute and second; years and months as pydantic counts them. */
const lengths = [365 * day, 30 * day, 7 * day, day, 3600, 60, 1] as const;

/** The seconds of an ISO 8601 duration such as `PT0.996324S` or `P1DT2H`; null for a text that is none. */
export function parseDuration(text: string | null | undefined): number | null {
  const found = period.exec((text ?? '').trim());
  if (found === null) return null;
  const seconds = lengths.reduce((sum, length, index) => sum + Number(found[index + 2] ?? 0) * length, 0);
  return found[1] === '-' ? -seconds : seconds;
}
