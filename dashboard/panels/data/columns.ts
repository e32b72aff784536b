/** The columns of the list of datapoints. Pure. */
import { isoUtc, moment } from '../../base/time.ts';
import { fileSize } from '../../components/form/numberText.ts';
import { shortId } from '../../base/objectPages.ts';
import type { Column } from '../../components/table/rows/tableRows.ts';
import type { DataRow } from './rows.ts';
import { dataPanelTexts } from './texts.ts';

const texts = dataPanelTexts.columns;

/** @param now of which today is written without its date, ms since the epoch */
export function dataColumns(
  now: number,
  experiment: (id: string) => string,
  workflow: (id: string) => string,
): readonly Column<DataRow>[] {
  return [
    { key: 'label', title: texts.label, value: ({ label }) => label, filter: 'choice', width: 11 },
    { key: 'type', title: texts.type, value: ({ type }) => type, filter: 'choice', width: 5 },
    { key: 'value', title: texts.value, value: ({ value }) => value, width: 12 },
    {
      key: 'size',
      title: texts.size,
      value: ({ size }) => size,
      text: ({ size }) => (size === null ? '' : fileSize(size)),
      csv: ({ size }) => size,
      align: 'end',
      width: 4.5,
      foldsEmpty: true,
    },
    {
      key: 'time',
      title: texts.time,
      value: ({ at }) => at,
      text: ({ at }) => (at === null ? '' : moment(at, now)),
      csv: ({ at }) => isoUtc(at),
      width: 5.5,
      fits: true,
    },
    {
      key: 'workflow',
      title: texts.workflow,
      value: ({ workflow: id }) => (id === '' ? '' : workflow(id) || shortId(id)),
      csvAs: [
        { title: texts.workflow, value: ({ workflow: id }) => workflow(id) },
        { title: texts.workflowId, value: ({ workflow: id }) => id },
      ],
      filter: 'choice',
      width: 8,
      foldsEmpty: true,
    },
    {
      key: 'experiment',
      title: texts.experiment,
      value: ({ experiment: id }) => (id === '' ? '' : experiment(id)),
      filter: 'choice',
      width: 8,
      foldsEmpty: true,
    },
    { key: 'id', title: texts.id, value: ({ id }) => id, width: 8, hidden: true },
  ];
}
