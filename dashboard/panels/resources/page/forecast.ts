/** The quantity of a resource over time, and when the resource will be used up. Pure. */
import { isObject } from '../../../../api/client/wire.ts';
import { commandRecord } from '../../../../api/commandRecord.ts';
import type { Event } from '../../../../api/managers/event.ts';
import type { ResourceVersion } from '../../../../api/managers/resourceTypes.ts';
import type { PlotSeries } from '../../../components/plot/plot.ts';
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
  parseStamp: (stamp: string | null | undefined) => number | null,
): readonly QuantityPoint[] {
  return versions
    .toSorted((a, b) => a.version - b.version)
    .flatMap(({ changed_at: stamp, quantity, capacity }) => {
      const time = parseStamp(stamp);
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
): { readonly times: readonly number[]; readonly series: readonly PlotSeries[] } | null {
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
const correctionCommands: ReadonlySet<string> = new Set(['set_quantity', 'empty']);
/** Tolerance in ms: the store rounds its times to seconds, and the clocks of two machines differ a little. */
const toleranceMs = 2000;

/** Returns the corrections among the recorded commands of a resource. */
export function extractCorrections(events: readonly Pick<Event, 'event_data'>[]): readonly Correction[] {
  return events.flatMap(({ event_data: data }) => {
    const parsed = isObject(data) ? commandRecord.safeParse(data) : null;
    if (parsed?.success !== true || !correctionCommands.has(parsed.data.command) || parsed.data.result === 'failed')
      return [];
    const sentAt = Date.parse(parsed.data.sent_at);
    return Number.isNaN(sentAt)
      ? []
      : [{ from: sentAt - toleranceMs, to: sentAt + parsed.data.duration_ms + toleranceMs }];
  });
}

/** The forecast is based on the changes of this period, in ms. */
const forecastWindowMs = 7 * 24 * 3_600_000;
/** A single subtraction is no rate. */
const minUses = 3;
/** A change that is undone within this time was a mistake, in ms. */
const maxUndoMs = 10 * 60_000;

/** Returns whether the next change restores the amount soon. Filling up to the capacity is a refill. */
function isUndone(previous: QuantityPoint, point: QuantityPoint, next: QuantityPoint | undefined): boolean {
  if (next === undefined || next.value !== previous.value || next.time - point.time > maxUndoMs) return false;
  return next.value !== next.capacity;
}

/**
 * Returns when the resource will be used up at the rate of the last 7 days, in ms from `now`; `null` without enough
 * data, without consumption, or if nothing is left. Refills and corrections do not count as consumption.
 */
export function estimateTimeLeft(
  points: readonly QuantityPoint[],
  now: number,
  corrections: readonly Correction[] = [],
): number | null {
  const isCorrection = ({ time }: QuantityPoint): boolean =>
    corrections.some(({ from, to }) => time >= from && time <= to);
  const first = points.find(({ time }) => time >= now - forecastWindowMs);
  const last = points.at(-1);
  if (first === undefined || last === undefined || now <= first.time) return null;
  let [consumed, uses] = [0, 0];
  for (const [index, point] of points.entries()) {
    const previous = points[index - 1];
    if (previous === undefined || point.time < first.time || point.value >= previous.value) continue;
    if (isCorrection(point) || isUndone(previous, point, points[index + 1])) continue;
    consumed += previous.value - point.value;
    uses += 1;
  }
  return uses < minUses || last.value <= 0 ? null : (last.value / consumed) * (now - first.time);
}
