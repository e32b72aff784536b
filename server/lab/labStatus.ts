/** The status of the lab at a moment, from what its readers have written. */
import type { RecordedCommand } from '../../api/commandRecord.ts';
import type { DatabaseStatus, FollowedLab, LabActivity, LabStatus, Maintenance } from '../../api/lab/lab.ts';
import { findMaintenance, outsideMaintenance, type MaintenanceWindows } from '../../api/lab/maintenance.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import { countsAsHealthy, type LabState } from '../../api/states.ts';
import { listWindows, type MaintenanceState } from '../maintenance/entries.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import { labActivity, type Moment, type WorkcellReadings } from './activity.ts';
import { getLabState, healthSummary } from './labState.ts';
import { managerState, managerStatus, type LabChecks } from './managerCheck.ts';
import { managerZone, type MeasuredZones } from './zones.ts';

/** A followed lab manager: the source of the addresses, if the lab is not this service's own. */
export interface FollowedState {
  readonly lab: FollowedLab;
  readonly labName: string | null;
  readonly maintenance: MaintenanceWindows;
  /** Since when it sends no usable response, by the monotonic clock, in ms; `null` while it does. */
  readonly lostAt: number | null;
}

/** The safety stop in effect. */
export interface StopsState {
  /** The stop that is neither released nor acknowledged. */
  readonly current: LabStop | null;
  /** The stop that is acknowledged but not released. */
  readonly acknowledged: LabStop | null;
}

/** The records of safety stops in the event log of a manager. */
export interface StopLogReading {
  readonly manager: string;
  readonly records: readonly RecordedCommand[];
}

export interface LabSlices extends WorkcellReadings {
  readonly settings: LabSettings;
  /** Whether the lab is simulated. */
  readonly isDemo: boolean;
  readonly followed: FollowedState | null;
  readonly checks: LabChecks;
  readonly zones: MeasuredZones;
  readonly stops: StopsState;
  /** Whether the log of the lab's current event manager was read. */
  readonly isStopLogRead: boolean;
  readonly maintenance: MaintenanceState;
  /** Why this server is on standby; `null` while it is active. */
  readonly standby: string | null;
  /** The database that two servers share; `null` without one. */
  readonly database: DatabaseStatus | null;
}

/** The state of the lab and its start, in ms since the epoch. */
export interface LabStateSince {
  readonly state: LabState;
  readonly since: number;
}

/** A followed lab manager without a usable response for this long, in ms, makes the lab's state unknown. */
const maxSilenceMs = 15_000;

export function maintenanceWindows(
  { maintenance, followed }: Pick<LabSlices, 'maintenance' | 'followed'>,
  now: number,
): MaintenanceWindows {
  return listWindows(maintenance, now, followed?.maintenance);
}

/** The lab's state and its description: managers in maintenance do not count. */
export function evaluateLab(
  { managers, everChecked }: LabChecks,
  maintenance: readonly Maintenance[],
  now: number,
): { readonly state: LabState; readonly summary: string } {
  const states = outsideMaintenance(managers, maintenance).map((check) => managerState(check, now));
  const inMaintenance = managers.length - states.length;
  return {
    state: getLabState(states, everChecked, inMaintenance),
    summary: healthSummary(states.filter(countsAsHealthy).length, states.length, inMaintenance),
  };
}

/** @param since start of the lab's state, in ms since the epoch */
export function deriveLabStatus(slices: LabSlices, since: number, moment: Moment): LabStatus {
  const { now } = moment;
  const { settings, followed, checks, zones, stops, standby, database } = slices;
  const managers = checks.managers.map((check) =>
    managerStatus(check, managerZone(settings, zones, check.manager), now),
  );
  const { current: maintenance, planned } = maintenanceWindows(slices, now);
  const unknownReason = followedUnknownReason(followed, moment);
  const evaluated = evaluateLab(checks, maintenance, now);
  const hasWorkcell = settings.context.workcell_server_url !== null;
  return {
    lab_name: followed === null ? settings.labName : followed.labName,
    now: new Date(now).toISOString(),
    state: unknownReason === null ? evaluated.state : 'unknown',
    description: unknownReason ?? (managers.length === 0 ? 'No managers are configured' : evaluated.summary),
    since: new Date(since).toISOString(),
    interval_seconds: settings.watchInterval,
    total_managers: managers.length,
    healthy_managers: managers.filter(({ state }) => countsAsHealthy(state)).length,
    managers,
    ...(hasWorkcell && { activity: excludeMaintenance(labActivity(slices, moment), maintenance) }),
    ...(maintenance.length > 0 && { maintenance: [...maintenance] }),
    ...(planned.length > 0 && { planned_maintenance: [...planned] }),
    ...(stops.current !== null && { safety_stop: stops.current }),
    ...(stops.acknowledged !== null && { acknowledged_stop: stops.acknowledged }),
    stops_read: slices.isStopLogRead,
    ...(followed !== null && { followed: followed.lab }),
    ...(slices.isDemo && { demo: true as const }),
    ...(standby !== null && { standby }),
    ...(database !== null && { database }),
  };
}

/**
 * Why the lab's state is unknown even if its managers respond: the addresses of the followed lab manager may be outdated.
 * `null` if it is certain.
 */
function followedUnknownReason(followed: FollowedState | null, { monotonic }: Moment): string | null {
  if (followed === null || followed.lostAt === null || monotonic - followed.lostAt < maxSilenceMs) return null;
  return `The lab manager at ${followed.lab.url} does not answer; its last known addresses are shown`;
}

/** Nodes in maintenance need no attention. */
function excludeMaintenance(activity: LabActivity, maintenance: readonly Maintenance[]): LabActivity {
  if (activity.nodes === null) return activity;
  const inNeed = activity.nodes.in_need.filter(({ name }) => findMaintenance(maintenance, 'node', name) === null);
  return { ...activity, nodes: { ...activity.nodes, in_need: inNeed } };
}
