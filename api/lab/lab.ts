/**
 * The lab manager's own contract: the bodies of its endpoints, whose paths are in `labApi.ts`. Source: the lab manager
 * of MADSci 0.8.1, and the additions of this one.
 */
import * as z from 'zod/mini';
import { labStop } from '../safetyStop/labStop.ts';
import { createContextRecord, managerKeys, type ManagerKey } from '../managers.ts';
import { isTimeZone, type HostClock } from '../time/time.ts';
import { labStates, managerStates, nodeFlags, nodeStates } from '../states.ts';

/** An absolute http(s) address, normalised as in WHATWG; `null` is a disabled service. */
const address = z.nullable(z.string());

/** Body of `GET /context`: always these seven keys. */
export const labContext = z.object(createContextRecord(() => address));
export type LabContext = z.infer<typeof labContext>;

/** The description that a lab manager reports. It differs from those of the six managers. */
export const labManagerDescription = 'Lab Manager is running';

/** Body of `GET /health`; the last three are present while OpenTelemetry is turned on. */
export const health = z.object({
  healthy: z.boolean(),
  description: z.string(),
  version: z.nullable(z.string()),
  'otel.enabled': z.optional(z.boolean()),
  'otel.exporter_type': z.optional(z.string()),
  'otel.endpoint': z.optional(z.nullable(z.string())),
});
export type Health = z.infer<typeof health>;

/**
 * One manager in `/lab_health`. A manager's additional fields (`db_connected` …) are kept if small: scalars, texts of at
 * most 500 characters, and objects and lists of them down to the third level.
 */
const managerHealth = z.looseObject({
  healthy: z.boolean(),
  description: z.string(),
});
export type ManagerHealth = z.infer<typeof managerHealth>;

/** Body of `GET /lab_health`. */
export const labHealth = z.object({
  healthy: z.boolean(),
  description: z.string(),
  version: z.nullable(z.string()),
  managers: z.record(z.string(), managerHealth),
  total_managers: z.int(),
  healthy_managers: z.int(),
});
export type LabHealth = z.infer<typeof labHealth>;

/** A change of a manager's state: `at` is ISO 8601 UTC, `reason` is `null` if there is none. */
const stateChange = z.object({
  at: z.string(),
  state: z.enum(managerStates),
  reason: z.nullable(z.string()),
});
export type StateChange = z.infer<typeof stateChange>;

/** The clock of a manager's host, as measured by the service; `null` for unknown values. */
const managerClock = z.object({
  /** How far it is ahead of the service's clock; 0 while they differ by less than 5 s, negative: behind. */
  ahead_seconds: z.nullable(z.int()),
  /** An IANA name, or `+01:00` if only the offset is known. */
  time_zone: z.nullable(z.string()),
});
export type ManagerClock = z.infer<typeof managerClock>;

/** The current status of one manager. Times are ISO 8601 UTC, latencies milliseconds. */
export const managerStatus = z.object({
  manager: z.enum(managerKeys),
  name: z.string(),
  url: z.string(),
  state: z.enum(managerStates),
  reason: z.nullable(z.string()),
  since: z.nullable(z.string()),
  last_checked: z.nullable(z.string()),
  last_healthy: z.nullable(z.string()),
  latency_ms: z.nullable(z.number()),
  usual_latency_ms: z.nullable(z.number()),
  version: z.nullable(z.string()),
  health: z.nullable(managerHealth),
  /** Missing from an older service. */
  clock: z.optional(managerClock),
});
export type ManagerStatus = z.infer<typeof managerStatus>;

/** A node with its state, the reason, and the time when the watch first saw the state (ISO 8601 UTC). */
const nodeActivity = z.object({
  name: z.string(),
  state: z.enum(nodeStates),
  /** Flags besides the state; missing if none is set, and from an older service. */
  flags: z.optional(z.array(z.enum(nodeFlags))),
  reason: z.nullable(z.string()),
  since: z.string(),
  /** The number of workflows whose next step is on it; missing without any, and from an older service. */
  waiting: z.optional(z.int()),
});
export type NodeActivity = z.infer<typeof nodeActivity>;

/**
 * A workflow that ended since the watch started; `step` is the failed one, `at` the time of its detection (ISO 8601 UTC).
 */
const endedWorkflow = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['completed', 'failed', 'cancelled']),
  step: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  at: z.string(),
  /** The end as the workcell manager wrote it, because a retried workflow ends again. Missing if unknown, and from an older service. */
  end: z.optional(z.string()),
});
export type EndedWorkflow = z.infer<typeof endedWorkflow>;

/** A step that runs far longer than all earlier runs of its action; `id` and `name` are those of its workflow. */
const overdueStep = z.object({
  id: z.string(),
  name: z.string(),
  step: z.string(),
  node: z.string(),
  /** The start as the workcell manager wrote it, and by the service's clock (ISO 8601 UTC). */
  start: z.string(),
  since: z.string(),
  longest_seconds: z.number(),
});
export type OverdueStep = z.infer<typeof overdueStep>;

/** A waiting workflow that cannot start for a reason other than the state of a node. */
const blockedWorkflow = z.object({ id: z.string(), name: z.string(), reason: z.string() });
export type BlockedWorkflow = z.infer<typeof blockedWorkflow>;

/**
 * Active workflows that the workcell manager no longer has, because it was restarted without its store. Times are ISO 8601
 * UTC.
 */
const lostWorkflows = z.object({
  /** When the service last read them, and when it missed them. */
  seen: z.string(),
  missed: z.string(),
  total: z.int(),
  /** The first 100. */
  workflows: z.array(z.object({ id: z.string(), name: z.string(), state: z.enum(['queued', 'running', 'paused']) })),
});
export type LostWorkflows = z.infer<typeof lostWorkflows>;

/**
 * The workcell manager's report on the lab: the number of nodes, those that need attention, and the newest 20 workflows
 * that ended. `nodes` is null while it does not respond.
 */
const labActivity = z.object({
  nodes: z.nullable(z.object({ total: z.int(), in_need: z.array(nodeActivity) })),
  ended_workflows: z.array(endedWorkflow),
  /** Missing while the running workflows are unknown, and from an older service. */
  overdue_steps: z.optional(z.array(overdueStep)),
  /** Missing without any, while the active workflows are unknown, and from an older service. */
  blocked_workflows: z.optional(z.array(blockedWorkflow)),
  /** The last loss of the past day; missing without one, and from an older service. */
  lost_workflows: z.optional(lostWorkflows),
});
export type LabActivity = z.infer<typeof labActivity>;

/** The subject of a maintenance window: `id` is a manager's key, a node's name, or `lab`. */
export const maintenanceSubject = z.object({ kind: z.enum(['lab', 'manager', 'node']), id: z.string() });
export type MaintenanceSubject = z.infer<typeof maintenanceSubject>;

/** A maintenance window of the lab, a manager or a node. Times are ISO 8601 UTC. */
export const maintenance = z.extend(maintenanceSubject, { name: z.string(), from: z.string(), until: z.string() });
export type Maintenance = z.infer<typeof maintenance>;

/** The days of the week, in the order of `Date.getDay`. */
export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** When recurring maintenance begins, by the clock of the lab manager's machine, and how long it lasts. */
export const recurrence = z.object({
  days: z.array(z.enum(weekdays)).check(z.minLength(1), z.maxLength(7)),
  /** `02:00` */
  at: z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)),
  minutes: z.int().check(z.minimum(1), z.maximum(7 * 24 * 60)),
});
export type Recurrence = z.infer<typeof recurrence>;

/** The next window of a recurring maintenance. */
export const plannedMaintenance = z.extend(maintenance, { every: recurrence });
export type PlannedMaintenance = z.infer<typeof plannedMaintenance>;

/** The followed lab manager, if the lab is not this service's own. */
const followedLab = z.object({
  url: z.string(),
  /** The host of its address; with the port if it is loopback. */
  machine: z.string(),
  /** Whether the machine is identified: by its address or, if that is loopback, by a person's confirmation. */
  identified: z.boolean(),
  /** The health that it reports, and the managers whose health measured here differs; `null` while unknown. */
  reported: z.nullable(
    z.object({ total_managers: z.int(), healthy_managers: z.int(), differing: z.array(z.enum(managerKeys)) }),
  ),
});
export type FollowedLab = z.infer<typeof followedLab>;

/** The database that two servers share. */
const databaseStatus = z.object({
  /** The reason why it can't be used, and since when (ISO 8601 UTC); `null` while it is connected. */
  problem: z.nullable(z.object({ reason: z.string(), since: z.string() })),
  /** The number of records of the history that it has not stored yet. */
  waiting: z.int(),
});
export type DatabaseStatus = z.infer<typeof databaseStatus>;

/** The current state of the lab, as shown by tray, notifications, `--status` and the dashboard. */
export const labStatus = z.object({
  lab_name: z.nullable(z.string()),
  now: z.string(),
  state: z.enum(labStates),
  description: z.string(),
  since: z.nullable(z.string()),
  interval_seconds: z.number(),
  total_managers: z.int(),
  healthy_managers: z.int(),
  managers: z.array(managerStatus),
  /** Missing if the lab has no workcell manager. */
  activity: z.optional(labActivity),
  /** The maintenance windows in effect; missing if there are none. */
  maintenance: z.optional(z.array(maintenance)),
  /** The next window of each recurring maintenance, the earliest first; missing if there is none. */
  planned_maintenance: z.optional(z.array(plannedMaintenance)),
  /** A safety stop that is neither released nor acknowledged; missing if there is none. */
  safety_stop: z.optional(labStop),
  /** A safety stop that is acknowledged but not released: its nodes are still stopped. */
  acknowledged_stop: z.optional(labStop),
  /**
   * Whether the service has read the event log for safety stops: only then does a status without a stop mean that none is in effect.
   * Missing from an older service.
   */
  stops_read: z.optional(z.boolean()),
  /** Missing if the lab is the service's own. */
  followed: z.optional(followedLab),
  /** True if the lab is simulated, otherwise missing. */
  demo: z.optional(z.literal(true)),
  /** The reason why the service is on standby and sends no notifications; missing while it is active. */
  standby: z.optional(z.string()),
  /** The connection to the database of `LAB_DATABASE_URL`; missing without this setting. */
  database: z.optional(databaseStatus),
});
export type LabStatus = z.infer<typeof labStatus>;

/** The clock of a manager's host; `null` while its time zone is unknown. */
export function getHostClock(lab: LabStatus | null, manager: ManagerKey): HostClock | null {
  const clock = lab?.managers.find((status) => status.manager === manager)?.clock;
  const zone = clock?.time_zone ?? null;
  return zone === null || !isTimeZone(zone) ? null : { zone, aheadMs: (clock?.ahead_seconds ?? 0) * 1000 };
}

/**
 * A manager's availability in a window: `percent` of `counted_seconds` in which it was healthy or slow; `null` if they
 * are zero. They are the time in which the lab manager watched and the state was known, without maintenance.
 */
const availability = z.object({
  percent: z.nullable(z.number()),
  counted_seconds: z.int(),
  up_seconds: z.int(),
  window_seconds: z.int(),
});
export type Availability = z.infer<typeof availability>;

/** An outage from `from` to `to` (ISO 8601 UTC; `null`: not ended), with its worst state and the reason. */
const incidentBase = z.object({
  name: z.string(),
  reason: z.nullable(z.string()),
  from: z.string(),
  to: z.nullable(z.string()),
  /** The downtime that was observed: the time between `from` and `to` that was watched with a known state. */
  seconds: z.int(),
  /** The rest of that time. Missing from an older service, whose `seconds` include it. */
  unwatched_seconds: z.optional(z.int()),
});
const incident = z.discriminatedUnion('kind', [
  z.extend(incidentBase, { kind: z.literal('manager'), id: z.enum(managerKeys), state: z.enum(managerStates) }),
  z.extend(incidentBase, {
    kind: z.literal('node'),
    id: z.string(),
    state: z.enum(nodeStates),
    /** Flags set besides that state at any time in the outage. */
    flags: z.optional(z.array(z.enum(nodeFlags))),
  }),
]);
export type Incident = z.infer<typeof incident>;

/**
 * A manager with its changes in the window, oldest first; more than 360 changes are reduced to the worst state in each
 * 360th of the window. `availability` and `bars` are missing if there is no data.
 */
const managerHistory = z.extend(managerStatus, {
  changes: z.array(stateChange),
  availability: z.optional(availability),
  /**
   * The worst state in each 90th of the window, oldest first; `null` where the lab manager did not watch or the state was
   * unknown. An outage during maintenance is `maintenance`. Missing from an older service.
   */
  bars: z.optional(z.array(z.nullable(z.enum([...managerStates, 'maintenance'])))),
});
export type ManagerHistory = z.infer<typeof managerHistory>;

/**
 * Body of `GET /lab_health/history`: the status, and the lab's history in a window that ends now: the last two hours, or
 * the `hours` of the request. Reading it sends no request to a manager.
 */
export const labHistory = z.extend(labStatus, {
  /** Identifies the responding service as this lab manager, not another one. */
  service: z.object({ name: z.literal('lab-manager'), version: z.string(), started: z.string() }),
  /** `LAB_REMOTE_ACCESS`; missing while remote access is off. */
  remote_access: z.optional(z.enum(['view', 'operate'])),
  /** The managers whose addresses no source sets, in a lab that sets others; missing if there are none. */
  unset_addresses: z.optional(z.array(z.enum(managerKeys))),
  /** The number of labs in `LAB_FLEET`; missing if there are none. */
  fleet: z.optional(z.int()),
  /**
   * The client's machine as the service sees it: its address, or the service's own name for a client on the same machine.
   */
  client: z.optional(z.string()),
  /** The account that runs the service, and its settings file: only for programs on its machine, not for pages. */
  owner: z.optional(z.object({ account: z.nullable(z.string()), settings_file: z.string() })),
  window_seconds: z.number(),
  managers: z.array(managerHistory),
  /**
   * The incidents in the window, newest first, at most 1000, or 100 for two hours and less. Missing from an older
   * service.
   */
  incidents: z.optional(z.array(incident)),
  /** The maintenance windows of the period, also current ones, the newest 1000. Missing from an older service. */
  past_maintenance: z.optional(z.array(maintenance)),
  /** When the lab manager watched in the window, oldest first, the newest 1000. Missing from an older service. */
  watched: z.optional(z.array(z.object({ from: z.string(), to: z.string() }))),
});
export type LabHistory = z.infer<typeof labHistory>;

/** The delivery status of the notifications to one receiver. Times are ISO 8601 UTC. */
export const delivery = z.object({
  /** Its address without secret parts. */
  channel: z.string(),
  /** The number of pending messages. */
  waiting: z.int(),
  /** When it last accepted a message. */
  delivered: z.nullable(z.string()),
  /** The last failure, if it has accepted no message since. */
  failure: z.nullable(z.object({ at: z.string(), reason: z.string() })),
});
export type Delivery = z.infer<typeof delivery>;

/** Every error body: `detail` is the error; 422 lists the parameters. */
export const errorResponse = z.object({
  detail: z.union([
    z.string(),
    z.array(z.object({ type: z.string(), loc: z.array(z.string()), msg: z.string(), input: z.unknown() })),
  ]),
});
