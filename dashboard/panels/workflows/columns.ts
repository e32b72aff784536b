/** Columns of the workflow list. Pure: lab data is passed in. */
import { currentTime } from '../../base/clock.ts';
import { workflowLooks } from '../../../api/states.ts';
import { workflowsTexts } from './texts.ts';
import { duration, moment } from '../../base/time.ts';
import type { Column } from '../../components/table/rows/tableRows.ts';
import { rankOf, stateLabel, type WorkflowRow } from '../../managers/workcell/workflowRow.ts';

const texts = workflowsTexts.columns;

export interface ColumnContext {
  /** Converts a manager's time to ms since the epoch. */
  readonly at: (stamp: string) => number | null;
  readonly experiment: (id: string) => string;
  /** Returns the node's name, or the blocking reason. */
  readonly now: (row: WorkflowRow) => string;
}

/** Returns the run time in ms; `null` while it runs or before it started. */
export function durationOf(row: WorkflowRow, at: ColumnContext['at']): number | null {
  const [start, end] = [at(row.started), at(row.ended)];
  return start === null || end === null || end < start ? null : end - start;
}

/** Cached times of a row: thousands of rows are searched and sorted at every keystroke. */
interface Times {
  readonly submitted: Time;
  readonly started: Time;
  readonly durationMs: number | null;
}
interface Time {
  readonly at: number | null;
  readonly text: string;
}

/** Caches the values of rows; create new columns when the clock offset, the names or the date change. */
// oxlint-disable-next-line max-lines-per-function -- a table, one entry for each column
export function workflowColumns({ at, experiment, now }: ColumnContext): readonly Column<WorkflowRow>[] {
  const known = new WeakMap<WorkflowRow, Times>();
  const today = currentTime();
  const timeOf = (stamp: string): Time => {
    const ms = at(stamp);
    return { at: ms, text: ms === null ? '' : moment(ms, today) };
  };
  const times = (row: WorkflowRow): Times => {
    const found = known.get(row);
    if (found !== undefined) return found;
    const computedTimes = {
      submitted: timeOf(row.submitted),
      started: timeOf(row.started),
      durationMs: durationOf(row, at),
    };
    known.set(row, computedTimes);
    return computedTimes;
  };
  const time = (key: 'submitted' | 'started', hidden: boolean): Column<WorkflowRow> => ({
    key,
    title: texts[key],
    value: (row) => times(row)[key].at,
    text: (row) => times(row)[key].text,
    csv: (row) => isoText(times(row)[key].at),
    width: 5.25,
    fits: true,
    foldsEmpty: true,
    ...(hidden ? { hidden } : {}),
  });
  return [
    { key: 'name', title: texts.name, value: ({ name }) => name, width: 9.5 },
    {
      key: 'state',
      title: texts.state,
      value: (row) => rankOf(row) * 10 - workflowLooks[row.state].severity,
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
    { key: 'node', title: texts.node, value: now, width: 8.75 },
    {
      key: 'author',
      title: texts.author,
      value: ({ author }) => author,
      filter: 'choice',
      width: 5.5,
      foldsEmpty: true,
    },
    {
      key: 'experiment',
      title: texts.experiment,
      value: (row) => experiment(row.experiment),
      filter: 'choice',
      width: 6.75,
      foldsEmpty: true,
    },
    time('submitted', false),
    time('started', true),
    {
      key: 'duration',
      title: texts.duration,
      value: (row) => times(row).durationMs,
      text: (row) => {
        const ms = times(row).durationMs;
        return ms === null ? '' : duration(ms);
      },
      csv: (row) => seconds(times(row).durationMs),
      align: 'end',
      width: 4.75,
    },
    { key: 'id', title: texts.id, value: ({ id }) => id, width: 3.5 },
  ];
}

function isoText(time: number | null): string {
  return time === null ? '' : new Date(time).toISOString();
}
/** Returns a number that a spreadsheet can add up. */
function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms) / 1000;
}
