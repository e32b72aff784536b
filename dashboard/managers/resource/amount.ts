/** How much of something there is, and whether somebody must do something about it. Pure. */
import type { StockState } from '../../../api/states.ts';
import { isGrid, type ResourceRow } from './resourceRow.ts';
import { figure } from '../../base/texts.ts';

/** Key of the attribute that holds a resource's low mark; the dashboard sets it, and any program of the lab may. */
export const lowMarkKey = 'low_mark';

export interface Amount {
  /** `quantity`: what is there; `children`: how many are in it; `sum`: of what its children hold, without assets. */
  readonly of: 'quantity' | 'children' | 'sum';
  readonly value: number;
  readonly capacity: number | null;
  /** Between 0 and 1 of the capacity; `null` where it has none. */
  readonly part: number | null;
  readonly unit: string;
  readonly lowMark: number | null;
  readonly state: StockState;
}

const consumables: ReadonlySet<string> = new Set(['consumable', 'discrete_consumable', 'continuous_consumable']);

export const isConsumable = ({ type }: Pick<ResourceRow, 'type'>): boolean => consumables.has(type);

export function lowMarkOf({ attributes }: Pick<ResourceRow, 'attributes'>): number | null {
  const mark = attributes[lowMarkKey];
  return typeof mark === 'number' && Number.isFinite(mark) && mark >= 0 ? mark : null;
}

/** `null` for what has no amount, such as an asset. */
export function amountOf(row: ResourceRow): Amount | null {
  if (row.quantity === null) return null;
  // MADSci counts assets as 0: a rack that is full of plates would be empty.
  if (row.places !== null && row.places.assets > 0 && row.quantity === 0)
    return placesAmount(row.places, lowMarkOf(row));
  const { quantity: value, capacity } = row;
  const lowMark = lowMarkOf(row);
  const part = capacity === null || capacity <= 0 ? null : Math.min(1, Math.max(0, value / capacity));
  const state = stateOf(value, capacity, lowMark);
  return {
    of: isConsumable(row) ? 'quantity' : row.type === 'pool' || isGrid(row) ? 'sum' : 'children',
    value,
    capacity,
    part,
    unit: row.unit,
    lowMark,
    state: state === 'inStock' && !isConsumable(row) ? 'occupied' : state,
  };
}

function placesAmount({ all, filled }: NonNullable<ResourceRow['places']>, lowMark: number | null): Amount {
  const state = stateOf(filled, all, lowMark);
  return {
    of: 'children',
    value: filled,
    capacity: all,
    part: all === 0 ? null : filled / all,
    unit: '',
    lowMark,
    state: state === 'inStock' ? 'occupied' : state,
  };
}

/** Something without a low mark is never low: a slot is empty most of the time, and so is the waste. */
function stateOf(value: number, capacity: number | null, lowMark: number | null): StockState {
  if (lowMark !== null && value <= lowMark) return value <= 0 ? 'out' : 'low';
  if (value <= 0) return 'empty';
  return capacity !== null && value >= capacity ? 'full' : 'inStock';
}

/** Whether a person should refill it. */
export function needsRefill(row: ResourceRow): boolean {
  const state = amountOf(row)?.state;
  return state === 'out' || state === 'low';
}

const small = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** 12,500; 0.0004 and not 0, however little there is. */
function amountFigure(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || size >= 1) return figure(value);
  return size < 1e-6 ? value.toExponential(2).replace(/\.?0+e/, 'e') : small.format(value);
}

/** An amount in words; by itself, because the Overview says it and the first page has no room for all words about resources. */
export const amountText = (value: number, unit: string): string =>
  unit === '' ? amountFigure(value) : `${amountFigure(value)} ${unit}`;
