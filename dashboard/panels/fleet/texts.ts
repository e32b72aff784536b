import { formatNumber, plural } from '#api/countText.ts';

export const fleetTexts = {
  waiting: 'Reading the labs…',
  summary: (count: number) => plural(count, 'lab', 'labs'),
  count: (count: number, state: string) => `${formatNumber(count)} ${state}`,
  example: 'lab_fleet: ["http://bench4:8000", "Cell culture=http://lab-pc:8000"]',
  columns: {
    name: 'Lab',
    state: 'State',
    since: 'Since',
    reason: 'Reason',
    running: 'Workflows',
    incidents: 'Incidents',
    stop: 'Last safety stop',
    managers: 'Managers',
    nodes: 'Nodes',
    answered: 'Answered',
    version: 'Version',
    machine: 'Safety stop from',
    url: 'Address',
    queued: 'Queued',
    paused: 'Paused',
    lastIncident: 'Last incident',
  },
  running: (running: number, waiting: number) =>
    waiting === 0 ? formatNumber(running) : `${formatNumber(running)}, ${formatNumber(waiting)} waiting`,
  open: (count: number) => `${formatNumber(count)} open`,
  inForce: 'in force',
  unconfirmed: (count: number) => `in force, ${formatNumber(count)} unconfirmed`,
  /** The labels of values where the table has no column headings. */
  narrow: { running: 'Workflows', incidents: 'Incidents', stop: 'Safety stop', managers: 'Managers' },
} as const;
