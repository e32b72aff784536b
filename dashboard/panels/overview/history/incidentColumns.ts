/** The columns of the list of incidents. Pure. */
import type { Incident } from '../../../../api/lab/lab.ts';
import { managerLooks, nodeLooks, type StateLook } from '../../../../api/states.ts';
import { duration, moment, parseTime } from '../../../base/time.ts';
import type { Column } from '../../../components/table/rows/tableRows.ts';
import { historyTexts } from './texts.ts';

const texts = historyTexts.columns;

/** `Unreachable` */
function incidentWord({ kind, state }: Pick<Incident, 'kind' | 'state'>): string {
  const looks: Readonly<Partial<Record<string, StateLook>>> = kind === 'manager' ? managerLooks : nodeLooks;
  return looks[state]?.word ?? state;
}

/** @param now in ms since the epoch */
export function incidentColumns(now: number): readonly Column<Incident>[] {
  const time = (iso: string | null) => parseTime(iso);
  const shown = (at: number | null, none: string) => (at === null ? none : moment(at, now));
  return [
    { key: 'name', title: texts.name, value: ({ name }) => name, filter: 'choice', width: 10 },
    {
      key: 'state',
      title: texts.state,
      value: (incident) => incidentWord(incident),
      filter: 'choice',
      width: 8,
    },
    { key: 'reason', title: texts.reason, value: ({ reason }) => reason ?? '', width: 20 },
    {
      key: 'from',
      title: texts.from,
      value: ({ from }) => time(from),
      text: ({ from }) => shown(time(from), ''),
      csv: ({ from }) => from,
      width: 7,
    },
    {
      key: 'to',
      title: texts.to,
      value: ({ to }) => time(to),
      text: ({ to }) => shown(time(to), historyTexts.stillSo),
      csv: ({ to }) => to ?? '',
      width: 7,
    },
    {
      key: 'duration',
      title: texts.duration,
      value: ({ seconds }) => seconds,
      text: ({ seconds }) => duration(seconds * 1000),
      csv: ({ seconds }) => seconds,
      align: 'end',
      width: 6,
    },
  ];
}
