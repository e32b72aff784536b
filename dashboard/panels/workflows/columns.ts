/** The columns of the list of workflows. Pure: what depends on the lab is handed in. */
import { workflowLooks } from '../../../api/states.ts';
import { workflowsTexts } from '../../app/texts/workflows.ts';
import { moment } from '../../app/time.ts';
import { lasted } from '../../components/timeAxis.ts';
import type { Column } from '../../components/tableRows.ts';
import { rankOf, type WorkflowRow } from './workflowRow.ts';

const texts = workflowsTexts.columns;

export interface Known {
  /** ms since the epoch of a manager's time. */
  readonly at: (stamp: string) => number | null;
  readonly experiment: (id: string) => string;
  /** The node's name, or what it waits for. */
  readonly now: (row: WorkflowRow) => string;
}

/** How long it ran; `null` while it runs or before it started. */
export function durationOf(row: WorkflowRow, at: Known['at']): number | null {
  const [start, end] = [at(row.started), at(row.ended)];
  return start === null || end === null || end < start ? null : end - start;
}

export function workflowColumns({ at, experiment, now }: Known): readonly Column<WorkflowRow>[] {
  const time = (key: 'submitted' | 'started', hidden: boolean): Column<WorkflowRow> => ({
    key,
    title: texts[key],
    value: (row) => at(row[key]),
    text: (row) => timeText(at(row[key])),
    csv: (row) => isoText(at(row[key])),
    width: 5.25,
    ...(hidden ? { hidden } : {}),
  });
  return [
    { key: 'name', title: texts.name, value: ({ name }) => name, width: 10.5 },
    {
      key: 'state',
      title: texts.state,
      value: (row) => rankOf(row) * 10 - workflowLooks[row.state].severity,
      text: ({ state }) => workflowLooks[state].word,
      csv: ({ words }) => words,
      filter: 'choice',
      width: 10.5,
    },
    {
      key: 'progress',
      title: texts.progress,
      value: ({ done, total }) => (total === 0 ? null : done / total),
      text: ({ done, total }) => workflowsTexts.list.ofSteps(done, total),
      width: 5,
    },
    { key: 'node', title: texts.node, value: now, width: 9.5 },
    { key: 'author', title: texts.author, value: ({ author }) => author, filter: 'choice', width: 5.5 },
    {
      key: 'experiment',
      title: texts.experiment,
      value: (row) => experiment(row.experiment),
      filter: 'choice',
      width: 7,
    },
    time('submitted', false),
    time('started', true),
    {
      key: 'duration',
      title: texts.duration,
      value: (row) => durationOf(row, at),
      text: (row) => {
        const ms = durationOf(row, at);
        return ms === null ? '' : lasted(ms);
      },
      csv: (row) => seconds(durationOf(row, at)),
      align: 'end',
      width: 4.5,
    },
    { key: 'id', title: texts.id, value: ({ id }) => id, width: 4.25 },
  ];
}

function timeText(time: number | null): string {
  return time === null ? '' : moment(time, Date.now());
}
function isoText(time: number | null): string {
  return time === null ? '' : new Date(time).toISOString();
}
/** A figure that a spreadsheet can add up. */
function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms) / 1000;
}
