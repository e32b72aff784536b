/** The columns of the table of labs. */
import { fleetAppearances, fleetStates, type FleetLab } from '#api/lab/fleet.ts';
import { formatAge, formatTime, parseTime } from '../../base/time.ts';
import type { Column } from '../../components/table/rows/tableRows.ts';
import { feedbackTexts } from '../../components/texts.ts';
import { fleetTexts } from './texts.ts';

const titles = fleetTexts.columns;

function runningText({ workflows }: FleetLab): string {
  return workflows === null ? '' : fleetTexts.running(workflows.running, workflows.queued + workflows.paused);
}

function incidentsText({ incidents }: FleetLab, now: number): string {
  if (incidents === null) return '';
  if (incidents.open > 0) return fleetTexts.open(incidents.open);
  const at = parseTime(incidents.last?.from);
  return at === null ? 'none' : `last ${formatTime(at, now)}`;
}

/** Describes the last safety stop; empty if it is unknown whether or when one was sent. */
function stopText({ safety_stop: stop, stops_read: isRead, state }: FleetLab, now: number): string {
  if (stop === null) return isRead ? 'none' : '';
  if (stop.in_force && state === 'unreachable') return 'in force when last read';
  if (stop.in_force) return stop.unconfirmed === 0 ? fleetTexts.inForce : fleetTexts.unconfirmed(stop.unconfirmed);
  const at = parseTime(stop.at);
  return at === null ? '' : formatTime(at, now);
}

/** Returns whether a safety stop is in force, as text for the CSV file; empty if it is unknown. */
function inForceText({ safety_stop: stop, stops_read: isRead }: FleetLab): string {
  return stop === null && !isRead ? '' : String(stop?.in_force ?? false);
}

/** Returns the age of the last response: `5 s ago`. @param now in ms since the epoch */
export function lastResponseText({ answered }: FleetLab, now: number): string {
  const at = parseTime(answered);
  return at === null ? 'never' : feedbackTexts.age.ago(formatAge(Math.max(0, now - at)));
}

function sinceText({ since }: FleetLab, now: number): string {
  const at = parseTime(since);
  return at === null ? '' : formatAge(Math.max(0, now - at));
}

/** Returns a column that shows the age of a time; `FleetPanel.vue` keeps the displayed age current. */
function ageColumn(key: 'since' | 'answered', text: (lab: FleetLab) => string): Column<FleetLab> {
  return { key, title: titles[key], value: (lab) => parseTime(lab[key]), text, csv: (lab) => lab[key], width: 5 };
}

function sumCounts(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Returns the columns of running workflows, incidents and the last safety stop. */
function activityColumns(now: number): readonly Column<FleetLab>[] {
  return [
    {
      key: 'running',
      title: titles.running,
      value: ({ workflows }) => workflows?.running ?? null,
      text: runningText,
      csvAs: [
        { title: titles.running, value: ({ workflows }) => workflows?.running ?? null },
        { title: titles.queued, value: ({ workflows }) => workflows?.queued ?? null },
        { title: titles.paused, value: ({ workflows }) => workflows?.paused ?? null },
      ],
      width: 6,
    },
    {
      key: 'incidents',
      title: titles.incidents,
      value: ({ incidents }) => incidents?.open ?? null,
      text: (lab) => incidentsText(lab, now),
      csvAs: [
        { title: titles.incidents, value: ({ incidents }) => incidents?.open ?? null },
        { title: titles.lastIncident, value: ({ incidents }) => incidents?.last?.from ?? null },
      ],
      width: 6.5,
    },
    {
      key: 'stop',
      title: titles.stop,
      value: ({ safety_stop: stop }) => (stop?.in_force ? Number.MAX_SAFE_INTEGER : parseTime(stop?.at)),
      text: (lab) => stopText(lab, now),
      csvAs: [
        { title: titles.stop, value: ({ safety_stop: stop }) => stop?.at ?? null },
        { title: fleetTexts.inForce, value: inForceText },
      ],
      width: 8,
    },
  ];
}

/**
 * Returns the columns; the visible ones fit on a screen of 1280 pixels.
 * @param now in ms since the epoch
 */
export function fleetColumns(now: number): readonly Column<FleetLab>[] {
  return [
    {
      key: 'name',
      title: titles.name,
      value: ({ name, demo }) => (demo ? `${name} (simulated)` : name),
      width: 9,
      grows: true,
    },
    {
      key: 'state',
      title: titles.state,
      value: ({ state }) => fleetStates.indexOf(state),
      text: ({ state }) => fleetAppearances[state].label,
      filter: 'choice',
      width: 7,
    },
    ageColumn('since', (lab) => sinceText(lab, now)),
    { key: 'reason', title: titles.reason, value: ({ reason }) => reason ?? '', width: 9.5, grows: true },
    ...activityColumns(now),
    {
      key: 'managers',
      title: titles.managers,
      value: ({ managers }) => managers && managers.healthy - managers.total,
      text: ({ managers }) => (managers === null ? '' : `${managers.healthy}/${managers.total}`),
      width: 4.5,
    },
    {
      key: 'nodes',
      title: titles.nodes,
      value: ({ nodes }) => nodes && sumCounts(nodes),
      align: 'end',
      hidden: true,
      width: 4,
    },
    ageColumn('answered', (lab) => lastResponseText(lab, now)),
    {
      key: 'version',
      title: titles.version,
      value: ({ version }) => version,
      hidden: true,
      filter: 'choice',
      width: 6,
    },
    {
      key: 'machine',
      title: titles.machine,
      value: ({ safety_stop: stop }) => stop?.machine ?? null,
      hidden: true,
      width: 9,
    },
    { key: 'url', title: titles.url, value: ({ url }) => url, hidden: true, width: 14 },
  ];
}
