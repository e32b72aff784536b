import type { BarState } from '../../../api/states.ts';

/** One bar of a strip. */
export interface HistoryBar {
  /** Start and end, ms since the epoch. */
  readonly from: number;
  readonly to: number;
  /** The worst state in the bar; `null`: not watched. `maintenance` overrides every state. */
  readonly state: BarState | null;
}
