/**
 * The lab manager's own contract: the bodies of its endpoints. `endpoints.ts` says where they are served.
 * Source: MADSci 0.8.1's lab manager, and what ours answers besides.
 */
import * as z from 'zod/mini';
import { labStop } from '../safetyStop/labStop.ts';
import { byContextKey, managerKeys, type ManagerKey } from '../managers.ts';
import { isTimeZone, type HostClock } from '../time/time.ts';
import { labStates, managerStates, nodeFlags, nodeStates } from '../states.ts';

/** An absolute http(s) address, normalised as WHATWG does; `null` is a service that was switched off. */
const address = z.nullable(z.string());

/** Body of `GET /context`: always these seven keys. */
export const labContext = z.object(byContextKey(() => address));
export type LabContext = z.infer<typeof labContext>;

/** What a lab manager that runs gives as its description: tells it from the six managers, whose name is another one. */
export const labManagerDescription = 'Lab Manager is running';

/** Body of `GET /health`. */
export const health = z.object({
  healthy: z.boolean(),
  description: z.string(),
  version: z.nullable(z.string()),
});
export type Health = z.infer<typeof health>;

/**
 * One manager in `/lab_health`. A manager's own extra fields (`db_connected` …) are kept where they are small: scalars,
 * texts of at most 500 characters, and objects and lists of them down to the third level.
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

/** A change of a manager's state: `at` is ISO 8601 UTC, `reason` is `null` when there is nothing to say. */
const stateChange = z.object({
  at: z.string(),
  state: z.enum(managerStates),
  reason: z.nullable(z.string()),
});
export type StateChange = z.infer<typeof stateChange>;

/**
 * One minute of a manager's history: the worst state seen in it, the median and the longest answer in milliseconds
 * (`null` when it never answered), and how many times it was asked.
 */
const historyMinute = z.object({
  at: z.string(),
  state: z.enum(managerStates),
  latency_ms: z.nullable(z.number()),
  max_latency_ms: z.nullable(z.number()),
  checks: z.int(),
});
export type HistoryMinute = z.infer<typeof historyMinute>;

/** The clock of a manager's host, as the service measured it; `null` for what is unknown. */
const managerClock = z.object({
  /** How far it is ahead of the service's clock; 0 while they differ by less than 5 s, negative: behind. */
  ahead_seconds: z.nullable(z.int()),
  /** An IANA name, or `+01:00` where only the offset is known. */
  time_zone: z.nullable(z.string()),
});
export type ManagerClock = z.infer<typeof managerClock>;

/** What the watch knows of one manager now. Times are ISO 8601 UTC, latencies milliseconds. */
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

/** A node, with why it is as it is, and since when the watch saw it so (ISO 8601 UTC). */
const nodeActivity = z.object({
  name: z.string(),
  state: z.enum(nodeStates),
  /** Set besides the state; missing where none is, and from an older service. */
  flags: z.optional(z.array(z.enum(nodeFlags))),
  reason: z.nullable(z.string()),
  since: z.string(),
});
export type NodeActivity = z.infer<typeof nodeActivity>;

/** A workflow that ended since the watch began; `step` is the one that it failed at, `at` when it was seen (ISO 8601 UTC). */
const endedWorkflow = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['completed', 'failed', 'cancelled']),
  step: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  at: z.string(),
});
export type EndedWorkflow = z.infer<typeof endedWorkflow>;

/**
 * What the workcell manager says of the lab: how many nodes there are, those that need a person, and the newest 20 workflows
 * that ended. `nodes` is null while it doesn't answer.
 */
const labActivity = z.object({
  nodes: z.nullable(z.object({ total: z.int(), in_need: z.array(nodeActivity) })),
  ended_workflows: z.array(endedWorkflow),
});
export type LabActivity = z.infer<typeof labActivity>;

/** What can be in maintenance: `id` is a manager's key, a node's name, or `lab`. */
export const maintenanceSubject = z.object({ kind: z.enum(['lab', 'manager', 'node']), id: z.string() });
export type MaintenanceSubject = z.infer<typeof maintenanceSubject>;

/** The lab, a manager or a node that somebody works on: in maintenance, not down. Times are ISO 8601 UTC. */
export const maintenance = z.extend(maintenanceSubject, { name: z.string(), from: z.string(), until: z.string() });
export type Maintenance = z.infer<typeof maintenance>;

/** The lab manager whose lab is shown, where it isn't this service's own. */
const followedLab = z.object({
  url: z.string(),
  /** The host of its address; with the port where that is loopback. */
  machine: z.string(),
  /** Whether the machine is known: by its address, or where that is loopback, because a person confirmed it. */
  identified: z.boolean(),
  /** What it reports itself, and the managers of which something else is measured here; `null` while that is unknown. */
  reported: z.nullable(
    z.object({ total_managers: z.int(), healthy_managers: z.int(), differing: z.array(z.enum(managerKeys)) }),
  ),
});
export type FollowedLab = z.infer<typeof followedLab>;

/** The lab at this moment, as tray, notifications, `--status` and the dashboard show it. */
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
  /** Not there where the lab has no workcell manager. */
  activity: z.optional(labActivity),
  /** What is in maintenance now; not there where nothing is. */
  maintenance: z.optional(z.array(maintenance)),
  /** A safety stop that is neither released nor acknowledged; missing where there is none. */
  safety_stop: z.optional(labStop),
  /** An acknowledged safety stop that is not released: its nodes are still held. */
  held_stop: z.optional(labStop),
  /**
   * Whether the service has read the event log for safety stops: only then does a status without a stop mean that none is in force.
   * Missing from an older service.
   */
  stops_read: z.optional(z.boolean()),
  /** Missing where the lab is the service's own. */
  followed: z.optional(followedLab),
  /** Only there, and true, when the lab is a simulated one. */
  demo: z.optional(z.literal(true)),
});
export type LabStatus = z.infer<typeof labStatus>;

/** The clock of a manager's host; `null` while its time zone is unknown. */
export function hostClockOf(lab: LabStatus | null, manager: ManagerKey): HostClock | null {
  const clock = lab?.managers.find((each) => each.manager === manager)?.clock;
  const zone = clock?.time_zone ?? null;
  return zone === null || !isTimeZone(zone) ? null : { zone, aheadMs: (clock?.ahead_seconds ?? 0) * 1000 };
}

/**
 * How much of a window a manager was healthy or slow: `percent` of `counted_seconds`, which is the time in which the lab
 * manager watched and knew, without maintenance; `null` where that is none.
 */
const availability = z.object({
  percent: z.nullable(z.number()),
  counted_seconds: z.int(),
  up_seconds: z.int(),
  window_seconds: z.int(),
});
export type Availability = z.infer<typeof availability>;

/** Something that was down from `from` to `to` (ISO 8601 UTC; `null`: it still is), with its worst state and why. */
const anyIncident = z.object({
  name: z.string(),
  reason: z.nullable(z.string()),
  from: z.string(),
  to: z.nullable(z.string()),
  seconds: z.int(),
});
const incident = z.discriminatedUnion('kind', [
  z.extend(anyIncident, { kind: z.literal('manager'), id: z.enum(managerKeys), state: z.enum(managerStates) }),
  z.extend(anyIncident, {
    kind: z.literal('node'),
    id: z.string(),
    state: z.enum(nodeStates),
    /** Set besides that state at any time in it. */
    flags: z.optional(z.array(z.enum(nodeFlags))),
  }),
]);
export type Incident = z.infer<typeof incident>;

/**
 * A manager with the minutes of its last two hours, and its changes in the window, oldest first. Of more than 360 changes, they
 * are the worst state of each 360th part of the window. `availability` and `bars` are missing where nothing is known of it.
 */
const managerHistory = z.extend(managerStatus, {
  changes: z.array(stateChange),
  minutes: z.array(historyMinute),
  availability: z.optional(availability),
  /**
   * The worst state in each 90th of the window, oldest first; `null` where nobody watched or the state was unknown. What was wrong
   * while somebody worked on it is `maintenance`. Missing from an older service.
   */
  bars: z.optional(z.array(z.nullable(z.enum([...managerStates, 'maintenance'])))),
});
export type ManagerHistory = z.infer<typeof managerHistory>;

/**
 * Body of `GET /lab_health/history`: the status, and the past of the lab in a window that ends now: the last two hours, or the
 * `hours` of the request. Reading it asks nobody.
 */
export const labHistory = z.extend(labStatus, {
  /** Who answers: tells our service from another lab manager. */
  service: z.object({ name: z.literal('lab-manager'), version: z.string(), started: z.string() }),
  /** The machine that reads this, as the service sees it: its address, or the service's own name for a reader on its machine. */
  client: z.optional(z.string()),
  window_seconds: z.number(),
  managers: z.array(managerHistory),
  /** What was down in the window, newest first, at most 1000, or 100 of two hours and less. Missing from an older service. */
  incidents: z.optional(z.array(incident)),
  /** What was in maintenance in the window, or still is, the newest 1000. Missing from an older service. */
  past_maintenance: z.optional(z.array(maintenance)),
  /** When the lab manager watched in the window, oldest first, the newest 1000. Missing from an older service. */
  watched: z.optional(z.array(z.object({ from: z.string(), to: z.string() }))),
});
export type LabHistory = z.infer<typeof labHistory>;

/** What became of the notifications to one receiver. Times are ISO 8601 UTC. */
export const delivery = z.object({
  /** Its address without what makes it a secret. */
  channel: z.string(),
  /** Messages that wait to be sent. */
  waiting: z.int(),
  /** When it took a message last. */
  delivered: z.nullable(z.string()),
  /** The last failure, where it took no message since. */
  failure: z.nullable(z.object({ at: z.string(), reason: z.string() })),
});
export type Delivery = z.infer<typeof delivery>;

/** Every error body: `detail` says what went wrong; 422 lists the parameters. */
export const errorAnswer = z.object({
  detail: z.union([
    z.string(),
    z.array(z.object({ type: z.string(), loc: z.array(z.string()), msg: z.string(), input: z.unknown() })),
  ]),
});
