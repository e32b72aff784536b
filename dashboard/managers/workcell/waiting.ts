/** The reason why a queued workflow is waiting: the scheduler's reasons as a readable text with names and links. Pure. */
import type { Node } from '../../../api/managers/node.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import { nodeReason, nodeState, workflowOn } from './nodeState.ts';
import { childOf } from './transfers.ts';
import { currentStep, isWaiting, waitingFor, workflowState } from './workflowState.ts';

/** Texts about the causes of waiting; parts of one sentence. */
const waitingTexts = {
  waitsFor: 'waiting for ',
  and: ', and ',
  carriedBy: 'moved by ',
  likelyCarriedBy: 'probably moved by ',
  transfer: ': ',
  justChanged: ', which has just changed: checking',
  busyElse: ', which is about to do something else',
  reservedBy: ', which is about to work for ',
  busy: ', which is busy',
  busyWith: ', busy with ',
  cooling: ', which was not ready a moment ago',
  reserved: (owner: string) => `, reserved by ${owner}`,
  noNode: (node: string) => `the workcell has no node ${node}`,
  schedulerFailed: (reason: string) => `the scheduler failed at it: ${reason}`,
  stopped: ', stopped by a safety stop',
  disconnected: ', which can’t be reached',
  isUnreachable: ' is unreachable',
  errored: ', which is in an error state',
  unconfigured: ', which is not configured',
  locked: ', which is locked',
  paused: ', which is paused',
  initializing: ', which is starting',
  notReady: ', which is not ready',
  flagText: (flag: string) => `: ${flag}`,
  turn: 'queued behind other workflows',
  alone: 'waiting for the scheduler',
} as const;

/** A part of a sentence; one with a node or workflow is a link to its page. */
export interface SentencePart {
  readonly text: string;
  readonly node?: string;
  readonly workflow?: string;
}

export interface Waiting {
  readonly parts: readonly SentencePart[];
  /** Whether it can't start without a person's action. */
  readonly attention: boolean;
}

export interface LabSnapshot {
  readonly nodes: Readonly<Record<string, Node>>;
  readonly workflows: readonly Workflow[];
}

const plain = (flag: string): SentencePart => ({ text: flag });

/** Returns the workflow that occupies the node: one that runs on it, or one that was paused while the node continues. */
export function userOf(node: string, id: string, { nodes, workflows }: LabSnapshot): Workflow | null {
  const running = workflowOn(node, workflows);
  if (running !== null && running.workflow_id !== id) return running;
  if (nodes[node]?.status?.busy !== true) return null;
  return (
    workflows.find(
      (each) =>
        each.workflow_id !== id &&
        each.status.paused &&
        !each.status.cancelled &&
        currentStep(each)?.node === node &&
        typeof currentStep(each)?.start_time === 'string',
    ) ?? null
  );
}

/** The scheduler's messages about a node: its name and why it isn't ready. */
const notReady = /^Node (.+?) not ready: (.*)$/s;
const locked = /^Node (.+) is locked by another action$/;
const reserved = /^Node (.+?) is reserved by (.*)$/s;
const cooling = /^Waiting for Node (.+) to be ready$/;
const unknownNode = /^Node (.+) not found(?: in .*)?$/;
const failed = /^Exception in scheduler: (.*)$/s;
/** Outdated reasons: they apply to a running or paused workflow, and this one is neither. */
const outdatedReasons = new Set(['Workflow is already running', 'Workflow is paused']);

const isNow = (reason: string) => !outdatedReasons.has(reason);

/** Whether it is queued, or between two steps with the next one blocked; otherwise that one starts with the next tick. */
export function isBlocked(workflow: Workflow): boolean {
  return isWaiting(workflow) && (workflowState(workflow) === 'queued' || waitingFor(workflow).some(isNow));
}

/** Returns the text of one of the scheduler's reasons; an unknown reason is unchanged. */
function waitingReason(reason: string, id: string, snapshot: LabSnapshot): Waiting {
  const busyWith = (node: string): SentencePart[] => {
    const user = userOf(node, id, snapshot);
    return user === null
      ? [plain(waitingTexts.busy)]
      : [plain(waitingTexts.busyWith), { text: user.name, workflow: user.workflow_id }];
  };
  /** The manager is sending another action, which the node's state may not show yet. */
  const reservedBy = (node: string): SentencePart[] => {
    const user = userOf(node, id, snapshot);
    if (snapshot.nodes[node]?.status?.busy === true) return busyWith(node);
    return user === null
      ? [plain(waitingTexts.busyElse)]
      : [plain(waitingTexts.reservedBy), { text: user.name, workflow: user.workflow_id }];
  };
  const waits = (node: string, rest: readonly SentencePart[], attention = false): Waiting => ({
    parts: [plain(waitingTexts.waitsFor), { text: node, node }, ...rest],
    attention,
  });

  let found = notReady.exec(reason);
  if (found !== null) return notReadyText(found[1] ?? '', found[2] ?? '', snapshot, waits, busyWith);
  found = locked.exec(reason);
  if (found !== null) return waits(found[1] ?? '', reservedBy(found[1] ?? ''));
  found = cooling.exec(reason);
  if (found !== null) return waits(found[1] ?? '', [plain(waitingTexts.cooling)]);
  found = reserved.exec(reason);
  if (found !== null) return waits(found[1] ?? '', [plain(waitingTexts.reserved(ownerIn(found[2] ?? '')))]);
  found = unknownNode.exec(reason);
  if (found !== null) return { parts: [plain(waitingTexts.noNode(found[1] ?? ''))], attention: true };
  found = failed.exec(reason);
  if (found !== null) return { parts: [plain(waitingTexts.schedulerFailed(found[1] ?? ''))], attention: true };
  return { parts: [plain(reason)], attention: false };
}

/** Shortens the owner of a reservation: `{'workflow_id': '01J…'}`. */
function ownerIn(flag: string): string {
  const found = /'?(user|experiment|campaign|project|workflow|node)_id'?\s*[:=]\s*'?([0-9A-Za-z]+)/.exec(flag);
  return found === null ? flag : `${found[1] ?? ''} …${(found[2] ?? '').slice(-6)}`;
}

/**
 * Whether the scheduler's reason is about an earlier state of the node: it is written every few seconds, and the node is
 * polled in between.
 */
function isPast(description: string, { status }: Node): boolean {
  if (status === null || status.stopped) return false;
  const now: Readonly<Record<string, boolean>> = {
    'Node is disconnected': status.disconnected === true,
    'Node is in an error state': status.errored,
    'Node is missing configuration': (status.waiting_for_config ?? []).length > 0,
    'Node is locked': status.locked,
    'Node is paused': status.paused,
    'Node is initializing': status.initializing,
    'Node is busy': status.busy,
  };
  const matching = Object.keys(now).filter((flag) =>
    description.split('; ').some((part) => part.trim().startsWith(flag)),
  );
  return matching.length > 0 && matching.every((flag) => now[flag] === false);
}

function notReadyText(
  name: string,
  description: string,
  { nodes }: LabSnapshot,
  waits: (node: string, rest: readonly SentencePart[], attention?: boolean) => Waiting,
  busyWith: (node: string) => SentencePart[],
): Waiting {
  const node = nodes[name];
  if (node !== undefined && isPast(description, node)) return waits(name, [plain(waitingTexts.justChanged)]);
  const more = node === undefined ? '' : nodeReason(node);
  const because = (flag: string) => [plain(more === '' ? flag : `${flag}: ${more}`)];
  const parts = description.split('; ').map((part) => part.trim());
  const startsWith = (text: string) => parts.some((part) => part.startsWith(text));
  // After a safety stop the node isn't ready, but the scheduler's reason doesn't mention it.
  if (node !== undefined && nodeState(node) === 'stopped') return waits(name, [plain(waitingTexts.stopped)], true);
  if (startsWith('Node is disconnected')) return waits(name, because(waitingTexts.disconnected), true);
  if (startsWith('Node is in an error state')) return waits(name, because(waitingTexts.errored), true);
  if (startsWith('Node is missing configuration')) return waits(name, because(waitingTexts.unconfigured), true);
  if (startsWith('Node is locked')) return waits(name, [plain(waitingTexts.locked)], true);
  if (startsWith('Node is paused')) return waits(name, [plain(waitingTexts.paused)], true);
  if (startsWith('Node is initializing')) return waits(name, [plain(waitingTexts.initializing)]);
  if (startsWith('Node is busy')) return waits(name, busyWith(name));
  if (description === '' || description === 'Node is ready') return waits(name, [plain(waitingTexts.notReady)]);
  return waits(name, [plain(waitingTexts.flagText(description))]);
}

/** Returns everything that a queued workflow waits for; causes that need attention come first. */
export function waitingText(reasons: readonly string[], id: string, snapshot: LabSnapshot): Waiting {
  const causes = reasons.filter(isNow).map((reason) => waitingReason(reason, id, snapshot));
  // “Not ready” and “locked by another action” of one node result in the same text.
  const distinct = [...new Map(causes.map((waiting) => [partsText(waiting.parts), waiting])).values()];
  const ordered = [...distinct.filter(({ attention }) => attention), ...distinct.filter(({ attention }) => !attention)];
  if (ordered.length === 0) {
    const isBehind = snapshot.workflows.some((other) => other.workflow_id !== id && !other.status.paused);
    return { parts: [plain(isBehind ? waitingTexts.turn : waitingTexts.alone)], attention: false };
  }
  return {
    parts: ordered.flatMap(({ parts }, index) => (index === 0 ? parts : [plain(waitingTexts.and), ...parts])),
    attention: ordered.some(({ attention }) => attention),
  };
}

/**
 * Returns what blocks a workflow now: the causes for its own next step, or, during a transfer, those of the workflow that
 * executes it. `null` if nothing does.
 */
export function blockingReason(workflow: Workflow, snapshot: LabSnapshot): Waiting | null {
  const node = currentStep(workflow)?.node ?? '';
  if (workflowState(workflow) === 'running' && workflow.status.running && snapshot.nodes[node]?.status?.disconnected)
    return { parts: [{ text: node, node }, plain(waitingTexts.isUnreachable)], attention: true };
  const textOf = (waitingOne: Workflow) => waitingText(waitingFor(waitingOne), waitingOne.workflow_id, snapshot);
  if (isBlocked(workflow)) return textOf(workflow);
  const child = childOf(workflow, snapshot.workflows);
  if (child === null || !isBlocked(child.workflow)) return null;
  const { parts, attention } = textOf(child.workflow);
  const { name, workflow_id: id } = child.workflow;
  const lead = plain(child.likely ? waitingTexts.likelyCarriedBy : waitingTexts.carriedBy);
  return { parts: [lead, { text: name, workflow: id }, plain(waitingTexts.transfer), ...parts], attention };
}

export function partsText(parts: readonly SentencePart[]): string {
  return parts.map(({ text }) => text).join('');
}
