/** A manager's history as bars, as the lab manager observed it. */
import { currentTime } from '../../base/clock.ts';
import type { LabHistory, ManagerHistory } from '#api/lab/lab.ts';
import { managerName } from '#api/managers.ts';
import { barAppearance } from '#api/states.ts';
import { formatDuration, formatTime, parseTime, type TimeRange } from '../../base/time.ts';
import type { HistoryBar } from '../../components/history/BarStrip.vue';
import { historyTexts as texts } from './texts.ts';

/** Divides a window into equal parts, one per bar, oldest first. */
export function toBars(bars: NonNullable<ManagerHistory['bars']>, window: TimeRange): HistoryBar[] {
  const length = (window.to - window.from) / bars.length;
  return bars.map((state, index) => ({
    from: window.from + index * length,
    to: window.from + (index + 1) * length,
    state,
  }));
}

/** Returns, for example, `20 Nov 14:00–20 Nov 16:00 unreachable`. */
export function describeBar(bar: HistoryBar, now: number): string {
  const label = bar.state === null ? texts.notWatched : barAppearance(bar.state).label.toLowerCase();
  return `${formatTime(bar.from, now)}–${formatTime(bar.to, now)} ${label}`;
}

/** Returns, for example, `99.95 %`. Rounded down, so that only full availability is `100 %`. */
export function formatAvailability(percent: number | null): string {
  if (percent === null) return '–';
  if (percent === 100) return '100 %';
  return `${(Math.floor(percent * 100) / 100).toFixed(2)} %`;
}

/**
 * Returns texts for the counted and the uncounted time of a window; less than two uncounted minutes are ignored.
 * @param counted in seconds
 * @param window in seconds
 */
export function describeCoverage(counted: number, window: number): { readonly text: string; readonly hint: string } {
  const uncounted = window - counted;
  if (uncounted < 120) return { text: 'of the whole time', hint: '' };
  return {
    text: `of ${formatDuration(counted * 1000)}`,
    hint: `${formatDuration(uncounted * 1000)} of the ${formatDuration(window * 1000)} are not counted: the lab manager was stopped or asleep, the state was unknown, or there was maintenance.`,
  };
}

/** Returns the last `hours` before the time of the response, in ms since the epoch. */
export function historyWindow(history: LabHistory, hours: number): TimeRange {
  const to = parseTime(history.now) ?? currentTime();
  return { from: to - hours * 3_600_000, to };
}

/** Returns a manager's bars and its availability in the window. */
export function summarizeHistory({ manager, bars = [], availability }: ManagerHistory, window: TimeRange) {
  return {
    manager,
    name: managerName(manager),
    bars: toBars(bars, window),
    percent: formatAvailability(availability?.percent ?? null),
    coverage:
      availability === undefined || availability.percent === null
        ? { text: 'not observed in this time', hint: '' }
        : describeCoverage(availability.counted_seconds, availability.window_seconds),
  };
}
