/** The reason why a queued workflow is waiting: the scheduler's reasons as a readable text with names and links. */
import type { Node } from '#api/managers/node.ts';
import { schedulerFaultText } from '#api/managers/waitingWorkflows.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { blockedAppearance, workflowAppearances, type StateAppearance, type WorkflowState } from '#api/states.ts';
import type { ReadStamp } from '#api/time/time.ts';
import { formatAge } from '../../base/time.ts';
import { nodeReason, nodeState, workflowRunningOn, type NodeStateStart } from './nodeState.ts';
import { findChild } from './transfers.ts';
import { currentStep, isWaiting, waitingFor, workflowState } from './workflowState.ts';

/** Texts about the causes of waiting; parts of one sentence. */
const waitingTexts = {
  waitsFor: 'waiting for ',
  and: ', and ',
  movedBy: 'moved by ',
  likelyMovedBy: 'probably moved by ',
  transfer: ': ',
  justChanged: ', which has just changed: checking',
  busyElse: ', which is about to do something else',
  reservedBy: ', which is about to work for ',
  busy: ', which is busy',
  busyWith: ', busy with ',
  cooling: ', which was not ready a moment ago',
  reserved: (owner: string) => `, reserved by ${owner}`,
  stopped: ' stopped by a safety stop',
  unreachable: ' unreachable',
  errored: ' in error',
  unconfigured: ' not configured',
  locked: ' locked',
  paused: ' paused',
  initializing: ', which is starting',
  notReady: ', which is not ready',
  flagText: (flag: string) => `: ${flag}`,
  behind: 'queued behind ',
  others: (count: number) => ` and ${count} more`,
  alone: 'waiting for the scheduler',
  blocked: (age: string) => `Blocked ${age} · `,
} as const;

/** A part of a sentence; one with a node or workflow is a link to its page. */
export interface SentencePart {
  readonly text: string;
  readonly node?: string;
  readonly workflow?: string;
}

export interface WaitingReason {
  readonly parts: readonly SentencePart[];
  /** Whether it can't start without a person's action. */
  readonly attention: boolean;
}

export interface NodesAndWorkflows {
  readonly nodes: Readonly<Record<string, Node>>;
  readonly workflows: readonly Workflow[];
}

const textPart = (text: string): SentencePart => ({ text });

/** Returns the workflow that occupies the node: one that runs on it, or one that was paused while the node continues. */
export function findOccupyingWorkflow(
  node: string,
  id: string,
  { nodes, workflows }: NodesAndWorkflows,
): Workflow | null {
  const running = workflowRunningOn(node, workflows);
  if (running !== null && running.workflow_id !== id) return running;
  if (nodes[node]?.status?.busy !== true) return null;
  return (
    workflows.find(
      (other) =>
        other.workflow_id !== id &&
        other.status.paused &&
        !other.status.cancelled &&
        currentStep(other)?.node === node &&
        typeof currentStep(other)?.start_time === 'string',
    ) ?? null
  );
}

/** The scheduler's messages about a node: its name and why it isn't ready. */
const notReadyPattern = /^Node (.+?) not ready: (.*)$/s;
const lockedPattern = /^Node (.+) is locked by another action$/;
const reservedPattern = /^Node (.+?) is reserved by (.*)$/s;
const coolingPattern = /^Waiting for Node (.+) to be ready$/;
/** Outdated reasons, because they apply only to a running or paused workflow, which doesn't wait. */
const outdatedReasons = new Set(['Workflow is already running', 'Workflow is paused']);

const isCurrent = (reason: string) => !outdatedReasons.has(reason);

/**
 * Returns whether the workflow is queued, or between two steps with the next one blocked; otherwise the next step starts
 * with the scheduler's next tick.
 */
export function isBlocked(workflow: Workflow): boolean {
  return isWaiting(workflow) && (workflowState(workflow) === 'queued' || waitingFor(workflow).some(isCurrent));
}

/** Returns the text of one of the scheduler's reasons; an unknown reason is unchanged. */
function waitingReason(reason: string, id: string, snapshot: NodesAndWorkflows): WaitingReason {
  const describeOccupant = (node: string): SentencePart[] => {
    const occupant = findOccupyingWorkflow(node, id, snapshot);
    return occupant === null
      ? [textPart(waitingTexts.busy)]
      : [textPart(waitingTexts.busyWith), { text: occupant.name, workflow: occupant.workflow_id }];
  };
  /** The manager is sending another action, which the node's state may not show yet. */
  const describeNextOccupant = (node: string): SentencePart[] => {
    const occupant = findOccupyingWorkflow(node, id, snapshot);
    if (snapshot.nodes[node]?.status?.busy === true) return describeOccupant(node);
    return occupant === null
      ? [textPart(waitingTexts.busyElse)]
      : [textPart(waitingTexts.reservedBy), { text: occupant.name, workflow: occupant.workflow_id }];
  };
  const waitForNode = (node: string, remainingParts: readonly SentencePart[], attention = false): WaitingReason => ({
    parts: [...(attention ? [] : [textPart(waitingTexts.waitsFor)]), { text: node, node }, ...remainingParts],
    attention,
  });

  let match = notReadyPattern.exec(reason);
  if (match !== null) return describeNotReady(match[1] ?? '', match[2] ?? '', snapshot, waitForNode, describeOccupant);
  match = lockedPattern.exec(reason);
  if (match !== null) return waitForNode(match[1] ?? '', describeNextOccupant(match[1] ?? ''));
  match = coolingPattern.exec(reason);
  if (match !== null) return waitForNode(match[1] ?? '', [textPart(waitingTexts.cooling)]);
  match = reservedPattern.exec(reason);
  if (match !== null)
    return waitForNode(match[1] ?? '', [textPart(waitingTexts.reserved(shortenOwner(match[2] ?? '')))]);
  const fault = schedulerFaultText(reason);
  return { parts: [textPart(fault ?? reason)], attention: fault !== null };
}

/** Shortens the owner of a reservation: `{'workflow_id': '01J…'}`. */
function shortenOwner(owner: string): string {
  const match = /'?(user|experiment|campaign|project|workflow|node)_id'?\s*[:=]\s*'?([0-9A-Za-z]+)/.exec(owner);
  return match === null ? owner : `${match[1] ?? ''} …${(match[2] ?? '').slice(-6)}`;
}

/**
 * Returns whether the scheduler's reason is about an earlier state of the node: it is written every few seconds, and
 * the node is polled in between.
 */
function isOutdated(description: string, { status }: Node): boolean {
  if (status === null || status.stopped) return false;
  const currentFlags: Readonly<Record<string, boolean>> = {
    'Node is disconnected': status.disconnected === true,
    'Node is in an error state': status.errored,
    'Node is missing configuration': (status.waiting_for_config ?? []).length > 0,
    'Node is locked': status.locked,
    'Node is paused': status.paused,
    'Node is initializing': status.initializing,
    'Node is busy': status.busy,
  };
  const matching = Object.keys(currentFlags).filter((flag) =>
    description.split('; ').some((part) => part.trim().startsWith(flag)),
  );
  return matching.length > 0 && matching.every((flag) => currentFlags[flag] === false);
}

function describeNotReady(
  name: string,
  description: string,
  { nodes }: NodesAndWorkflows,
  waitForNode: (node: string, remainingParts: readonly SentencePart[], attention?: boolean) => WaitingReason,
  describeOccupant: (node: string) => SentencePart[],
): WaitingReason {
  const node = nodes[name];
  if (node !== undefined && isOutdated(description, node))
    return waitForNode(name, [textPart(waitingTexts.justChanged)]);
  const detail = node === undefined ? '' : nodeReason(node);
  const withDetail = (text: string) => [textPart(detail === '' ? text : `${text}: ${detail}`)];
  const parts = description.split('; ').map((part) => part.trim());
  const startsWith = (text: string) => parts.some((part) => part.startsWith(text));
  // After a safety stop the node isn't ready, but the scheduler's reason doesn't mention it.
  if (node !== undefined && nodeState(node) === 'stopped')
    return waitForNode(name, [textPart(waitingTexts.stopped)], true);
  if (startsWith('Node is disconnected')) return waitForNode(name, withDetail(waitingTexts.unreachable), true);
  if (startsWith('Node is in an error state')) return waitForNode(name, withDetail(waitingTexts.errored), true);
  if (startsWith('Node is missing configuration'))
    return waitForNode(name, withDetail(waitingTexts.unconfigured), true);
  if (startsWith('Node is locked')) return waitForNode(name, [textPart(waitingTexts.locked)], true);
  if (startsWith('Node is paused')) return waitForNode(name, [textPart(waitingTexts.paused)], true);
  if (startsWith('Node is initializing')) return waitForNode(name, [textPart(waitingTexts.initializing)]);
  if (startsWith('Node is busy')) return waitForNode(name, describeOccupant(name));
  if (description === '' || description === 'Node is ready')
    return waitForNode(name, [textPart(waitingTexts.notReady)]);
  return waitForNode(name, [textPart(waitingTexts.flagText(description))]);
}

/** Returns the active workflows that were submitted before this one, the last of them first. */
function listAhead(id: string, workflows: readonly Workflow[]): readonly Workflow[] {
  const submitted = workflows.find((workflow) => workflow.workflow_id === id)?.submitted_time ?? null;
  return workflows
    .filter(({ workflow_id: other, status }) => other !== id && !status.paused && !status.terminal)
    .filter((other) => submitted === null || (other.submitted_time ?? '') < submitted)
    .toSorted((a, b) => (b.submitted_time ?? '').localeCompare(a.submitted_time ?? ''));
}

/** Returns everything that a queued workflow waits for; causes that need attention come first. */
export function explainWaiting(reasons: readonly string[], id: string, snapshot: NodesAndWorkflows): WaitingReason {
  const causes = reasons.filter(isCurrent).map((reason) => waitingReason(reason, id, snapshot));
  // “Not ready” and “locked by another action” of one node result in the same text.
  const distinct = [...new Map(causes.map((waiting) => [joinParts(waiting.parts), waiting])).values()];
  const ordered = [...distinct.filter(({ attention }) => attention), ...distinct.filter(({ attention }) => !attention)];
  if (ordered.length === 0) {
    const ahead = listAhead(id, snapshot.workflows);
    const [next] = ahead;
    if (next === undefined) return { parts: [textPart(waitingTexts.alone)], attention: false };
    const others = ahead.length > 1 ? [textPart(waitingTexts.others(ahead.length - 1))] : [];
    const link = { text: next.name, workflow: next.workflow_id };
    return { parts: [textPart(waitingTexts.behind), link, ...others], attention: false };
  }
  return {
    parts: ordered.flatMap(({ parts }, index) => (index === 0 ? parts : [textPart(waitingTexts.and), ...parts])),
    attention: ordered.some(({ attention }) => attention),
  };
}

/**
 * Returns what blocks a workflow now: the causes for its own next step, or, during a transfer, those of the workflow that
 * executes it. `null` if nothing does.
 */
export function blockingReason(workflow: Workflow, snapshot: NodesAndWorkflows): WaitingReason | null {
  const node = currentStep(workflow)?.node ?? '';
  if (workflowState(workflow) === 'running' && workflow.status.running && snapshot.nodes[node]?.status?.disconnected)
    return { parts: [{ text: node, node }, textPart(waitingTexts.unreachable)], attention: true };
  const explain = (queuedWorkflow: Workflow) =>
    explainWaiting(waitingFor(queuedWorkflow), queuedWorkflow.workflow_id, snapshot);
  if (isBlocked(workflow)) return explain(workflow);
  const child = findChild(workflow, snapshot.workflows);
  if (child === null || !isBlocked(child.workflow)) return null;
  const { parts, attention } = explain(child.workflow);
  const { name, workflow_id: id } = child.workflow;
  const lead = textPart(child.isUncertain ? waitingTexts.likelyMovedBy : waitingTexts.movedBy);
  return { parts: [lead, { text: name, workflow: id }, textPart(waitingTexts.transfer), ...parts], attention };
}

/** The appearance of a workflow's state: one that needs a person to continue does not look like a running one. */
export function stateAppearance(state: WorkflowState, waiting: WaitingReason | null): StateAppearance {
  return waiting?.attention === true ? blockedAppearance : workflowAppearances[state];
}

/**
 * Returns `Blocked 40 min · `, in front of the reason, for a workflow that needs a person to continue; otherwise empty.
 * @param since since when a node is in its state
 * @param now ms since the epoch
 */
export function blockedText(
  { submitted_time: submitted, steps, status }: Workflow,
  waiting: WaitingReason | null,
  { nodes, since, parseStamp, now }: BlockingTimes,
): string {
  if (waiting?.attention !== true) return '';
  // Causes that need attention come first.
  const name = waiting.parts.find(({ node }) => node !== undefined)?.node ?? '';
  const node = nodes[name];
  const index = status.current_step_index;
  const stamps = [submitted, steps[index - 1]?.end_time, steps[index]?.start_time].map((stamp) => parseStamp(stamp));
  const times = [...stamps, node === undefined ? null : since(name, node)].filter((at) => at !== null);
  return times.length === 0 ? '' : waitingTexts.blocked(formatAge(now - Math.max(...times)));
}

export interface BlockingTimes {
  readonly nodes: Readonly<Record<string, Node>>;
  readonly since: NodeStateStart;
  readonly parseStamp: ReadStamp;
  readonly now: number;
}

export function joinParts(parts: readonly SentencePart[]): string {
  return parts.map(({ text }) => text).join('');
}
