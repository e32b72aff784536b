/** The quantity of a resource over time, and when it will be used up at this pace. Pure. */
import { isObject } from '../../../../api/client/wire.ts';
import { commandRecord } from '../../../../api/commandRecord.ts';
import type { Event } from '../../../../api/managers/event.ts';
import type { ResourceVersion } from '../../../../api/managers/resourceTypes.ts';
import type { Series } from '../../../components/plot/plot.ts';
import { resourcesTexts } from '../texts.ts';

interface QuantityPoint {
  /** ms since the epoch. */
  readonly time: number;
  readonly value: number;
  readonly capacity: number | null;
}

/** Returns the recorded quantities, oldest first, without those of unknown time. */
export function quantityPoints(
  versions: readonly ResourceVersion[],
  at: (stamp: string | null | undefined) => number | null,
): readonly QuantityPoint[] {
  return versions
    .toSorted((a, b) => a.version - b.version)
    .flatMap(({ changed_at: stamp, quantity, capacity }) => {
      const time = at(stamp);
      return time === null || typeof quantity !== 'number'
        ? []
        : [{ time, value: quantity, capacity: capacity ?? null }];
    });
}

/**
 * Returns the plot of the quantity; `null` if it never changed.
 * @param readAt time until which the last value applies, in ms since the epoch
 */
export function quantitySeries(
  points: readonly QuantityPoint[],
  readAt: number,
): { readonly times: readonly number[]; readonly series: readonly Series[] } | null {
  const last = points.at(-1);
  if (last === undefined || points.every(({ value }) => value === last.value)) return null;
  const extendedPoints = readAt > last.time ? [...points, { ...last, time: readAt }] : points;
  return {
    times: extendedPoints.map(({ time }) => time),
    series: [{ name: resourcesTexts.operations.amountField, values: extendedPoints.map(({ value }) => value) }],
  };
}

/** A period in which a person corrected the amount, in ms since the epoch. */
interface Correction {
  readonly from: number;
  readonly to: number;
}

/** Dashboard commands with which users correct an amount; consumption is subtracted instead. */
const correcting: ReadonlySet<string> = new Set(['set_quantity', 'empty']);
/** The store rounds its times to seconds, and the clocks of two machines differ a little, in ms. */
const toleranceMs = 2000;

/** The corrections among the recorded commands of a resource. */
export function correctionsIn(events: readonly Pick<Event, 'event_data'>[]): readonly Correction[] {
  return events.flatMap(({ event_data: data }) => {
    const read = isObject(data) ? commandRecord.safeParse(data) : null;
    if (read?.success !== true || !correcting.has(read.data.command) || read.data.result === 'failed') return [];
    const sent = Date.parse(read.data.sent_at);
    return Number.isNaN(sent) ? [] : [{ from: sent - toleranceMs, to: sent + read.data.duration_ms + toleranceMs }];
  });
}

/** The forecast is based on the changes of this period, in ms. */
const paceMs = 7 * 24 * 3_600_000;
const minPoints = 3;
/** A change that is undone within this time was a mistake, in ms. */
const undoneMs = 10 * 60_000;

/** Whether the next change restores the amount soon. Filling up to the capacity is a refill. */
function isUndone(before: QuantityPoint, point: QuantityPoint, next: QuantityPoint | undefined): boolean {
  if (next === undefined || next.value !== before.value || next.time - point.time > undoneMs) return false;
  return next.value !== next.capacity;
}

/**
 * Returns when the resource will be used up at the rate of the last 7 days, in ms from `now`; `null` without enough data
 * or consumption. Refills and corrections do not count as consumption.
 */
export function timeLeft(
  points: readonly QuantityPoint[],
  now: number,
  corrections: readonly Correction[] = [],
): number | null {
  const isCorrection = ({ time }: QuantityPoint): boolean =>
    corrections.some(({ from, to }) => time >= from && time <= to);
  const recent = points.filter(({ time }) => time >= now - paceMs);
  const [first] = recent;
  const last = points.at(-1);
  if (first === undefined || last === undefined || recent.length < minPoints || now <= first.time) return null;
  let used = 0;
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before === undefined || point.time < first.time || point.value >= before.value) continue;
    if (!isCorrection(point) && !isUndone(before, point, points[index + 1])) used += before.value - point.value;
  }
  return used <= 0 ? null : (last.value / used) * (now - first.time);
}
