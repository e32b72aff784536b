/** The columns of the table of steps. */
import { stepLooks } from '../../../../api/states.ts';
import { duration, momentSeconds } from '../../../base/time.ts';
import type { Column } from '../../../components/table/rows/tableRows.ts';
import { ownLane } from '../../../managers/workcell/stepSpans.ts';
import { timelineTexts } from '../texts.ts';
import type { StepRow } from './steps.ts';

const texts = timelineTexts.table.columns;
const iso = (time: number | null): string => (time === null ? '' : new Date(time).toISOString());

export function laneName(lane: string): string {
  return lane === ownLane ? timelineTexts.lanes.own : lane;
}

/** @param now of which today is written without its date, ms since the epoch */
// oxlint-disable-next-line max-lines-per-function -- a table, one entry for each column
export function stepColumns(now: number, experiment: (id: string) => string): readonly Column<StepRow>[] {
  return [
    {
      key: 'step',
      title: texts.step,
      value: ({ step }) => step,
      text: ({ step, carried }) => (carried ? timelineTexts.words.carried(step) : step),
      width: 10,
    },
    { key: 'node', title: texts.node, value: ({ lane }) => laneName(lane), width: 8 },
    {
      key: 'workflow',
      title: texts.workflow,
      value: ({ workflow }) => workflow,
      // In the file of a hand-over, whatever columns are shown.
      csvAs: [
        { title: texts.workflow, value: ({ workflow }) => workflow },
        { title: texts.id, value: ({ workflowId }) => workflowId },
        { title: texts.author, value: ({ author }) => author },
      ],
      width: 11,
    },
    {
      key: 'start',
      title: texts.start,
      value: ({ start }) => start,
      text: ({ start }) => momentSeconds(start, now),
      csv: ({ start }) => iso(start),
      width: 6,
      fits: true,
    },
    {
      key: 'end',
      title: texts.end,
      value: ({ end }) => end,
      text: ({ end, start }) =>
        end === null
          ? timelineTexts.table.goesOn
          : momentSeconds(end, new Date(end).toDateString() === new Date(start).toDateString() ? end : now),
      csv: ({ end }) => iso(end),
      width: 6,
      fits: true,
    },
    {
      key: 'duration',
      title: texts.duration,
      value: ({ start, end }) => (end === null ? null : end - start),
      text: ({ start, end }) => (end === null ? '' : duration(end - start)),
      csvAs: [{ title: 'Seconds', value: ({ start, end }) => (end === null ? null : (end - start) / 1000) }],
      width: 5,
      align: 'end',
    },
    {
      key: 'state',
      title: texts.state,
      value: ({ state }) => stepLooks[state].severity,
      text: ({ state }) => stepLooks[state].word,
      csvAs: [
        { title: texts.state, value: ({ state }) => stepLooks[state].word },
        { title: texts.error, value: ({ error }) => error },
      ],
      width: 7,
    },
    { key: 'error', title: texts.error, value: ({ error }) => error, csvAs: [], width: 12, foldsEmpty: true },
    {
      key: 'experiment',
      title: texts.experiment,
      value: ({ experiment: id }) => (id === '' ? '' : experiment(id)),
      width: 8,
      hidden: true,
    },
    { key: 'author', title: texts.author, value: ({ author }) => author, csvAs: [], width: 7, hidden: true },
    { key: 'number', title: texts.number, value: ({ index }) => index + 1, width: 4, align: 'end', hidden: true },
    { key: 'id', title: texts.id, value: ({ workflowId }) => workflowId, csvAs: [], width: 8, hidden: true },
  ];
}
