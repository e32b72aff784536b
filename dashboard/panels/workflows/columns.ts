/** Columns of the workflow list. The lab's data is passed in. */
import { currentTime } from '../../base/clock.ts';
import { workflowAppearances } from '#api/states.ts';
import { workflowsTexts } from './texts.ts';
import { formatDuration, formatTime, toUtcIso } from '../../base/time.ts';
import { withFullId } from '../../base/objectPages.ts';
import type { Column } from '../../components/table/rows/tableRows.ts';
import { displayRank, stateLabel, type WorkflowRow } from '../../managers/workcell/workflowRow.ts';

const texts = workflowsTexts.columns;

export interface ColumnContext {
  /** Converts a manager's time to ms since the epoch. */
  readonly parseStamp: (stamp: string) => number | null;
  readonly experiment: (id: string) => string;
  /** Returns the node's name, or the blocking reason. */
  readonly describeCurrent: (row: WorkflowRow) => string;
}

/** Returns the run time in ms; `null` while it runs or before it started. */
export function computeDuration(row: WorkflowRow, parseStamp: ColumnContext['parseStamp']): number | null {
  const [start, end] = [parseStamp(row.started), parseStamp(row.ended)];
  return start === null || end === null || end < start ? null : end - start;
}

/** Cached times of a row: thousands of rows are searched and sorted at every keystroke. */
interface RowTimes {
  readonly submitted: CellTime;
  readonly started: CellTime;
  readonly durationMs: number | null;
}
interface CellTime {
  readonly at: number | null;
  readonly text: string;
}

/** Caches the values of rows; create new columns when the clock offset, the names or the date change. */
// oxlint-disable-next-line max-lines-per-function -- a table, one entry for each column
export function workflowColumns({
  parseStamp,
  experiment,
  describeCurrent,
}: ColumnContext): readonly Column<WorkflowRow>[] {
  const cache = new WeakMap<WorkflowRow, RowTimes>();
  const today = currentTime();
  const toCellTime = (stamp: string): CellTime => {
    const ms = parseStamp(stamp);
    return { at: ms, text: ms === null ? '' : formatTime(ms, today) };
  };
  const getTimes = (row: WorkflowRow): RowTimes => {
    const cached = cache.get(row);
    if (cached !== undefined) return cached;
    const computedTimes = {
      submitted: toCellTime(row.submitted),
      started: toCellTime(row.started),
      durationMs: computeDuration(row, parseStamp),
    };
    cache.set(row, computedTimes);
    return computedTimes;
  };
  const timeColumn = (key: 'submitted' | 'started', hidden: boolean): Column<WorkflowRow> => ({
    key,
    title: texts[key],
    value: (row) => getTimes(row)[key].at,
    text: (row) => getTimes(row)[key].text,
    csv: (row) => toUtcIso(getTimes(row)[key].at, row[key] ?? ''),
    width: 5.25,
    fits: true,
    collapsesWhenEmpty: true,
    ...(hidden ? { hidden } : {}),
  });
  return [
    { key: 'name', title: texts.name, value: ({ name }) => name, width: 9.5 },
    {
      key: 'state',
      title: texts.state,
      value: (row) => displayRank(row) * 10 - workflowAppearances[row.state].severity,
      text: stateLabel,
      csv: ({ text }) => text,
      filter: 'choice',
      width: 11,
    },
    {
      key: 'progress',
      title: texts.progress,
      value: ({ done, total }) => (total === 0 ? null : done / total),
      text: ({ done, total }) => workflowsTexts.list.ofSteps(done, total),
      // A spreadsheet would convert 1/2 to a date.
      csvAs: [
        { title: texts.stepsDone, value: ({ done }) => done },
        { title: texts.progress, value: ({ total }) => total },
      ],
      width: 4.5,
    },
    { key: 'node', title: texts.node, value: describeCurrent, width: 8.75 },
    {
      key: 'author',
      title: texts.author,
      value: ({ author }) => author,
      filter: 'choice',
      width: 5.5,
      collapsesWhenEmpty: true,
    },
    {
      key: 'experiment',
      title: texts.experiment,
      value: (row) => experiment(row.experiment),
      csv: (row) => withFullId(experiment(row.experiment), row.experiment),
      filter: 'choice',
      width: 6.75,
      collapsesWhenEmpty: true,
    },
    timeColumn('submitted', false),
    timeColumn('started', true),
    {
      key: 'duration',
      title: texts.duration,
      value: (row) => getTimes(row).durationMs,
      text: (row) => {
        const ms = getTimes(row).durationMs;
        return ms === null ? '' : formatDuration(ms);
      },
      csv: (row) => toSeconds(getTimes(row).durationMs),
      csvUnit: 's',
      align: 'end',
      width: 4.75,
    },
    { key: 'id', title: texts.id, value: ({ id }) => id, width: 3.5 },
  ];
}

/** Returns a number that a spreadsheet can add up. */
function toSeconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms) / 1000;
}
