/**
 * The one vocabulary of states, for the tray, the notifications, the command line and the dashboard: what a state is
 * called, which shape and colour show it, and how bad it is. Nobody draws a state that isn't in this table.
 */

/** How a state looks. `severity` orders lists and decides roll-ups: higher is worse. */
export interface StateLook {
  readonly shape: Shape;
  readonly color: StateColor;
  readonly severity: number;
  readonly word: string;
}

export type Shape =
  | 'check' // filled circle with a tick
  | 'arc' // ring with an arc
  | 'hollow' // hollow circle
  | 'pause' // circle with two bars
  | 'padlock'
  | 'triangle' // triangle with !
  | 'square' // square with a cross
  | 'octagon'
  | 'dashed'; // dashed circle with ?

export type StateColor = 'ok' | 'running' | 'waiting' | 'attention' | 'failed' | 'held' | 'gone';

/** Text colours of the states, [light, dark], each at least 4.5:1 on its surfaces (a test measures it). */
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
 * State of one manager, as the watch sees it.
 * `unknown`: not asked yet, or the last answer is too old to say. `slow`: healthy, but the answer took over a second.
 * `unhealthy`: it answers, but not well: it says so itself, or its answer is no health object. `unreachable`: no answer.
 */
export const managerStates = ['unknown', 'healthy', 'slow', 'unhealthy', 'unreachable'] as const;
export type ManagerState = (typeof managerStates)[number];

/**
 * State of the lab, from the watch: `starting` until every manager was asked once, `healthy` when all are, `degraded`
 * when more than half are, `down` otherwise, `unknown` after sleep or when the watch itself is stale,
 * `failed` when the lab manager's own service doesn't run.
 */
export const labStates = ['starting', 'healthy', 'degraded', 'down', 'unknown', 'failed'] as const;
export type LabState = (typeof labStates)[number];

export const managerLooks: Readonly<Record<ManagerState, StateLook>> = {
  unknown: { shape: 'dashed', color: 'gone', severity: 2, word: 'Unknown' },
  healthy: { shape: 'check', color: 'ok', severity: 0, word: 'Healthy' },
  slow: { shape: 'triangle', color: 'attention', severity: 3, word: 'Slow' },
  unhealthy: { shape: 'square', color: 'failed', severity: 4, word: 'Unhealthy' },
  unreachable: { shape: 'square', color: 'failed', severity: 5, word: 'Unreachable' },
};

export const labLooks: Readonly<Record<LabState, StateLook>> = {
  starting: { shape: 'hollow', color: 'waiting', severity: 1, word: 'Starting' },
  healthy: { shape: 'check', color: 'ok', severity: 0, word: 'Healthy' },
  degraded: { shape: 'triangle', color: 'attention', severity: 3, word: 'Degraded' },
  down: { shape: 'square', color: 'failed', severity: 4, word: 'Down' },
  unknown: { shape: 'dashed', color: 'gone', severity: 2, word: 'Unknown' },
  failed: { shape: 'octagon', color: 'failed', severity: 5, word: 'Service failed' },
};

/** Whether a manager in this state counts as healthy in `/lab_health`. */
export function countsAsHealthy(state: ManagerState): boolean {
  return state === 'healthy' || state === 'slow';
}
