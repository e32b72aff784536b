/** Days of a manager as bars, from the changes of its state and from when somebody watched. Pure. */
import { currentTime } from '../../base/clock.ts';
import type { LabHistory, ManagerHistory, StateChange } from '../../../api/lab/lab.ts';
import { managerName, type ManagerKey } from '../../../api/managers.ts';
import { managerLooks, type ManagerState } from '../../../api/states.ts';
import { duration, moment, parseTime, type TimeRange } from '../../base/time.ts';
import { barLook, type HistoryBar } from '../../components/history/strip.ts';
import { historyTexts as texts } from './history/texts.ts';

const barCount = 90;

function watchedRanges(watched: LabHistory['watched']): TimeRange[] {
  return (watched ?? []).flatMap(({ from, to }) => {
    const [begin, end] = [parseTime(from), parseTime(to)];
    return begin === null || end === null ? [] : [{ from: begin, to: end }];
  });
}

/** Whether all of a span that lies in a bar does in `maintenance`, too. */
const covers = (maintenance: TimeRange, span: TimeRange, bar: TimeRange): boolean =>
  maintenance.from <= Math.max(span.from, bar.from) && maintenance.to >= Math.min(span.to, bar.to);

const overlaps = (a: TimeRange, b: TimeRange): boolean => a.from < b.to && b.from < a.to;

/** When somebody worked on a manager, by a maintenance of its own or of the whole lab. */
export function maintenanceSpans(maintenance: LabHistory['past_maintenance'], manager: ManagerKey): TimeRange[] {
  const own = (maintenance ?? []).filter(({ kind, id }) => kind === 'lab' || (kind === 'manager' && id === manager));
  return watchedRanges(own.map(({ from, until }) => ({ from, to: until })));
}

/**
 * Ninety bars up to `now`, oldest first: in each the worst state of the time that was watched. What was wrong while somebody
 * worked on it shows as maintenance.
 */
export function pastBars(
  changes: readonly StateChange[],
  watched: readonly TimeRange[],
  window: TimeRange,
  maintenance: readonly TimeRange[] = [],
): HistoryBar[] {
  const states = changes.flatMap(({ at, state }, index) => {
    const from = parseTime(at);
    const to = parseTime(changes[index + 1]?.at) ?? window.to;
    return from === null ? [] : [{ from, to, state }];
  });
  const length = (window.to - window.from) / barCount;
  return Array.from({ length: barCount }, (_, index): HistoryBar => {
    const bar = { from: window.from + index * length, to: window.from + (index + 1) * length };
    const seen = watched.filter((span) => overlaps(span, bar));
    const inBar = states.filter((span) => overlaps(span, bar) && seen.some((each) => overlaps(each, span)));
    const counted = inBar
      .filter((span) => !maintenance.some((each) => covers(each, span, bar)))
      .map(({ state }) => state);
    const worst = worstOf(counted);
    const inMaintenance = inBar.length > 0 && maintenance.some((each) => overlaps(each, bar));
    const isWell = worst === null || managerLooks[worst].severity === 0;
    return { ...bar, state: inMaintenance && isWell ? 'maintenance' : worst, longest: null, checks: 0 };
  });
}

function worstOf(states: readonly ManagerState[]): ManagerState | null {
  return states.toSorted((a, b) => managerLooks[b].severity - managerLooks[a].severity)[0] ?? null;
}

/** `20 Nov 14:00–20 Nov 16:00 unreachable` */
export function pastBarWords(bar: HistoryBar, now: number): string {
  const word = bar.state === null ? texts.notWatched : barLook(bar.state).word.toLowerCase();
  return texts.span(moment(bar.from, now), moment(bar.to, now), word);
}

/** `99.95 %`, `100 %`: never 100 while anything of it is missing. */
export function percentText(percent: number | null): string {
  if (percent === null) return '–';
  if (percent === 100) return '100 %';
  return `${(Math.floor(percent * 100) / 100).toFixed(2)} %`;
}

/** What counted, and what of the window did not, in seconds. */
export function countedWords(counted: number, window: number): { readonly words: string; readonly hint: string } {
  const rest = window - counted;
  if (rest < 120) return { words: texts.countedAll, hint: '' };
  return {
    words: texts.counted(duration(counted * 1000)),
    hint: texts.countedHint(duration(window * 1000), duration(rest * 1000)),
  };
}

/** The hours up to the lab manager's `now`, in ms since the epoch. */
export function windowOf(history: LabHistory, hours: number): TimeRange {
  const to = parseTime(history.now) ?? currentTime();
  return { from: to - hours * 3_600_000, to };
}

/** A manager's bars, and how much of the window it was there. */
export function managerPast(
  history: LabHistory,
  { manager, changes, availability }: ManagerHistory,
  window: TimeRange,
) {
  return {
    manager,
    name: managerName(manager),
    bars: pastBars(
      changes,
      watchedRanges(history.watched),
      window,
      maintenanceSpans(history.past_maintenance, manager),
    ),
    percent: percentText(availability?.percent ?? null),
    counted:
      availability === undefined || availability.percent === null
        ? { words: texts.neverSeen, hint: '' }
        : countedWords(availability.counted_seconds, availability.window_seconds),
  };
}
