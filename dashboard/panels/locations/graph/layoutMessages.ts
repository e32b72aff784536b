/** What the page and the worker of the transfer graph's layout say to each other. */
import type { LayoutRequest, Places } from './layout.ts';

export interface LayoutQuestion {
  readonly id: number;
  readonly request: LayoutRequest;
}
export interface LayoutAnswer {
  readonly id: number;
  readonly places: Places;
}
