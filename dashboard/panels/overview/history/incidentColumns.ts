/** The columns of the lists of incidents and of maintenance. */
import type { Incident, Maintenance } from '#api/lab/lab.ts';
import { nodeStateText } from '#api/managers/nodeState.ts';
import { managerAppearances } from '#api/states.ts';
import { formatDuration, formatTime, parseTime } from '#dashboard/base/time.ts';
import type { Column } from '#dashboard/components/table/rows/tableRows.ts';
import { maintenanceTexts } from '#dashboard/managers/lab/texts.ts';
import { historyTexts } from '../texts.ts';

const texts = historyTexts.columns;

/** Returns, for example, `Unreachable` for a manager and `Locked, busy` for a node. */
function incidentLabel(incident: Incident): string {
  if (incident.kind === 'node') return nodeStateText(incident.state, incident.flags ?? []);
  return managerAppearances[incident.state].label;
}

/**
 * Returns a column of times; a time after `now` is shown as `until 15:53`.
 * @param emptyText text of a cell without a time
 */
function timeColumn<Row>(
  key: string,
  title: string,
  iso: (row: Row) => string | null,
  now: number,
  emptyText = '',
): Column<Row> {
  return {
    key,
    title,
    value: (row) => parseTime(iso(row)),
    text: (row) => {
      const time = parseTime(iso(row));
      if (time === null) return emptyText;
      return time > now ? maintenanceTexts.until(formatTime(time, now)) : formatTime(time, now);
    },
    csv: (row) => iso(row) ?? '',
    width: 7,
  };
}

function durationColumn<Row>(seconds: (row: Row) => number): Column<Row> {
  return {
    key: 'duration',
    title: texts.duration,
    value: seconds,
    text: (row) => formatDuration(seconds(row) * 1000),
    csv: seconds,
    csvUnit: 's',
    align: 'end',
    width: 6,
  };
}

/** @param now in ms since the epoch */
export function maintenanceColumns(now: number): readonly Column<Maintenance>[] {
  const durationMs = ({ from, until }: Maintenance) =>
    Math.min(parseTime(until) ?? now, now) - (parseTime(from) ?? now);
  return [
    { key: 'name', title: 'Subject', value: ({ name }) => name, filter: 'choice', width: 18 },
    timeColumn('from', texts.from, ({ from }) => from, now),
    timeColumn('until', texts.to, ({ until }) => until, now),
    durationColumn((row) => Math.floor(durationMs(row) / 1000)),
  ];
}

/** An incident across a gap has two durations: the observed one, and the gap, in which the state is not known. */
const incidentDuration: Column<Incident> = {
  ...durationColumn(({ seconds }) => seconds),
  text: ({ seconds, unwatched_seconds: unwatched = 0 }) => {
    const observed = formatDuration(seconds * 1000);
    return unwatched === 0 ? observed : `${observed} + ${formatDuration(unwatched * 1000)} not watched`;
  },
  csvAs: [
    { title: `${texts.duration} (s)`, value: ({ seconds }) => seconds },
    { title: 'Not watched (s)', value: ({ unwatched_seconds: unwatched }) => unwatched ?? null },
  ],
  fits: true,
};

/** @param now in ms since the epoch */
export function incidentColumns(now: number): readonly Column<Incident>[] {
  return [
    { key: 'name', title: 'Manager or node', value: ({ name }) => name, filter: 'choice', width: 10 },
    {
      key: 'state',
      title: 'Worst state',
      value: (incident) => incidentLabel(incident),
      filter: 'choice',
      width: 8,
    },
    { key: 'reason', title: 'Reason', value: ({ reason }) => reason ?? '', width: 20 },
    timeColumn('from', texts.from, ({ from }) => from, now),
    timeColumn('to', texts.to, ({ to }) => to, now, 'ongoing'),
    incidentDuration,
  ];
}
