/** What the page reads, and how often while it is visible. One table; nothing else polls. */
import { health, labContext, labHistory, settingsAnswer, type LabHistory } from '../../../api/lab.ts';
import type { ManagerKey } from '../../../api/managers.ts';
import type { Schema } from './fetchBody.ts';

export interface Plan<Body> {
  /** Relative to the page's base. */
  readonly path: string;
  readonly schema: Schema<Body>;
  /** Between two reads while something on screen needs it, in ms. */
  readonly interval: number;
  /** How long after `body` something new is expected, in ms, where that is known; the interval is the longest wait. */
  readonly news?: (body: Body) => number;
}

function plan<Body>(path: string, schema: Schema<Body>, interval: number, news?: Plan<Body>['news']): Plan<Body> {
  return news === undefined ? { path, schema, interval } : { path, schema, interval, news };
}

/** What the watch's answers need to arrive after they are due, and the least time between two reads, in ms. */
const margin = 150;
const shortest = 500;

/**
 * When the watch has asked one of the managers again. With a read right after that, what happens in the lab is on
 * screen within 6 s: an interval of the watch and a little.
 */
export function untilNextCheck(history: Pick<LabHistory, 'now' | 'interval_seconds' | 'managers'>): number {
  const now = Date.parse(history.now);
  const due = history.managers.flatMap(({ last_checked: checked }) => {
    const ms = checked === null ? 0 : Date.parse(checked) + history.interval_seconds * 1000 - now + margin;
    return ms > 0 ? [ms] : [];
  });
  return Math.max(shortest, Math.min(...due));
}

/** What the page reads of the lab manager. The first is needed on every page, with the addresses. */
export const plans = {
  /** The watch's state; reading it asks no manager. Always needed: chip, title, announcements. */
  labHistory: plan('lab_health/history', labHistory, 2000, untilNextCheck),
  /** Addresses change only with the settings. */
  context: plan('context', labContext, 30_000),
  settings: plan('settings', settingsAnswer, 30_000),
  health: plan('health', health, 30_000),
} as const;

export interface ManagerPlan {
  readonly manager: ManagerKey;
  /** Between two reads while something on screen needs it, in ms; 0: read once, and again after an action. */
  readonly interval: number;
}

/**
 * What the page reads of the managers. The workcell manager looks at its nodes every 2 s and starts a step at most every
 * 5 s, so reading it more often shows nothing newer.
 */
export const managerPlans = {
  /** Nodes, and the workflows that are queued or run. */
  workcellState: { manager: 'workcell', interval: 3000 },
  /** Those, the paused ones, and the ones that ended just now. */
  activeWorkflows: { manager: 'workcell', interval: 3750 },
  archivedWorkflows: { manager: 'workcell', interval: 40_000 },
  /** While it is active, the list of active ones has it. */
  workflow: { manager: 'workcell', interval: 15_000 },
  workflowDefinition: { manager: 'workcell', interval: 0 },
  experiments: { manager: 'experiment', interval: 40_000 },
  locations: { manager: 'location', interval: 60_000 },
  events: { manager: 'event', interval: 15_000 },
  datapoints: { manager: 'data', interval: 0 },
  workcellSettings: { manager: 'workcell', interval: 0 },
  /** Of one node: its events, its past steps, and what came of an action that was sent from its page. */
  nodeEvents: { manager: 'event', interval: 30_000 },
  nodeSteps: { manager: 'workcell', interval: 60_000 },
  sentWorkflow: { manager: 'workcell', interval: 0 },
} as const satisfies Readonly<Record<string, ManagerPlan>>;
export type ManagerPlanName = keyof typeof managerPlans;

/** What each page keeps reading while it is visible, besides the lab's state and the addresses; the nodes on every page. */
export const pageReads: Readonly<Record<string, readonly (ManagerPlanName | keyof typeof plans)[]>> = {
  overview: ['workcellState', 'activeWorkflows', 'archivedWorkflows', 'experiments', 'settings'],
  workcells: ['workcellState', 'activeWorkflows'],
  node: ['workcellState', 'activeWorkflows', 'nodeEvents', 'nodeSteps', 'locations'],
  workflows: ['workcellState', 'activeWorkflows', 'archivedWorkflows', 'experiments'],
  workflow: ['workcellState', 'activeWorkflows', 'workflow', 'experiments'],
  submit: ['workcellState', 'locations'],
  lab: ['workcellState', 'settings', 'health'],
};

/** The lab's state is read when something new is due: with six managers at their own times about 40 times a minute. */
export const labHistoryReads = 40;

/** Requests a minute of a page. */
export function requestsPerMinute(page: string): number {
  const reads = (pageReads[page] ?? []).map((name) =>
    name in managerPlans ? managerPlans[name as ManagerPlanName].interval : plans[name as keyof typeof plans].interval,
  );
  const others = [plans.context.interval, ...reads].filter((interval) => interval > 0);
  return others.reduce((sum, interval) => sum + 60_000 / interval, labHistoryReads);
}
