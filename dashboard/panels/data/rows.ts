/** Datapoints as rows of a list. */
import type { Datapoint } from '#api/managers/data.ts';
import { getDatapointId, chooseDisplay } from '../../managers/data/datapoint.ts';
import { dataPanelTexts as texts } from './texts.ts';
import { truncate } from '../../base/texts.ts';
import { toUtcIso, formatTime } from '../../base/time.ts';
import { formatFileSize } from '../../components/form/numberText.ts';
import { shortId, withFullId } from '../../base/objectPages.ts';
import type { Column } from '../../components/table/rows/tableRows.ts';
import { formatJson } from '#api/exactJson.ts';

export interface DataRow {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  /** The value if it fits one line, otherwise its size; empty for files. */
  readonly value: string;
  /** The whole value; undefined for files. */
  readonly json: unknown;
  /** In bytes; `null` if the manager does not report it. */
  readonly size: number | null;
  /** ms since the epoch. */
  readonly at: number | null;
  /** The manager's text of the time. */
  readonly stamp: string;
  /** IDs; empty if unknown. */
  readonly workflow: string;
  readonly experiment: string;
  readonly node: string;
}

const maxTextLength = 80;

function describeValue({ data_type: type, value }: Datapoint): string {
  if (type !== 'json') return '';
  const display = chooseDisplay(value);
  if (display.kind === 'value') return truncate(display.text, maxTextLength);
  if (display.kind === 'series') return texts.values(Math.max(...display.series.map(({ values }) => values.length)));
  const text = formatJson(value);
  return truncate(text, maxTextLength);
}

/**
 * @param getExperimentId returns the experiment of a workflow, empty if unknown: datapoints of a step contain only their
 * workflow
 */
export function toDataRow(
  datapoint: Datapoint,
  parseStamp: (stamp: string | null | undefined) => number | null,
  getExperimentId: (workflow: string) => string,
): DataRow {
  const { ownership_info: ownership } = datapoint;
  return {
    id: getDatapointId(datapoint),
    label: datapoint.label || getDatapointId(datapoint),
    type: texts.types[datapoint.data_type] ?? datapoint.data_type,
    value: describeValue(datapoint),
    json: datapoint.data_type === 'json' ? datapoint.value : undefined,
    size: datapoint.size_bytes ?? null,
    at: parseStamp(datapoint.data_timestamp),
    stamp: datapoint.data_timestamp ?? '',
    workflow: ownership?.workflow_id ?? '',
    experiment: ownership?.experiment_id || getExperimentId(ownership?.workflow_id ?? ''),
    node: ownership?.node_id ?? '',
  };
}

const columnTexts = texts.columns;

/** @param now in ms since the epoch; times of this day are shown without the date */
export function createDataColumns(
  now: number,
  getExperimentName: (id: string) => string,
  getWorkflowName: (id: string) => string,
): readonly Column<DataRow>[] {
  return [
    { key: 'label', title: 'Label', value: ({ label }) => label, filter: 'choice', width: 11 },
    { key: 'type', title: 'Type', value: ({ type }) => type, filter: 'choice', width: 5 },
    {
      key: 'value',
      title: 'Value',
      value: ({ value }) => value,
      csv: ({ json }) => formatJson(json),
      width: 12,
    },
    {
      key: 'size',
      title: 'Size',
      value: ({ size }) => size,
      text: ({ size }) => (size === null ? '' : formatFileSize(size)),
      csv: ({ size }) => size,
      csvUnit: 'bytes',
      align: 'end',
      width: 4.5,
      collapsesWhenEmpty: true,
    },
    {
      key: 'time',
      title: 'Stored',
      value: ({ at }) => at,
      text: ({ at }) => (at === null ? '' : formatTime(at, now)),
      csv: ({ at, stamp }) => toUtcIso(at, stamp),
      width: 5.5,
      fits: true,
    },
    {
      key: 'workflow',
      title: columnTexts.workflow,
      value: ({ workflow: id }) => (id === '' ? '' : getWorkflowName(id) || shortId(id)),
      csvAs: [
        { title: columnTexts.workflow, value: ({ workflow: id }) => getWorkflowName(id) },
        { title: 'Workflow ID', value: ({ workflow: id }) => id },
      ],
      filter: 'choice',
      width: 8,
      collapsesWhenEmpty: true,
    },
    {
      key: 'experiment',
      title: 'Experiment',
      value: ({ experiment: id }) => (id === '' ? '' : getExperimentName(id)),
      csv: ({ experiment: id }) => (id === '' ? '' : withFullId(getExperimentName(id), id)),
      filter: 'choice',
      width: 8,
      collapsesWhenEmpty: true,
    },
    { key: 'id', title: 'ID', value: ({ id }) => id, width: 8, hidden: true },
  ];
}
