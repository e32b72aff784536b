/** Texts for paper and files, which are read on other days and in other zones: dates with year and time zone. */
import { formatTime, toLocalIso, type TimeRange } from '#dashboard/base/time.ts';

/** A `now` in another year, so that every formatted date includes its year. */
const nowInOtherYear = 0;
const formatOffset = (time: number): string => `UTC${toLocalIso(time).slice(19)}`;

/** `UTC+01:00 (Europe/Berlin)`; with both offsets where the clocks change in between. */
export function describeZone({ from, to }: TimeRange, name = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const offsets = [...new Set([formatOffset(from), formatOffset(to)])].join(' / ');
  return name === 'UTC' ? 'UTC' : `${offsets} (${name})`;
}

/** Date and time of both ends with the zone: `22 Nov 2026 18:00 – 23 Nov 2026 08:00, UTC+01:00 (Europe/Berlin)`. */
export function describePictureSpan(range: TimeRange, zone = describeZone(range)): string {
  return `${formatTime(range.from, nowInOtherYear)} – ${formatTime(range.to, nowInOtherYear)}, ${zone}`;
}

export function describeSavedAt(now: number): string {
  return `Saved ${formatTime(now, nowInOtherYear)}`;
}
