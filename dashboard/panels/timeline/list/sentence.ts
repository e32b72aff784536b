/** What came of the shown span, in a sentence. Pure. */
import { clock, duration, moment, type TimeRange } from '../../../base/time.ts';
import { timelineTexts } from '../texts.ts';
import type { Summary } from './summary.ts';
import { workflowLooks } from '../../../../api/states.ts';
import { type Filters, filterKeys } from '../layer/filters.ts';

const texts = timelineTexts.summary;

/** `21 Nov 18:00 – 22 Nov 08:00`; the days only where they tell something. */
export function spanWords({ from, to }: TimeRange, now: number): string {
  const begin = moment(from, now);
  const sameDay = new Date(from).toDateString() === new Date(to).toDateString();
  return `${begin} – ${sameDay ? clock(to) : moment(to, from)}`;
}

export interface SpanOutcome {
  readonly summary: Summary;
  /** Names of the longest wait. */
  readonly wait: { readonly step: string; readonly workflow: string } | null;
  readonly range: TimeRange;
  /** Since when workflows were read, ms since the epoch; `null`: all were. */
  readonly readSince: number | null;
  /** For how long of the span nobody watched the managers, in ms. */
  readonly unwatched: number;
  /** Whether the archive was read: what ended isn't known before. */
  readonly workflowsRead: boolean;
  /** Whether the event manager answered, and by which clock. */
  readonly marksRead: boolean;
  readonly now: number;
}

/** Shorter waits are the scheduler's own rhythm, in ms. */
const worthTelling = 60_000;

function endWords({ completed, failed, cancelled, running }: Summary, workflowsRead: boolean): readonly string[] {
  const ended = completed + failed + cancelled;
  const underWay = running > 0 ? [texts.running(running)] : [];
  if (!workflowsRead) return [texts.endsUnread, ...underWay];
  return [
    ended === 0 ? texts.none : completed === 0 ? texts.noneCompleted : texts.completed(completed),
    ...(failed > 0 ? [texts.failed(failed)] : []),
    ...(cancelled > 0 ? [texts.cancelled(cancelled)] : []),
    ...underWay,
  ];
}

function nodeWords({ nodeErrors, stops }: Summary, marksRead: boolean): readonly string[] {
  return [
    ...(!marksRead ? [texts.unread] : [nodeErrors === 0 ? texts.noErrors : texts.errors(nodeErrors)]),
    ...(stops > 0 ? [texts.stops(stops)] : []),
  ];
}

/**
 * What a screen reader says of itself: what was chosen and the counts, without times that grow by themselves.
 * @param chosen the span and the filters
 */
export function announcedWords(chosen: readonly string[], { summary, workflowsRead, marksRead }: SpanOutcome): string {
  const outages = summary.outages.map(({ manager }) => texts.unwell(manager)).toSorted();
  const counts = [...endWords(summary, workflowsRead), ...nodeWords(summary, marksRead), ...outages];
  return `${chosen.join(', ')}. ${counts.join(', ')}.`;
}

export function summaryWords(outcome: SpanOutcome): string {
  const { summary, wait, range, readSince, unwatched, workflowsRead, marksRead, now } = outcome;
  const { longestWait, outages } = summary;
  const watched = Math.min(range.to, now) - range.from - unwatched;
  const parts = [
    ...endWords(summary, workflowsRead),
    ...(longestWait !== null && wait !== null && longestWait.ms >= worthTelling
      ? [texts.wait(duration(longestWait.ms), wait.step, wait.workflow)]
      : []),
    ...nodeWords(summary, marksRead),
    ...outages.map(({ manager, ms }) => texts.outage(manager, duration(ms))),
    ...(outages.length > 0
      ? []
      : [unwatched > 0 ? texts.noOutagesSeen(duration(Math.max(0, watched))) : texts.noOutages]),
  ];
  const words = `${parts.join(', ')}.`;
  return readSince !== null && readSince > range.from ? `${words} ${texts.readSince(moment(readSince, now))}` : words;
}

/** Each that is set, in words. */
export function filterWords(filters: Filters, experiment: (id: string) => string): readonly string[] {
  return filterKeys.flatMap((key) => {
    const { [key]: value, outcome } = filters;
    if (value === null) return [];
    if (key === 'outcome') return outcome === null ? [] : [timelineTexts.only(key, workflowLooks[outcome].word)];
    return [timelineTexts.only(key, key === 'experiment' ? experiment(value) : value)];
  });
}
