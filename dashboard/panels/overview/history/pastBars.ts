/** Days of a manager as bars, from the changes of its state and from when somebody watched. Pure. */
import type { LabHistory, StateChange } from '../../../../api/lab/lab.ts';
import { managerLooks, type ManagerState } from '../../../../api/states.ts';
import { duration, moment, parseTime } from '../../../base/time.ts';
import type { Bar } from '../../../components/history/strip.ts';
import { historyTexts as texts } from './texts.ts';

const barCount = 90;

/** In ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export function spansOf(watched: LabHistory['watched']): Span[] {
  return (watched ?? []).flatMap(({ from, to }) => {
    const [begin, end] = [parseTime(from), parseTime(to)];
    return begin === null || end === null ? [] : [{ from: begin, to: end }];
  });
}

const overlaps = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to;

/** Ninety bars up to `now`, oldest first: in each the worst state of the time that was watched. */
export function pastBars(changes: readonly StateChange[], watched: readonly Span[], window: Span): Bar[] {
  const states = changes.flatMap(({ at, state }, index) => {
    const from = parseTime(at);
    const to = parseTime(changes[index + 1]?.at) ?? window.to;
    return from === null ? [] : [{ from, to, state }];
  });
  const length = (window.to - window.from) / barCount;
  return Array.from({ length: barCount }, (_, index): Bar => {
    const bar = { from: window.from + index * length, to: window.from + (index + 1) * length };
    const seen = watched.filter((span) => overlaps(span, bar));
    const inBar = states
      .filter((span) => overlaps(span, bar) && seen.some((each) => overlaps(each, span)))
      .map(({ state }) => state);
    return { ...bar, state: worstOf(inBar), longest: null, checks: 0 };
  });
}

function worstOf(states: readonly ManagerState[]): ManagerState | null {
  return states.toSorted((a, b) => managerLooks[b].severity - managerLooks[a].severity)[0] ?? null;
}

/** `20 Nov 14:00–20 Nov 16:00 unreachable` */
export function pastBarWords(bar: Bar, now: number): string {
  const word = bar.state === null ? texts.notWatched : managerLooks[bar.state].word.toLowerCase();
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
