import { formatNumber, plural } from '../../../api/countText.ts';

export const fleetTexts = {
  caption: 'Labs',
  waiting: 'Reading the labs …',
  summary: (count: number) => plural(count, 'lab', 'labs'),
  states: 'Labs by state',
  count: (count: number, state: string) => `${formatNumber(count)} ${state}`,
  none: 'No labs are configured',
  noneMore:
    'This page shows many labs on one screen: their state, workflows, incidents and last safety stop. The setting LAB_FLEET (lab_fleet in a settings file) lists the addresses of their lab managers, for example:',
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
    lastIncident: 'Last incident',
  },
  running: (running: number, waiting: number) =>
    waiting === 0 ? formatNumber(running) : `${formatNumber(running)}, ${formatNumber(waiting)} waiting`,
  open: (count: number) => `${formatNumber(count)} open`,
  noIncident: 'none',
  last: (time: string) => `last ${time}`,
  noStop: 'none',
  inForce: 'in force',
  unconfirmed: (count: number) => `in force, ${formatNumber(count)} unconfirmed`,
  inForceThen: 'in force when last read',
  ratio: (healthy: number, total: number) => `${healthy}/${total}`,
  never: 'never',
  /** The labels of values where the table has no column headings. */
  narrow: { running: 'Workflows', incidents: 'Incidents', stop: 'Safety stop', managers: 'Managers' },
  simulated: (name: string) => `${name} (simulated)`,
} as const;
