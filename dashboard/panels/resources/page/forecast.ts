/** The quantity of a resource over time, and when the resource will be used up. */
import { isObject } from '#api/client/wire.ts';
import { commandRecord } from '#api/commandRecord.ts';
import type { Event } from '#api/managers/event.ts';
import type { ResourceVersion } from '#api/managers/resourceTypes.ts';
import type { PlotSeries } from '#dashboard/components/plot/plot.ts';
import { isConsumable } from '#dashboard/managers/resource/amount.ts';
import { readUnit, type ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { convertAmount, distinctUnits, isSameUnit } from '#dashboard/managers/resource/units.ts';
import { resourcesTexts } from '../texts.ts';

const { amountField } = resourcesTexts.operations;
const { quantityIn } = resourcesTexts.page.colorings;

interface QuantityPoint {
  /** ms since the epoch. */
  readonly time: number;
  readonly value: number;
  readonly capacity: number | null;
  /** Whether only the unit was changed: the number was corrected, and nothing was consumed. */
  readonly isOtherUnit?: boolean;
}

interface QuantityHistory {
  readonly points: readonly QuantityPoint[];
  readonly unit: string;
  /** The units of quantities that can't be converted into the resource's unit; of a container, those of its contents. */
  readonly otherUnits: readonly string[];
}

/**
 * Returns the recorded quantities in the resource's unit, oldest first, without those of unknown time. A container with
 * contents of several units has none, because the manager adds them up as if they had one.
 */
export function quantityHistory(
  versions: readonly ResourceVersion[],
  parseStamp: (stamp: string | null | undefined) => number | null,
  row: Pick<ResourceRow, 'type' | 'unit' | 'totals'>,
): QuantityHistory {
  const contentUnits = Object.keys(row.totals);
  if (contentUnits.length > 1) return { points: [], unit: '', otherUnits: contentUnits };
  const unit = row.unit || (contentUnits[0] ?? '');
  const otherUnits: string[] = [];
  const ordered = versions.toSorted((a, b) => a.version - b.version);
  const storedUnits = isConsumable(row) ? readStoredUnits(ordered) : ordered.map(() => contentUnits[0] || unit);
  const points = ordered.flatMap(({ changed_at: stamp, quantity, capacity }, index): QuantityPoint[] => {
    const time = parseStamp(stamp);
    if (time === null || typeof quantity !== 'number') return [];
    const [previousUnit, storedUnit = ''] = [storedUnits[index - 1], storedUnits[index]];
    const value = convertAmount(quantity, storedUnit, unit);
    if (value === null) {
      otherUnits.push(storedUnit);
      return [];
    }
    const isOtherUnit = previousUnit !== undefined && !isSameUnit(previousUnit, storedUnit);
    return [
      {
        time,
        value,
        capacity: capacity ? convertAmount(capacity, storedUnit, unit) : null,
        ...(isOtherUnit && quantity === ordered[index - 1]?.quantity ? { isOtherUnit } : {}),
      },
    ];
  });
  return { points, unit, otherUnits: distinctUnits(otherUnits) };
}

/**
 * Returns the unit of each version of a consumable. A version that only adds the unit keeps the number, so the amounts
 * before it are in this unit, too.
 * @param ordered oldest first
 */
function readStoredUnits(ordered: readonly ResourceVersion[]): readonly string[] {
  const units = ordered.map(({ attributes }) => readUnit({ attributes }));
  for (let index = units.length - 1; index > 0; index -= 1) {
    if (units[index - 1] !== '') continue;
    const [previous, version] = [ordered[index - 1], ordered[index]];
    const addsUnit = readUnit({ attributes: version?.attributes }) !== '';
    if (!addsUnit || version?.quantity === previous?.quantity) units[index - 1] = units[index] ?? '';
  }
  return units;
}

/**
 * Returns the plot of the quantity; `null` if it never changed.
 * @param readAt time until which the last value applies, in ms since the epoch
 */
export function quantitySeries(
  { points, unit }: Pick<QuantityHistory, 'points' | 'unit'>,
  readAt: number,
): { readonly times: readonly number[]; readonly series: readonly PlotSeries[] } | null {
  const last = points.at(-1);
  if (last === undefined || points.every(({ value }) => value === last.value)) return null;
  const extendedPoints = readAt > last.time ? [...points, { ...last, time: readAt }] : points;
  return {
    times: extendedPoints.map(({ time }) => time),
    series: [{ name: unit === '' ? amountField : quantityIn(unit), values: extendedPoints.map(({ value }) => value) }],
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
    if (point.isOtherUnit === true || isCorrection(point) || isUndone(previous, point, points[index + 1])) continue;
    consumed += previous.value - point.value;
    uses += 1;
  }
  return uses < minUses || last.value <= 0 ? null : (last.value / consumed) * (now - first.time);
}
