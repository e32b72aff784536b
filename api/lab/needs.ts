/** What needs a person, the most urgent first: one list for every page, the tray, the command line and the metrics. */
import { plural } from '../countText.ts';
import { managerTitle } from '../managers.ts';
import {
  needsAttention,
  nodeReasonText,
  nodeStateText,
  suggestedCommandFor,
  type SuggestedCommand,
} from '../managers/nodeState.ts';
import type { LabStop } from '../safetyStop/labStop.ts';
import { unconfirmedAppearance, unconfirmedReasons } from '../safetyStop/unconfirmedNodes.ts';
import {
  blockedAppearance,
  countsAsHealthy,
  managerAppearances,
  nodeAppearances,
  nodeFlagText,
  type NodeState,
  type StateAppearance,
} from '../states.ts';
import { formatDuration } from '../time/durationText.ts';
import { formatLocalClock, parseStatusTime } from '../time/clockText.ts';
import type { BlockedWorkflow, Maintenance, ManagerStatus, NodeActivity, OverdueStep } from './lab.ts';
import { findMaintenance, outsideMaintenance } from './maintenance.ts';

export const needKinds = ['stop', 'manager', 'workcell', 'node', 'workflow', 'step'] as const;

export interface Need {
  readonly kind: (typeof needKinds)[number];
  /** The manager's key, the node's name, or the workflow's ID. */
  readonly id: string;
  readonly name: string;
  /** The state; its label contains the flags of a node. */
  readonly appearance: StateAppearance;
  /** Empty if the state is sufficient. */
  readonly reason: string;
  /** Its part of a sentence about the lab: `robotarm_1 in error (busy)`; empty for a manager, whose sentence is longer. */
  readonly headline: string;
  /** ms since the epoch; `null` if unknown. */
  readonly since: number | null;
  /** The number of workflows that cannot continue until a person acts. */
  readonly blocked: number;
  /** What the person has to do, as a sentence without a full stop. */
  readonly advice: string;
  /** The command of the node that ends its state; `null` if there is none. */
  readonly command: SuggestedCommand | null;
}

/** A node as the service publishes it, or as a page has read it. */
export type NodeCondition = Omit<NodeActivity, 'since'> & { readonly since: string | null };

interface StoppedEngine {
  /** The workcell's name. */
  readonly name: string;
  readonly reason: string;
  readonly since: number | null;
}

/** The part of the lab that decides what needs a person: the service's status, or what a page has read instead. */
export interface LabConditions {
  readonly managers: readonly ManagerStatus[];
  readonly maintenance?: readonly Maintenance[] | undefined;
  /** The safety stop in force. */
  readonly safety_stop?: LabStop | undefined;
  /** The workcell's engine, if it has stopped. */
  readonly stopped_engine?: StoppedEngine | undefined;
  readonly activity?:
    | {
        readonly nodes: { readonly in_need: readonly NodeCondition[] } | null;
        readonly overdue_steps?: readonly OverdueStep[] | undefined;
        readonly blocked_workflows?: readonly BlockedWorkflow[] | undefined;
      }
    | undefined;
}

const checkRunning = 'Check that it runs';
const nodeAdvice: Readonly<Partial<Record<NodeState, string>>> = {
  disconnected: checkRunning,
  stopped: 'Reset it',
  errored: 'Check it, then reset it',
  unconfigured: 'Configure it',
  locked: 'Unlock it',
  paused: 'Resume it',
};

const overdueAppearance: StateAppearance = { ...blockedAppearance, label: 'Overdue' };

/** Returns a manager's reason as the end of a sentence, without the part that repeats the state and without a full stop. */
export function managerReasonText(reason: string | null): string {
  return (reason ?? '')
    .replace(/^Failed to connect: /i, '')
    .replace(/\.\s*$/, '')
    .trim();
}

/**
 * Returns one item per cause: a workflow that waits for a node is part of the node's item, and a node that confirmed the
 * safety stop is part of the stop's. The order: safety stop, managers, nodes that block workflows (first those that cannot
 * work, then locked and paused ones), other workflows, and nodes that block none.
 * @param formatTime formats a time of today, in ms since the epoch
 */
export function listNeeds(
  lab: LabConditions,
  formatTime = (at: number) => formatLocalClock(new Date(at)),
): readonly Need[] {
  const { managers, maintenance, safety_stop: stop = null, stopped_engine: engine, activity } = lab;
  const steps = activity?.overdue_steps ?? [];
  const unconfirmed = unconfirmedReasons(stop, formatTime);
  const conditions = (activity?.nodes?.in_need ?? []).filter(({ name }) => !unconfirmed.has(name));
  const failing = conditions.filter(
    ({ name, state, waiting }) => needsAttention(state, waiting) && findMaintenance(maintenance, 'node', name) === null,
  );
  const isStopped = (node: NodeCondition): boolean => stop !== null && isEffectOf(stop, node);
  const stopped = failing.filter(isStopped);
  const nodes = failing
    .filter((node) => !isStopped(node))
    .map((node) => toNodeNeed(node, steps.filter((step) => step.node === node.name).length));
  const isOnWorkingNode = ({ node }: OverdueStep) => !failing.some(({ name }) => name === node);
  const canWork = ({ appearance }: Need): boolean => appearance.severity < nodeAppearances.notReady.severity;
  return [
    stop === null ? [] : [toStopNeed(stop, stopped)],
    [...unconfirmed].map(([name, reason]) => toUnconfirmedNeed(name, reason, stop)),
    [...toManagerNeeds(outsideMaintenance(managers, maintenance)), ...(engine ? [toEngineNeed(engine)] : [])],
    nodes.filter((need) => need.blocked > 0 && !canWork(need)),
    nodes.filter((need) => need.blocked > 0 && canWork(need)),
    [...(activity?.blocked_workflows ?? []).map(toWorkflowNeed), ...steps.filter(isOnWorkingNode).map(toStepNeed)],
    nodes.filter(({ blocked }) => blocked === 0),
  ].flatMap((group) => group.toSorted(compareUrgency));
}

function compareUrgency(a: Need, b: Need): number {
  return b.appearance.severity - a.appearance.severity || b.blocked - a.blocked || (b.since ?? 0) - (a.since ?? 0);
}

/** Whether the node's state is the confirmed effect of the stop: a node that still moves is not. */
function isEffectOf({ nodes }: LabStop, { name, state, flags = [] }: NodeCondition): boolean {
  const isHeld = state === 'stopped' || state === 'locked' || state === 'paused';
  return (
    isHeld && !flags.includes('busy') && nodes.some((node) => node.name === name && node.released_at === undefined)
  );
}

type RequiredFields = 'kind' | 'id' | 'name' | 'appearance' | 'advice';

function createNeed(fields: Pick<Need, RequiredFields> & Partial<Need>): Need {
  return { reason: '', headline: '', since: null, blocked: 0, command: null, ...fields };
}

function toStopNeed({ at }: LabStop, nodes: readonly NodeCondition[]): Need {
  return createNeed({
    kind: 'stop',
    id: 'lab',
    name: 'Safety stop',
    appearance: nodeAppearances.stopped,
    since: parseStatusTime(at),
    blocked: nodes.reduce((sum, { waiting = 0 }) => sum + waiting, 0),
    advice: 'Release or acknowledge it',
  });
}

function toUnconfirmedNeed(name: string, reason: string, stop: LabStop | null): Need {
  return createNeed({
    kind: 'node',
    id: name,
    name,
    appearance: unconfirmedAppearance,
    reason,
    headline: `${name} not known to have stopped`,
    since: parseStatusTime(stop?.at ?? null),
    advice: 'Use the hardware stop',
  });
}

/** A lab in which nothing responds has one cause; its time is that of the last manager. */
function toManagerNeeds(managers: readonly ManagerStatus[]): readonly Need[] {
  if (managers.length > 1 && managers.every(({ state }) => state === 'unreachable')) {
    const times = managers.map(({ since }) => parseStatusTime(since)).filter((time) => time !== null);
    return [
      createNeed({
        kind: 'manager',
        id: 'all',
        name: `All ${managers.length} managers`,
        appearance: managerAppearances.unreachable,
        reason: 'no response',
        since: times.length === 0 ? null : Math.max(...times),
        advice: 'Check that they run',
      }),
    ];
  }
  return managers
    .filter(({ state }) => !countsAsHealthy(state) && state !== 'unknown')
    .map(({ manager, state, reason, since }) =>
      createNeed({
        kind: 'manager',
        id: manager,
        name: managerTitle(manager),
        appearance: managerAppearances[state],
        reason: managerReasonText(reason),
        since: parseStatusTime(since),
        advice: state === 'unreachable' ? checkRunning : 'Check its log',
      }),
    );
}

function toEngineNeed({ name, reason, since }: StoppedEngine): Need {
  return createNeed({
    kind: 'workcell',
    id: name,
    name,
    appearance: nodeAppearances.errored,
    reason: `No step starts${reason === '' ? '' : `: ${reason}`}`,
    headline: `${name} starts no step`,
    since,
    advice: 'Restart the workcell manager',
  });
}

/** @param overdue the number of steps on it that run far too long */
function toNodeNeed(node: NodeCondition, overdue: number): Need {
  const { name, state, flags = [], reason, since, waiting = 0 } = node;
  const stateText = state === 'errored' ? 'in error' : nodeAppearances[state].label.toLowerCase();
  const flagsText = flags.map((flag) => nodeFlagText[flag]).join(', ');
  return createNeed({
    kind: 'node',
    id: name,
    name,
    appearance: { ...nodeAppearances[state], label: nodeStateText(state, flags) },
    reason: reason ?? '',
    headline: `${name} ${stateText}${flagsText === '' ? '' : ` (${flagsText})`}`,
    since: parseStatusTime(since),
    blocked: waiting + overdue,
    advice: nodeAdvice[state] ?? 'Check it',
    command: suggestedCommandFor(state),
  });
}

function toWorkflowNeed({ id, name, reason }: BlockedWorkflow): Need {
  return createNeed({
    kind: 'workflow',
    id,
    name,
    appearance: blockedAppearance,
    reason,
    headline: `${name} blocked`,
    blocked: 1,
    advice: 'Correct the workcell or cancel it',
  });
}

function toStepNeed({ id, name, step, node, since, longest_seconds: longest }: OverdueStep): Need {
  return createNeed({
    kind: 'step',
    id,
    name,
    appearance: overdueAppearance,
    reason: `step “${step}” on ${node}; earlier runs took at most ${formatDuration(longest * 1000)}`,
    headline: `${name} overdue`,
    since: parseStatusTime(since),
    blocked: 1,
    advice: 'Check it',
  });
}

/** Returns the reason and the number of workflows that wait, as one text; empty without either. */
export function needReasonText({ kind, reason, blocked }: Need): string {
  return kind === 'node' ? nodeReasonText(reason, blocked) : reason.replace(/\.$/, '');
}

/**
 * Returns `robotarm_1: Error since 14:02: motor stalled. 2 workflows wait for it`.
 * @param formatTime formats a time in ms since the epoch; the text contains no time without it
 */
export function needText(need: Need, formatTime?: (at: number) => string): string {
  return `${need.name}: ${needStateText(need, formatTime)}`;
}

/** As `needText`, without the name. */
export function needStateText(need: Need, formatTime?: (at: number) => string): string {
  const since = need.since === null || formatTime === undefined ? '' : ` since ${formatTime(need.since)}`;
  const reason = needReasonText(need);
  return `${need.appearance.label}${since}${reason === '' ? '' : `: ${reason}`}`;
}

/** `1 needs you`, `2 need you` */
export function needCountText(count: number): string {
  return `${plural(count, 'needs', 'need')} you`;
}
