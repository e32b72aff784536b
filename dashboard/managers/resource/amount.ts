/** The amount of a resource, and whether it needs attention. */
import type { StockState } from '#api/states.ts';
import { isGrid, type ResourceRow } from './resourceRow.ts';
import { formatNumber } from '#api/countText.ts';
import { toNumber } from '#api/exactJson.ts';
import { convertAmount, isSameUnit } from './units.ts';

/** Key of the attribute with a resource's low mark; set by the dashboard or any other program of the lab. */
export const lowMarkKey = 'low_mark';

export interface Amount {
  /** `quantity`: the resource's own; `children`: their number; `sum`: the total of its children, without assets. */
  readonly basis: 'quantity' | 'children' | 'sum';
  readonly value: number;
  readonly capacity: number | null;
  /** The filled part of the capacity, from 0 to 1; `null` without a capacity. */
  readonly fraction: number | null;
  readonly unit: string;
  readonly lowMark: number | null;
  readonly state: StockState;
  /** The units of its contents, if they keep its low mark and its capacity from being compared; empty otherwise. */
  readonly mixedUnits: readonly string[];
}

const consumables: ReadonlySet<string> = new Set(['consumable', 'discrete_consumable', 'continuous_consumable']);

export const isConsumable = ({ type }: Pick<ResourceRow, 'type'>): boolean => consumables.has(type);

export function readLowMark({ attributes }: Pick<ResourceRow, 'attributes'>): number | null {
  const value = toNumber(attributes[lowMarkKey]);
  return value !== null && Number.isFinite(value) && value >= 0 ? value : null;
}

/** The stored low mark, if it is not used because it is no number of 0 or more; `undefined` without one. */
export function findUnusedLowMark(row: Pick<ResourceRow, 'attributes'>): unknown {
  return readLowMark(row) === null ? (row.attributes[lowMarkKey] ?? undefined) : undefined;
}

/** `null` for a resource without an amount, such as an asset. */
export function getAmount(row: ResourceRow): Amount | null {
  if (row.quantity === null) return null;
  const units = Object.keys(row.totals);
  const total = readTotal(row, row.quantity);
  // A low mark and a capacity are in the container's own unit, or in the only one of its contents.
  const isComparable = total !== null && (row.unit !== '' || units.length <= 1);
  const lowMark = isComparable ? readLowMark(row) : null;
  const mixedUnits = isComparable ? [] : units;
  const filled = row.places?.filled ?? row.children.length;
  // MADSci counts assets as 0, so a rack full of plates would appear empty.
  const isCounted = row.places !== null && row.places.assets > 0 && row.quantity === 0;
  const isEmptied = row.places !== null && filled > 0 && row.quantity === 0;
  if (total === null || isCounted || (lowMark === null && isEmptied))
    return { ...countAmount(row.places?.all ?? null, filled, lowMark), mixedUnits };
  const capacity = isComparable ? row.capacity : null;
  const { value, unit } = total;
  const fraction = capacity === null || capacity <= 0 ? null : Math.min(1, Math.max(0, value / capacity));
  const state = stockState(value, capacity, lowMark);
  return {
    basis: isConsumable(row) ? 'quantity' : row.type === 'pool' || isGrid(row) ? 'sum' : 'children',
    value,
    capacity,
    fraction,
    unit,
    lowMark,
    state: state === 'inStock' && !isConsumable(row) ? 'occupied' : state,
    mixedUnits,
  };
}

/** The manager adds up the quantities without their units. `null` if the units can't be converted. */
function readTotal(
  { totals, unit: ownUnit }: ResourceRow,
  quantity: number,
): { readonly value: number; readonly unit: string } | null {
  const units = Object.keys(totals);
  const unit = ownUnit || (units[0] ?? '');
  if (units.every((other) => isSameUnit(other || ownUnit, unit))) return { value: quantity, unit };
  let value = 0;
  for (const [from, part] of Object.entries(totals)) {
    const converted = convertAmount(part, from || ownUnit, unit);
    if (converted === null) return null;
    value += converted;
  }
  return { value, unit };
}

/** @param all the number of places; `null` if it is unlimited */
function countAmount(all: number | null, filled: number, lowMark: number | null): Omit<Amount, 'mixedUnits'> {
  const state = stockState(filled, all, lowMark);
  return {
    basis: 'children',
    value: filled,
    capacity: all,
    fraction: all === null || all === 0 ? null : filled / all,
    unit: '',
    lowMark,
    state: state === 'inStock' ? 'occupied' : state,
  };
}

/** A resource without a low mark is never low: slots and waste are often empty. */
function stockState(value: number, capacity: number | null, lowMark: number | null): StockState {
  if (lowMark !== null && value <= lowMark) return value <= 0 ? 'out' : 'low';
  if (value <= 0) return 'empty';
  return capacity !== null && value >= capacity ? 'full' : 'inStock';
}

export function needsRefill(row: ResourceRow): boolean {
  const state = getAmount(row)?.state;
  return state === 'out' || state === 'low';
}

const smallNumberFormat = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** Formats an amount: 12,500; small amounts such as 0.0004 never become 0. */
function formatAmountValue(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || size >= 1) return formatNumber(value);
  return size < 1e-6 ? value.toExponential(2).replace(/\.?0+e/, 'e') : smallNumberFormat.format(value);
}

/**
 * Formats an amount. A separate function, because the Overview uses it and the first page has no room for all texts about
 * resources.
 */
export const formatAmount = (value: number, unit: string): string =>
  unit === '' ? formatAmountValue(value) : `${formatAmountValue(value)} ${unit}`;
