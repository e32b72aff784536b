/** Datapoints as rows of a list. Pure. */
import type { Datapoint } from '../../../api/managers/data.ts';
import { idOf, shownAs } from '../../managers/data/datapoint.ts';
import { dataPanelTexts as texts } from './texts.ts';
import { shortened } from '../../base/texts.ts';

export interface DataRow {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  /** A value of one line, or how much there is; empty for files. */
  readonly value: string;
  /** In bytes, where the manager says so. */
  readonly size: number | null;
  /** ms since the epoch. */
  readonly at: number | null;
  /** IDs; empty where nobody says. */
  readonly workflow: string;
  readonly experiment: string;
  readonly node: string;
}

const longest = 80;

function valueOf({ data_type: type, value }: Datapoint): string {
  if (type !== 'json') return '';
  const shown = shownAs(value);
  if (shown.as === 'value') return shortened(shown.text, longest);
  if (shown.as === 'series') return texts.values(Math.max(...shown.series.map(({ values }) => values.length)));
  const text = JSON.stringify(value) ?? '';
  return shortened(text, longest);
}

/** @param experimentOf the experiment of a workflow, empty where that isn't known: a step's data names only its workflow */
export function dataRow(
  datapoint: Datapoint,
  at: (stamp: string | null | undefined) => number | null,
  experimentOf: (workflow: string) => string,
): DataRow {
  const { ownership_info: owned } = datapoint;
  return {
    id: idOf(datapoint),
    label: datapoint.label || idOf(datapoint),
    type: texts.types[datapoint.data_type] ?? datapoint.data_type,
    value: valueOf(datapoint),
    size: datapoint.size_bytes ?? null,
    at: at(datapoint.data_timestamp),
    workflow: owned?.workflow_id ?? '',
    experiment: owned?.experiment_id || experimentOf(owned?.workflow_id ?? ''),
    node: owned?.node_id ?? '',
  };
}
