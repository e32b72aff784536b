/** The two-hour strip: bars from a manager's minutes, and their text. Pure. */
import type { HistoryMinute } from '../../../api/lab/lab.ts';
import { barLook, managerLooks, type BarState, type ManagerState } from '../../../api/states.ts';
import { clock, duration, parseTime } from '../../base/time.ts';

export const stripTexts = {
  label: (name: string, summary: string) => `${name}, last 2 hours: ${summary}`,
  healthy: 'healthy throughout',
  notWatched: 'not watched',
  notWatchedAtAll: 'not watched yet',
  healthyExcept: (list: string) => `healthy except ${list}`,
  span: (from: string, to: string, word: string) => (from === to ? `${from} ${word}` : `${from}–${to} ${word}`),
  more: (count: number) => `and ${count} more`,
  longest: (latency: string) => `longest answer ${latency}`,
  checks: (count: number) => (count === 1 ? 'checked once' : `checked ${count} times`),
} as const;

const minute = 60_000;
const barMinutes = 2;
export const barCount = 60;
const barLength = barMinutes * minute;

export interface HistoryBar {
  /** Start and end, ms since the epoch. */
  readonly from: number;
  readonly to: number;
  /** The worst state in the bar; `null`: not watched. `maintenance` overrides every state. */
  readonly state: BarState | null;
  /** The longest response time in ms. */
  readonly longest: number | null;
  readonly checks: number;
}

function worse(a: BarState | null, b: ManagerState): BarState {
  return a !== null && barLook(a).severity >= managerLooks[b].severity ? a : b;
}

/**
 * Returns sixty bars of two minutes up to `now`, oldest first. They are aligned to even minutes, so that they don't shift
 * with every update.
 */
export function barsOf(minutes: readonly HistoryMinute[], now: number): HistoryBar[] {
  const last = Math.floor(now / barLength);
  const bars = Array.from({ length: barCount }, (_, index): HistoryBar => {
    const from = (last - barCount + 1 + index) * barLength;
    return { from, to: from + barLength, state: null, longest: null, checks: 0 };
  });
  for (const entry of minutes) {
    const at = parseTime(entry.at);
    if (at === null) continue;
    const index = Math.floor(at / barLength) - (last - barCount + 1);
    const bar = bars[index];
    if (bar === undefined) continue;
    bars[index] = {
      ...bar,
      state: worse(bar.state, entry.state),
      longest: entry.max_latency_ms === null ? bar.longest : Math.max(bar.longest ?? 0, entry.max_latency_ms),
      checks: bar.checks + entry.checks,
    };
  }
  return bars;
}

/** Describes one bar: `14:02–14:04 unreachable, longest answer 1.9 s, checked 24 times`. */
export function barText(bar: HistoryBar): string {
  const word = bar.state === null ? stripTexts.notWatched : barLook(bar.state).word.toLowerCase();
  const parts = [stripTexts.span(clock(bar.from), clock(bar.to), word)];
  if (bar.longest !== null) parts.push(stripTexts.longest(duration(bar.longest)));
  if (bar.checks > 0) parts.push(stripTexts.checks(bar.checks));
  return parts.join(', ');
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly state: ManagerState;
}

/** Groups consecutive minutes with the same state, oldest first. */
function runsOf(minutes: readonly HistoryMinute[]): Run[] {
  const runs: Run[] = [];
  for (const entry of minutes) {
    const from = parseTime(entry.at);
    if (from === null) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.state === entry.state && from - last.to < minute) {
      runs[runs.length - 1] = { ...last, to: from + minute };
    } else {
      runs.push({ from, to: from + minute, state: entry.state });
    }
  }
  return runs;
}

const listedRuns = 4;

/** Describes the strip: `healthy except 14:02–14:05 unreachable`; newest first if there are many. */
export function stripText(minutes: readonly HistoryMinute[]): string {
  const runs = runsOf(minutes);
  if (runs.length === 0) return stripTexts.notWatchedAtAll;
  const bad = runs.filter(({ state }) => state !== 'healthy');
  if (bad.length === 0) return stripTexts.healthy;
  const newest = bad.slice(-listedRuns).map((run) => {
    return stripTexts.span(clock(run.from), clock(run.to), managerLooks[run.state].word.toLowerCase());
  });
  const rest = bad.length - newest.length;
  const list = [...newest, ...(rest > 0 ? [stripTexts.more(rest)] : [])].join(', ');
  return bad.length === runs.length ? list : stripTexts.healthyExcept(list);
}
