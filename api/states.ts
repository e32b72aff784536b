/**
 * The states and their appearance for the tray, the notifications, the command line and the dashboard: text, shape,
 * colour and severity. Every displayed state must be in these tables, except those of the page Many labs: they are in
 * `lab/fleet.ts`, which only that page loads.
 */

/** The appearance of a state. `severity` orders lists and decides roll-ups: higher is worse. */
export interface StateAppearance {
  readonly shape: Shape;
  readonly color: StateColor;
  readonly severity: number;
  readonly label: string;
}

export const shapeNames = [
  'check', // filled circle with a tick
  'arc', // ring with an arc
  'hollow', // hollow circle
  'pause', // circle with two bars
  'padlock',
  'triangle', // triangle with !
  'square', // square with a cross
  'octagon',
  'dashed', // dashed circle with ?
] as const;
export type Shape = (typeof shapeNames)[number];

export const stateColorNames = ['ok', 'running', 'waiting', 'attention', 'failed', 'held', 'gone'] as const;
export type StateColor = (typeof stateColorNames)[number];

/** Text colours of the states, [light, dark], each at least 4.5:1 on its surfaces (verified by a test). */
export const stateColors: Readonly<Record<StateColor, readonly [light: string, dark: string]>> = {
  ok: ['#00795A', '#3CCFA5'],
  running: ['#0B62B8', '#6CB2FF'],
  waiting: ['#57606A', '#9AA4AF'],
  attention: ['#8A5300', '#F0B449'],
  failed: ['#B3261E', '#FF8A80'],
  held: ['#7B3FA0', '#D3A6F0'],
  gone: ['#57606A', '#9AA4AF'],
};

/** The surfaces on which states are drawn, per theme. */
export const surfaces = {
  light: { surface: '#FFFFFF', background: '#F6F7F9', border: '#E1E4E8', text: '#1B1F24', muted: '#57606A' },
  dark: { surface: '#161B21', background: '#0F1317', border: '#2B323B', text: '#E6EAEF', muted: '#9AA4AF' },
} as const;

/** Links and primary actions, [light, dark]. */
export const accent = ['#0B62B8', '#6CB2FF'] as const;

/**
 * State of one manager in the watch. `unknown`: not checked yet, or the last check is stale. `slow`: healthy, but the
 * response took over a second. `unhealthy`: it reports so, or its response is not a health object. `unreachable`: no
 * response.
 */
export const managerStates = ['unknown', 'healthy', 'slow', 'unhealthy', 'unreachable'] as const;
export type ManagerState = (typeof managerStates)[number];

/**
 * State of the lab in the watch: `starting` until every manager was checked once, `healthy` when all are, `degraded` when
 * more than half are, `down` otherwise, `unknown` after sleep or when the watch itself is stale, `failed` when the lab
 * manager's own service does not run. Managers in maintenance do not count; `maintenance`: all are.
 */
export const labStates = ['starting', 'healthy', 'degraded', 'down', 'unknown', 'failed', 'maintenance'] as const;
export type LabState = (typeof labStates)[number];

/** Replaces any other state during maintenance, which raises no alarm. */
export const maintenanceAppearance: StateAppearance = {
  shape: 'pause',
  color: 'held',
  severity: 1,
  label: 'Maintenance',
};

export const managerAppearances: Readonly<Record<ManagerState, StateAppearance>> = {
  unknown: { shape: 'dashed', color: 'gone', severity: 2, label: 'Unknown' },
  healthy: { shape: 'check', color: 'ok', severity: 0, label: 'Healthy' },
  slow: { shape: 'triangle', color: 'attention', severity: 3, label: 'Slow' },
  unhealthy: { shape: 'square', color: 'failed', severity: 4, label: 'Unhealthy' },
  unreachable: { shape: 'square', color: 'failed', severity: 5, label: 'Unreachable' },
};

/** The state of a segment of a manager's history; during maintenance it is `maintenance`. */
export type BarState = ManagerState | 'maintenance';

/** The appearance of a segment of a manager's history. */
export function barAppearance(state: BarState): StateAppearance {
  return state === 'maintenance' ? maintenanceAppearance : managerAppearances[state];
}

export const labAppearances: Readonly<Record<LabState, StateAppearance>> = {
  starting: { shape: 'hollow', color: 'waiting', severity: 1, label: 'Starting' },
  healthy: { shape: 'check', color: 'ok', severity: 0, label: 'Healthy' },
  degraded: { shape: 'triangle', color: 'attention', severity: 3, label: 'Degraded' },
  down: { shape: 'square', color: 'failed', severity: 4, label: 'Down' },
  unknown: { shape: 'dashed', color: 'gone', severity: 2, label: 'Unknown' },
  failed: { shape: 'octagon', color: 'failed', severity: 5, label: 'Service failed' },
  maintenance: maintenanceAppearance,
};

/**
 * State of a node, the worst in its status. `disconnected`: unreachable for the workcell manager. `unconfigured`: waiting
 * for configuration values. `notReady`: not ready without a reason. `unknown`: never read.
 */
export const nodeStates = [
  'disconnected',
  'stopped',
  'errored',
  'unconfigured',
  'unknown',
  'notReady',
  'locked',
  'paused',
  'initializing',
  'busy',
  'ready',
] as const;
export type NodeState = (typeof nodeStates)[number];

export const nodeAppearances: Readonly<Record<NodeState, StateAppearance>> = {
  disconnected: { shape: 'dashed', color: 'gone', severity: 5, label: 'Unreachable' },
  stopped: { shape: 'octagon', color: 'failed', severity: 5, label: 'Stopped' },
  errored: { shape: 'square', color: 'failed', severity: 4, label: 'Error' },
  unconfigured: { shape: 'triangle', color: 'attention', severity: 3, label: 'Not configured' },
  unknown: { shape: 'dashed', color: 'gone', severity: 2, label: 'Unknown' },
  notReady: { shape: 'triangle', color: 'attention', severity: 3, label: 'Not ready' },
  locked: { shape: 'padlock', color: 'held', severity: 2, label: 'Locked' },
  paused: { shape: 'pause', color: 'held', severity: 2, label: 'Paused' },
  initializing: { shape: 'hollow', color: 'waiting', severity: 1, label: 'Initializing' },
  busy: { shape: 'arc', color: 'running', severity: 0, label: 'Busy' },
  ready: { shape: 'check', color: 'ok', severity: 0, label: 'Ready' },
};

/** Flags that are shown next to a node's state, the most urgent first: a moving node is always shown with `busy`. */
export const nodeFlags = ['busy', 'errored', 'stopped', 'paused', 'locked'] as const;
export type NodeFlag = (typeof nodeFlags)[number];

export const nodeFlagText: Readonly<Record<NodeFlag, string>> = {
  busy: 'busy',
  errored: 'error',
  stopped: 'stopped',
  paused: 'paused',
  locked: 'locked',
};

/**
 * State of a workflow. Its flags can be true together: cancelled has priority over paused, as in the manager's
 * description.
 */
export const workflowStates = ['failed', 'paused', 'running', 'queued', 'cancelled', 'completed'] as const;
export type WorkflowState = (typeof workflowStates)[number];

export const workflowAppearances: Readonly<Record<WorkflowState, StateAppearance>> = {
  failed: { shape: 'square', color: 'failed', severity: 4, label: 'Failed' },
  paused: { shape: 'pause', color: 'held', severity: 2, label: 'Paused' },
  running: { shape: 'arc', color: 'running', severity: 1, label: 'Running' },
  queued: { shape: 'hollow', color: 'waiting', severity: 1, label: 'Queued' },
  cancelled: { shape: 'octagon', color: 'waiting', severity: 1, label: 'Cancelled' },
  completed: { shape: 'check', color: 'ok', severity: 0, label: 'Completed' },
};

/** A workflow that is not paused and cannot continue without a person. */
export const blockedAppearance: StateAppearance = {
  shape: 'triangle',
  color: 'attention',
  severity: 3,
  label: 'Blocked',
};

/** State of a step and of the action that it executes; `waiting`: not started yet. */
export const stepStates = ['failed', 'paused', 'running', 'waiting', 'cancelled', 'succeeded', 'unknown'] as const;
export type StepState = (typeof stepStates)[number];

export const stepAppearances: Readonly<Record<StepState, StateAppearance>> = {
  failed: { shape: 'square', color: 'failed', severity: 4, label: 'Failed' },
  paused: { shape: 'pause', color: 'held', severity: 2, label: 'Paused' },
  running: { shape: 'arc', color: 'running', severity: 1, label: 'Running' },
  waiting: { shape: 'hollow', color: 'waiting', severity: 1, label: 'Not started' },
  cancelled: { shape: 'octagon', color: 'waiting', severity: 1, label: 'Cancelled' },
  succeeded: { shape: 'check', color: 'ok', severity: 0, label: 'Completed' },
  unknown: { shape: 'dashed', color: 'gone', severity: 2, label: 'Unknown' },
};

/** State of an experiment. Transitions are not restricted. */
export const experimentStates = ['failed', 'paused', 'inProgress', 'unknown', 'cancelled', 'completed'] as const;
export type ExperimentState = (typeof experimentStates)[number];

export const experimentAppearances: Readonly<Record<ExperimentState, StateAppearance>> = {
  failed: { shape: 'square', color: 'failed', severity: 4, label: 'Failed' },
  paused: { shape: 'pause', color: 'held', severity: 2, label: 'Paused' },
  inProgress: { shape: 'arc', color: 'running', severity: 1, label: 'In progress' },
  unknown: { shape: 'dashed', color: 'gone', severity: 2, label: 'Unknown' },
  cancelled: { shape: 'octagon', color: 'waiting', severity: 1, label: 'Cancelled' },
  completed: { shape: 'check', color: 'ok', severity: 0, label: 'Completed' },
};

/** Stock level of a resource. With a configured low mark, `low` is at or below it, and `out` means nothing is left. */
const stockStates = ['out', 'low', 'empty', 'full', 'inStock', 'occupied'] as const;
export type StockState = (typeof stockStates)[number];

export const stockAppearances: Readonly<Record<StockState, StateAppearance>> = {
  out: { shape: 'square', color: 'failed', severity: 4, label: 'Out of stock' },
  low: { shape: 'triangle', color: 'attention', severity: 3, label: 'Low' },
  empty: { shape: 'hollow', color: 'waiting', severity: 1, label: 'Empty' },
  full: { shape: 'check', color: 'ok', severity: 0, label: 'Full' },
  inStock: { shape: 'check', color: 'ok', severity: 0, label: 'In stock' },
  /** A container that is neither empty nor full. */
  occupied: { shape: 'check', color: 'ok', severity: 0, label: 'Occupied' },
};

/**
 * State of the resource at a location. `unresolved`: it is not created yet, because the resource manager does not have
 * its template; `unknown`: the resource manager is unavailable.
 */
const locationStates = ['unresolved', 'unknown', 'noResource', 'empty', 'occupied'] as const;
export type LocationState = (typeof locationStates)[number];

export const locationAppearances: Readonly<Record<LocationState, StateAppearance>> = {
  unresolved: { shape: 'triangle', color: 'attention', severity: 3, label: 'Unresolved' },
  unknown: { shape: 'dashed', color: 'gone', severity: 2, label: 'Unknown' },
  noResource: { shape: 'hollow', color: 'gone', severity: 1, label: 'No resource' },
  empty: { shape: 'hollow', color: 'waiting', severity: 0, label: 'Empty' },
  occupied: { shape: 'check', color: 'ok', severity: 0, label: 'Occupied' },
};

/** States of a resource besides its amount: locked, or removed from the lab. */
export const resourceAppearances = {
  locked: { shape: 'padlock', color: 'held', severity: 2, label: 'Locked' },
  removed: { shape: 'dashed', color: 'gone', severity: 1, label: 'Removed' },
} as const satisfies Readonly<Record<string, StateAppearance>>;

/**
 * The result of a request by a person. `notSent`: rejected by a check before sending; `unclear`: sent, but the result is
 * unknown; `queued`: accepted but not executed yet.
 */
const outcomeStates = ['failed', 'notSent', 'unclear', 'running', 'queued', 'done'] as const;
export type OutcomeState = (typeof outcomeStates)[number];

export const outcomeAppearances: Readonly<Record<OutcomeState, StateAppearance>> = {
  failed: { shape: 'square', color: 'failed', severity: 4, label: 'Failed' },
  notSent: { shape: 'hollow', color: 'attention', severity: 3, label: 'Not sent' },
  unclear: { shape: 'triangle', color: 'attention', severity: 3, label: 'Not confirmed' },
  running: { shape: 'arc', color: 'running', severity: 1, label: 'Sent' },
  queued: { shape: 'hollow', color: 'waiting', severity: 0, label: 'Queued' },
  done: { shape: 'check', color: 'ok', severity: 0, label: 'Done' },
};

/** Whether a manager in this state counts as healthy in `/lab_health`. */
export function countsAsHealthy(state: ManagerState): boolean {
  return state === 'healthy' || state === 'slow';
}
