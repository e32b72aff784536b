/** What the workcell manager has reported, and the activity that follows from it at a moment. */
import type {
  BlockedWorkflow,
  EndedWorkflow,
  LabActivity,
  LostWorkflows,
  NodeActivity,
  OverdueStep,
} from '../../api/lab/lab.ts';
import { needsAttention } from '../../api/managers/nodeState.ts';
import { findOverdueSteps, type RunningStep } from '../../api/managers/workflowStep.ts';
import type { FlagReading } from '../../api/safetyStop/labStop.ts';
import type { NodeFlag, WorkflowState } from '../../api/states.ts';
import { cleanText } from '../logging/text.ts';
import type { KnownNodes } from './knownNodes.ts';

/** A moment by both clocks, in ms: since the epoch, and of the monotonic clock, which measures the age of readings. */
export interface Moment {
  readonly now: number;
  readonly monotonic: number;
}

/** A reading of the workcell manager at an address; `at` is its time by the monotonic clock, in ms. */
interface Reading {
  readonly workcell: string;
  readonly at: number;
}

export interface NodesReading extends Reading {
  readonly nodes: ReadonlyMap<string, NodeActivity>;
}

/** The last response of the workcell manager to a request for its nodes. */
export interface NodesResponse {
  readonly workcell: string;
  /** The nodes as a safety stop needs them; `null` if it was not a list of nodes. */
  readonly known: KnownNodes | null;
}

/** A workflow that ended. `key` identifies this end, because a retried workflow ends again. */
export interface WorkflowEnd {
  readonly key: string;
  /** In ms since the epoch; `null` if the manager has no time for it, or its time zone is unknown. */
  readonly endedAt: number | null;
  /** The durations of the steps that ran, in seconds. */
  readonly stepSeconds: readonly number[];
  readonly workflow: EndedWorkflow;
}

export interface ArchiveReading {
  readonly workcell: string;
  readonly longestRuns: ReadonlyMap<string, number>;
  /** The newest workflows that ended since the service started. */
  readonly ended: readonly EndedWorkflow[];
  /** The workflows that ended since the previous reading. */
  readonly newlyEnded: readonly WorkflowEnd[];
}

/** The states of a workflow that has not ended. */
export const activeStates = ['queued', 'running', 'paused'] as const satisfies readonly WorkflowState[];
export type WorkflowCounts = Readonly<Record<(typeof activeStates)[number], number>>;

export type ActiveWorkflow = LostWorkflows['workflows'][number];

export interface WorkflowsReading extends Reading {
  readonly active: readonly ActiveWorkflow[];
  readonly counts: WorkflowCounts;
  /** The number of workflows that wait for each node. */
  readonly waiting: ReadonlyMap<string, number>;
  /** The workflows that something else than a node blocks. */
  readonly blocked: readonly BlockedWorkflow[];
  /** The running steps; `null` while the time zone of the manager's host is unknown. */
  readonly running: readonly RunningStep[] | null;
}

export interface LossReading {
  readonly workcell: string;
  readonly lost: LostWorkflows;
}

/** The readings of the current workcell manager; `null` for those of a previous one, and before the first response. */
export interface WorkcellReadings {
  readonly nodes: NodesReading | null;
  readonly archive: ArchiveReading | null;
  readonly workflows: WorkflowsReading | null;
  readonly loss: LossReading | null;
}

export interface NodeSnapshot {
  readonly nodes: readonly NodeActivity[];
  /** Whether the nodes were read recently. */
  readonly isRecent: boolean;
}

/** Nodes and counts of workflows read longer ago than this are unknown, in ms. */
const staleMs = 45_000;
/** Running steps older than this are unknown, in ms. */
const staleStepsMs = 150_000;
/** A loss longer ago than this is no longer shown, in ms. */
const lossShownMs = 86_400_000;
const maxNameLength = 200;
const maxTimeLength = 50;

/** All nodes as last read, with the number of workflows that wait for each. */
export function nodeSnapshot({ nodes, workflows }: WorkcellReadings, { monotonic }: Moment): NodeSnapshot {
  const waitingCounts = isWithin(workflows, staleStepsMs, monotonic) ? workflows.waiting : null;
  return {
    nodes: [...(nodes?.nodes.values() ?? [])].map((node) => {
      const waiting = waitingCounts?.get(node.name);
      return waiting === undefined ? node : { ...node, waiting };
    }),
    isRecent: areNodesRecent(nodes, monotonic),
  };
}

/** The flags of all nodes as last read; `null` if that reading is not recent. */
export function readFlags(nodes: NodesReading | null, { now, monotonic }: Moment): FlagReading | null {
  if (!areNodesRecent(nodes, monotonic)) return null;
  const has = ({ state, flags = [] }: NodeActivity, flag: NodeFlag) => state === flag || flags.includes(flag);
  return {
    at: now - (monotonic - nodes.at),
    nodes: [...nodes.nodes.values()].map((node) => ({
      name: node.name,
      isKnown: node.state !== 'disconnected' && node.state !== 'unknown',
      stopped: has(node, 'stopped'),
      locked: has(node, 'locked'),
      paused: has(node, 'paused'),
    })),
  };
}

/** The counts of active workflows; `null` before the first response, and while the manager does not respond. */
export function workflowCounts({ workflows }: WorkcellReadings, { monotonic }: Moment): WorkflowCounts | null {
  return isWithin(workflows, staleMs, monotonic) ? workflows.counts : null;
}

export function labActivity(readings: WorkcellReadings, moment: Moment): LabActivity {
  const { nodes, isRecent } = nodeSnapshot(readings, moment);
  const { archive, workflows, loss } = readings;
  const recent = isWithin(workflows, staleStepsMs, moment.monotonic) ? workflows : null;
  const running = recent?.running ?? null;
  return {
    nodes: isRecent
      ? { total: nodes.length, in_need: nodes.filter(({ state, waiting }) => needsAttention(state, waiting)) }
      : null,
    ended_workflows: [...(archive?.ended ?? [])],
    ...(running !== null &&
      archive !== null && { overdue_steps: listOverdueSteps(running, archive.longestRuns, moment.now) }),
    ...(recent !== null && recent.blocked.length > 0 && { blocked_workflows: [...recent.blocked] }),
    ...(loss !== null && moment.now - Date.parse(loss.lost.missed) < lossShownMs && { lost_workflows: loss.lost }),
  };
}

function listOverdueSteps(
  running: readonly RunningStep[],
  longestRuns: ReadonlyMap<string, number>,
  now: number,
): OverdueStep[] {
  return findOverdueSteps(running, longestRuns, now).map(({ workflow, name, step, startedAt, longestMs }) => ({
    id: workflow.id,
    name: cleanText(workflow.name, maxNameLength),
    step: cleanText(name, maxNameLength),
    node: cleanText(step.node ?? '', maxNameLength),
    start: cleanText(step.start_time ?? '').slice(0, maxTimeLength),
    since: new Date(startedAt).toISOString(),
    longest_seconds: longestMs / 1000,
  }));
}

function areNodesRecent(nodes: NodesReading | null, monotonic: number): nodes is NodesReading {
  return nodes !== null && monotonic - nodes.at < staleMs;
}

function isWithin<Value extends Reading>(reading: Value | null, maxAgeMs: number, monotonic: number): reading is Value {
  return reading !== null && monotonic - reading.at <= maxAgeMs;
}
