/** Use of the lab as its workflows tell it, where the event manager's own reports fail. Pure. */
import type { TimeRange } from '../../../base/time.ts';
import { grouped } from '../../../base/grouping.ts';
import type { WorkflowRow } from '../../../managers/workcell/workflowRow.ts';
import type { UserLine } from './report.ts';

/** A stretch in which workflows ran, with no longer pause than `longestPause` in it. */
interface Session extends TimeRange {
  readonly workflows: number;
  /** How long at least one of them ran, in ms. */
  readonly busy: number;
  /** Still going on. */
  readonly open: boolean;
}

/** In ms. */
export const longestPause = 30 * 60_000;
const hour = 3_600_000;

interface Ran extends TimeRange {
  readonly author: string;
  readonly open: boolean;
}

type ReadTime = (stamp: string) => number | null;

/** What ran within the range, cut at its ends; one that runs is taken to run until the range's end. */
function ranWithin(rows: readonly WorkflowRow[], at: ReadTime, { from, to }: TimeRange): readonly Ran[] {
  return rows.flatMap(({ started, ended, node, author }) => {
    const open = node !== null;
    const [begin, end] = [at(started), open ? to : at(ended)];
    if (begin === null || end === null || end < from || begin > to) return [];
    return [{ from: Math.max(begin, from), to: Math.min(Math.max(end, begin), to), author, open }];
  });
}

/** The busiest first; workflows without an author are nobody's. */
export function usersOf(rows: readonly WorkflowRow[], at: ReadTime, range: TimeRange): readonly UserLine[] {
  return [...grouped(ranWithin(rows, at, range), ({ author }) => author)]
    .map(([name, own]) => ({
      name,
      workflows: own.length,
      hours: own.reduce((sum, ran) => sum + (ran.to - ran.from), 0) / hour,
    }))
    .toSorted((a, b) => b.hours - a.hours);
}

/** Newest first. */
export function sessionsOf(rows: readonly WorkflowRow[], at: ReadTime, range: TimeRange): readonly Session[] {
  const sessions: Session[] = [];
  for (const ran of ranWithin(rows, at, range).toSorted((a, b) => a.from - b.from)) {
    const last = sessions.at(-1);
    if (last === undefined || ran.from - last.to > longestPause) {
      sessions.push({ from: ran.from, to: ran.to, workflows: 1, busy: ran.to - ran.from, open: ran.open });
      continue;
    }
    sessions[sessions.length - 1] = {
      from: last.from,
      to: Math.max(last.to, ran.to),
      workflows: last.workflows + 1,
      busy: last.busy + Math.max(0, ran.to - Math.max(last.to, ran.from)),
      open: last.open || ran.open,
    };
  }
  return sessions.toReversed();
}
