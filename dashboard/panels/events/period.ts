/** The time range of the log, as it stands in the address. Pure. */
import type { LocationQuery, LocationQueryRaw } from 'vue-router';
import { isoLocal } from '../../base/time.ts';

const lengths = { minutes15: 15 * 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
export const periods = ['all', 'minutes15', 'hour', 'day', 'week'] as const;
/** `range`: fixed moments, so that a link shows the same events to everybody. The others follow the clock. */
export type Period = (typeof periods)[number] | 'range';

function momentOf(value: unknown): number | null {
  const at = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

export function periodOf(query: LocationQuery): Period {
  if (momentOf(query['from']) !== null || momentOf(query['to']) !== null) return 'range';
  return periods.find((period) => period === query['period']) ?? 'all';
}

/** In ms since the epoch; `null`: no bound. */
export interface PeriodSpan {
  readonly from: number | null;
  readonly to: number | null;
}

/** @param chosenAt when the period was chosen: it begins so long before */
export function periodSpan(query: LocationQuery, chosenAt: number): PeriodSpan {
  const period = periodOf(query);
  if (period === 'range') return { from: momentOf(query['from']), to: momentOf(query['to']) };
  // Without an end: what comes from now on belongs to it.
  return { from: period === 'all' ? null : chosenAt - lengths[period], to: null };
}

/** The part of the address that selects a range; without bounds it selects all times. */
export function queryOfRange({ from, to }: PeriodSpan): LocationQueryRaw {
  return {
    period: undefined,
    from: from === null ? undefined : String(Math.floor(from)),
    to: to === null ? undefined : String(Math.ceil(to)),
  };
}

/** The text of a field for date and time, in this machine's local time; empty without a moment. */
export function dateTimeText(at: number | null): string {
  return at === null ? '' : isoLocal(at).slice(0, 19);
}

/** While a year is typed, its first digits are a date of the first millennium, which no log has. */
const earliest = Date.UTC(2000, 0, 1);

/** The moment of such a text; `null` for an empty one, `undefined` for an incomplete one. */
export function parseDateTime(text: string): number | null | undefined {
  if (text === '') return null;
  const at = Date.parse(text);
  return Number.isNaN(at) || at < earliest ? undefined : at;
}
