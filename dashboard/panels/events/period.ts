/** The time that is asked for, as it stands in the address. Pure. */
import type { LocationQuery } from 'vue-router';

const lengths = { minutes15: 15 * 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
export const periods = ['all', 'minutes15', 'hour', 'day', 'week'] as const;
/** `range`: between two moments that were chosen over the bars. */
export type Period = (typeof periods)[number] | 'range';

function momentOf(value: unknown): number | null {
  const at = typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

export function periodOf(query: LocationQuery): Period {
  if (momentOf(query['from']) !== null && momentOf(query['to']) !== null) return 'range';
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
