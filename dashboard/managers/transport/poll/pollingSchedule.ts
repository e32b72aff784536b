/** All refresh intervals, while the page is visible and a component on screen needs the data. Nothing else polls. */
import { announcedIntervals } from '#api/lab/changes.ts';
import type { LabHistory } from '#api/lab/lab.ts';

/** The time for the watch's responses to arrive after they are due, and the minimum interval between two reads, in ms. */
const marginMs = 150;
const minIntervalMs = 500;
/** One read shows the checks of all managers within this time, in ms: their times drift apart. */
const sharedReadMs = 850;

/**
 * Returns the time until the watch has checked one of the managers again, and those that follow shortly after it. A read
 * right after that shows changes in the lab within 6 s: one interval of the watch, the time of a shared read and a margin.
 */
export function untilNextCheck(history: Pick<LabHistory, 'now' | 'interval_seconds' | 'managers'>): number {
  const now = Date.parse(history.now);
  const dueIn = history.managers.flatMap(({ last_checked: checked }) => {
    const ms = checked === null ? 0 : Date.parse(checked) + history.interval_seconds * 1000 - now + marginMs;
    return ms > 0 ? [ms] : [];
  });
  const first = Math.min(...dueIn);
  return Math.max(minIntervalMs, first, ...dueIn.filter((ms) => ms <= first + sharedReadMs));
}

/** Milliseconds between two reads; 0: read once, and again after a command. */
export const pollingSchedule = {
  /** The watch's state; reading it sends no request to a manager. Always needed: badge, title, announcements. */
  labHistory: 2000,
  /** Without a safety stop; a new one is read as soon as the lab's history contains it. */
  idleStop: 15_000,
  /** With a safety stop: all screens show a change within 2 s. */
  safetyStop: 1500,
  /** While it is being sent. */
  sendingStop: 500,
  /** Several days of history, which change slowly. */
  longLabHistory: 30_000,
  /** The service makes a new list of the labs at most this often. */
  fleet: 5000,
  /** Addresses change only with the settings. */
  context: 30_000,
  settings: 30_000,
  /** The relay's access rules, while the relay is on. */
  relay: 30_000,
  health: 30_000,
  /** The user of this page, whose role or session an administrator may end. Only with remote access. */
  session: 30_000,
  /** Nodes, and queued or running workflows. */
  workcellState: announcedIntervals.getState,
  /** Also paused workflows, and those that have just ended. */
  activeWorkflows: announcedIntervals.getActiveWorkflows,
  archivedWorkflows: 40_000,
  /** Only a retry changes older entries, and it appears among the active workflows. */
  archiveFurtherBack: 300_000,
  /** An active workflow is also in the list of active ones. */
  workflow: 15_000,
  workflowDefinition: 0,
  experiments: 40_000,
  /** For pages about experiments, and for the records of one. */
  experimentsShown: 15_000,
  experimentRecords: 30_000,
  /** The end times of failed and cancelled experiments, and the names of campaigns. */
  experimentEnds: 60_000,
  campaigns: 0,
  /** The end of the log while it is shown, and its archive. */
  eventLog: 5000,
  queriedEvents: 15_000,
  archivedEvents: 60_000,
  eventsOnDemand: 0,
  /** The event manager needs some time for each report. */
  utilization: 0,
  locations: 60_000,
  /** For pages about locations. */
  locationsShown: 15_000,
  locationTemplates: 60_000,
  transferGraph: 60_000,
  reconciliation: 30_000,
  /** All resources: for pages about them, and for pages that show only a count. */
  resources: 15_000,
  resourcesInBackground: 60_000,
  resource: 10_000,
  resourceHistory: 30_000,
  /** The recorded commands of one resource. */
  resourceCommands: 30_000,
  resourceTemplates: 60_000,
  datapoints: 0,
  dataShown: 20_000,
  workcellSettings: 0,
  /** The settings of all managers, for their IDs. */
  managerSettings: 0,
  /**
   * For one node, or for all in the timeline's range: events, past steps, and the result of an action sent from the
   * node's page.
   */
  nodeEvents: 30_000,
  nodeSteps: 60_000,
  sentWorkflow: 0,
} as const;
export type ScheduleName = keyof typeof pollingSchedule;
