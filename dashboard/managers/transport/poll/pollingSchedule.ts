/** What is read how often while the page is visible and something on screen needs it. One table; nothing else polls. */
import type { LabHistory } from '../../../../api/lab/lab.ts';

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

/**
 * Milliseconds between two reads; 0: read once, and again after a command. The workcell manager looks at its nodes every
 * 2 s and starts a step at most every 5 s, so reading it more often shows nothing newer.
 */
export const pollingSchedule = {
  /** The watch's state; reading it asks no manager. Always needed: badge, title, announcements. */
  labHistory: 2000,
  /** Days of it: they change slowly. */
  labPast: 30_000,
  /** Addresses change only with the settings. */
  context: 30_000,
  settings: 30_000,
  health: 30_000,
  /** Nodes, and the workflows that are queued or run. */
  workcellState: 3000,
  /** Those, the paused ones, and the ones that ended just now. */
  activeWorkflows: 3750,
  archivedWorkflows: 40_000,
  /** Only a retry changes what lies further back, and that is seen among the active ones. */
  archiveFurtherBack: 300_000,
  /** While it is active, the list of active ones has it. */
  workflow: 15_000,
  workflowDefinition: 0,
  experiments: 40_000,
  /** Where they are what the page shows, and what came of one. */
  experimentsShown: 15_000,
  experimentRecords: 30_000,
  /** When the failed and cancelled ones were; and what the campaigns are called. */
  experimentEnds: 60_000,
  campaigns: 0,
  /** The end of the log while it is shown, and the archive beside it. */
  eventLog: 5000,
  eventsOfOne: 15_000,
  archivedEvents: 60_000,
  eventsAround: 0,
  /** The event manager works for a while on each of its reports. */
  utilization: 0,
  locations: 60_000,
  /** Where they are what the page shows. */
  locationsShown: 15_000,
  locationTemplates: 60_000,
  transferGraph: 60_000,
  reconciliation: 30_000,
  /** All of them; where they are what the page shows, and where only a figure of them is. */
  resources: 15_000,
  resourcesBeside: 60_000,
  resource: 10_000,
  resourceHistory: 30_000,
  /** The recorded commands of one resource. */
  resourceCommands: 30_000,
  resourceTemplates: 60_000,
  datapoints: 0,
  dataShown: 20_000,
  workcellSettings: 0,
  /** Of all managers, for their IDs. */
  managerSettings: 0,
  /** Of one node, or of all in the span of the timeline: its events, its past steps, and what came of an action that was sent from its page. */
  nodeEvents: 30_000,
  nodeSteps: 60_000,
  sentWorkflow: 0,
} as const;
export type PolledName = keyof typeof pollingSchedule;
