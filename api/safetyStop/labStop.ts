/**
 * Derives whether the lab is stopped from shared data: the recorded safety stops and the nodes' own flags. The result
 * is the same in every browser, tray and wall screen, and survives restarts.
 */
import * as z from 'zod/mini';
import {
  stopCommands,
  stoppedNode,
  type CommandRecord,
  formatSender,
  type RecordedCommand,
  type StoppedNode,
} from '../commandRecord.ts';

/** A workflow that a safety stop paused; a release resumes exactly these. */
const pausedWorkflow = z.object({
  id: z.string(),
  name: z.string(),
  /** The node of its next step. */
  node: z.string(),
  /** The index of its current step when it was paused. */
  step: z.int(),
  /** Whether that step was running: resuming before its end would start it twice. */
  was_running: z.boolean(),
  /** The manager has not confirmed the pause, which it may execute later. */
  unconfirmed: z.optional(z.boolean()),
  /** The manager answered the pause with an error: it will not execute it. */
  rejected: z.optional(z.boolean()),
  /** Whether a release has resumed it. */
  resumed: z.optional(z.boolean()),
  /** Why it was not resumed. */
  failure: z.optional(z.string()),
});
export type PausedWorkflow = z.infer<typeof pausedWorkflow>;

/** A safety stop that is not completely released, acknowledged or not; see `sortStoppedNodes` for the order. */
export const labStop = z.object({
  /** The ID of its event; `null` if only the nodes' flags show it. */
  id: z.nullable(z.string()),
  /** ISO 8601 UTC. */
  at: z.nullable(z.string()),
  machine: z.nullable(z.string()),
  /** The account of the sender, if known. */
  user: z.optional(z.string()),
  application: z.nullable(z.string()),
  nodes: z.array(stoppedNode),
  /** Whether a release was sent that did not reach every node; missing without one. */
  released: z.optional(z.boolean()),
  /** Whether the stop is still being sent; missing at its end. */
  sending: z.optional(z.boolean()),
  /** Whether a release is in progress: it resumes workflows when their steps have ended. */
  releasing: z.optional(z.boolean()),
  /** Whether it was pressed during a release, whose pending commands may undo it: it is sent again after them. */
  repeats: z.optional(z.boolean()),
  /** Whether a restart of the service interrupted it. */
  interrupted: z.optional(z.boolean()),
  /** The workflows that were paused because their next step is on a node without any confirmation. */
  workflows: z.optional(z.array(pausedWorkflow)),
});
export type LabStop = z.infer<typeof labStop>;

/** The part of a node that decides whether a stop is still in effect. */
interface NodeFlags {
  readonly name: string;
  /** Whether the flags are the node's own: the workcell manager reports none of an unreachable node. */
  readonly isKnown: boolean;
  readonly stopped: boolean;
  readonly locked: boolean;
  readonly paused: boolean;
}

export interface FlagReading {
  readonly nodes: readonly NodeFlags[];
  /** ms since the epoch, by the same clock as `sent_at`. */
  readonly at: number;
}

/** The workcell manager reads its nodes every 2 s, and the watch reads it every 15 s; clocks differ by seconds. */
export const flagDelayMs = 30_000;
const noResult = 'no result was recorded';
/** A page records a result after 3 s and at the end; if there is none by then, the page was closed. */
const resultDelayMs = 30_000;

function isLabCommand(command: string, { record }: RecordedCommand): boolean {
  return record.command === command && record.target.kind === 'lab';
}

/**
 * Whether a record may concern this lab: several workcells can share one event manager. Only a record without any known
 * node of this lab, and with another address of the workcell manager, does not.
 * @param names the known nodes of this lab
 */
export function isOfLab({ nodes = [] }: CommandRecord, workcell: string | null, names: ReadonlySet<string>): boolean {
  if (nodes.length === 0 || names.size === 0) return true;
  return nodes.some((node) => names.has(node.name) || (node.workcell !== '' && node.workcell === workcell));
}

/** Whether a record ends a stop: its acknowledgement, or a release that reached every node. */
export function closesStop(
  { record: { command, result, stop_id: closedId } }: RecordedCommand,
  stopId: string,
): boolean {
  return (
    closedId === stopId &&
    (command === stopCommands.acknowledge || (command === stopCommands.release && result === 'done'))
  );
}

/** The newest stop, in effect or not; `null` if there is none. */
export function findLastStopRecord(records: readonly RecordedCommand[]): CommandRecord | null {
  return records.findLast((command) => isLabCommand(stopCommands.stop, command))?.record ?? null;
}

/**
 * The ID of the newest stop, if every node that it reached was reset by another program or at the instrument; otherwise
 * `null`.
 */
export function findUndoneStop(records: readonly RecordedCommand[], flags: FlagReading | null): string | null {
  const last = records.findLast((command) => isLabCommand(stopCommands.stop, command));
  if (last === undefined) return null;
  return isUndone(getStoppedNodes(last, records), Date.parse(last.record.sent_at), flags) ? last.id : null;
}

function getStoppedNodes(stop: RecordedCommand, records: readonly RecordedCommand[]): readonly StoppedNode[] {
  return excludeConcurrentStops(stop, records, getRecordedNodes(stop, records));
}

/**
 * A stop sent from another page moments before is not published yet, so its locks appear as set by a person: they are
 * removed from `before`, and a release of the newer stop undoes them.
 */
function excludeConcurrentStops(
  stop: RecordedCommand,
  records: readonly RecordedCommand[],
  nodes: readonly StoppedNode[],
): readonly StoppedNode[] {
  const others = records
    .filter((command) => isLabCommand(stopCommands.stop, command) && command.id !== stop.id)
    .filter(({ record }) => Math.abs(Date.parse(record.sent_at) - Date.parse(stop.record.sent_at)) < flagDelayMs)
    .map((command) => ({
      nodes: getRecordedNodes(command, records),
      isClosed: records.some((record) => closesStop(record, command.id)),
    }));
  return nodes.map((node) => {
    const matches = others.flatMap((concurrent) =>
      concurrent.nodes
        .filter(({ name }) => name === node.name)
        .map(({ did, before }) => ({
          effects: did.filter((command) => !before.includes(command)),
          isClosed: concurrent.isClosed,
        })),
    );
    if (matches.length === 0) return node;
    const effects = new Set(matches.flatMap((match) => match.effects));
    const openEffects = matches.filter(({ isClosed }) => !isClosed).flatMap((match) => match.effects);
    return {
      ...node,
      did: [...new Set([...node.did, ...openEffects])],
      before: node.before.filter((command) => !effects.has(command)),
    };
  });
}

function getRecordedNodes(stop: RecordedCommand, records: readonly RecordedCommand[]): readonly StoppedNode[] {
  const result = records.findLast(
    (command) => isLabCommand(stopCommands.result, command) && command.record.stop_id === stop.id,
  );
  return result?.record.nodes ?? stop.record.nodes ?? [];
}

export interface StopContext {
  /** The last read flags of the nodes; `null` while they are unknown. */
  readonly flagReading: FlagReading | null;
  /** ms since the epoch */
  readonly now: number;
  /** Stops that were undone: they stay ended when one of their nodes is stopped again. */
  readonly undone?: ReadonlySet<string>;
}

/**
 * Returns the stop that is neither released, undone nor acknowledged, or else one that only the nodes' flags show; `null`
 * if there is none.
 * @param records of safety stops in the order of the event log: the clocks of the senders may be wrong
 */
export function currentStop(
  records: readonly RecordedCommand[],
  { flagReading: flags, now, undone = new Set() }: StopContext,
): LabStop | null {
  const last = records.findLast((command) => isLabCommand(stopCommands.stop, command));
  if (last !== undefined) {
    const isClosed = records.some((command) => closesStop(command, last.id));
    const sentAt = Math.min(Date.parse(last.record.sent_at), now);
    const isLate = now - sentAt > resultDelayMs;
    const releases = records.filter(
      ({ record }) => record.command === stopCommands.release && record.stop_id === last.id,
    );
    const releasedNodes = releases.flatMap(({ record }) => record.nodes ?? []);
    const nodes = getStoppedNodes(last, records).map((node): StoppedNode => {
      const released = releasedNodes.findLast(({ name, released_at: at }) => name === node.name && at !== undefined);
      if (released !== undefined) return { ...node, released_at: released.released_at };
      return isLate && node.result === 'sending' ? { ...node, result: 'sent', reason: noResult } : node;
    });
    const { machine, user, application } = last.record;
    if (!isClosed && !undone.has(last.id) && findUndoneStop(records, flags) === null) {
      const at = new Date(sentAt).toISOString();
      const released = releases.length > 0 ? { released: true } : {};
      const sender = { machine, ...(user !== undefined && { user }), application };
      return { id: last.id, at, ...sender, nodes: sortStoppedNodes(nodes), ...released };
    }
  }
  const hiddenNames = new Set(
    records
      .filter(({ record }) => record.stop_id === last?.id && makesFlagsMeaningless(record, flags))
      .flatMap(({ record }) => (record.nodes ?? []).map(({ name }) => name)),
  );
  const flaggedNodes = (flags?.nodes ?? []).filter((node) => node.stopped && !hiddenNames.has(node.name));
  if (flags === null || flaggedNodes.length === 0) return null;
  const nodes = flaggedNodes.map(({ name }): StoppedNode => ({
    name,
    workcell: '',
    result: 'confirmed',
    reason: '',
    did: ['safety_stop'],
    before: [],
  }));
  return { id: null, at: null, machine: null, application: null, nodes };
}

/** Whether the flags of the record's nodes show no new stop: they are acknowledged, or from before the release. */
function makesFlagsMeaningless(
  { command, sent_at: at, duration_ms: ms }: CommandRecord,
  flags: FlagReading | null,
): boolean {
  if (command === stopCommands.acknowledge) return true;
  return command === stopCommands.release && flags !== null && flags.at < Date.parse(at) + ms + flagDelayMs;
}

/** Like `currentStop`, but includes an acknowledged stop: its nodes are still stopped, and a release undoes it. */
export function findStopInEffect(records: readonly RecordedCommand[], context: StopContext): LabStop | null {
  return currentStop(
    records.filter(({ record }) => record.command !== stopCommands.acknowledge),
    context,
  );
}

/**
 * Whether every node that the stop reached was reset since.
 * @param at time of the press, in ms since the epoch
 * @param delayMs how much later than the press the flags must have been read, in ms
 */
export function isUndone(
  nodes: readonly StoppedNode[],
  at: number,
  flags: FlagReading | null,
  delayMs = flagDelayMs,
): boolean {
  if (flags === null || flags.at < at + delayMs) return false;
  // A cancel, and a lock or pause from before the stop, are no effects that a reset would end.
  const isReached = ({ did, before }: StoppedNode) =>
    did.some((command) => command !== 'cancel' && !before.includes(command));
  return (
    nodes.some(isReached) &&
    nodes.every((node) => {
      const current = flags.nodes.find(({ name }) => name === node.name);
      if (current === undefined || !current.isKnown) return !isReached(node);
      // Commands without an answer count as well if the node shows their effect.
      const sent = new Set([...node.did, ...(node.attempted ?? [])]);
      const isInEffect = (command: string, flag: boolean) =>
        flag && sent.has(command) && !node.before.includes(command);
      return !(
        isInEffect('safety_stop', current.stopped) ||
        isInEffect('lock', current.locked) ||
        isInEffect('pause', current.paused)
      );
    })
  );
}

/** Whether the node confirmed that it has stopped. */
function isConfirmed({ result }: Pick<StoppedNode, 'result'>): boolean {
  return result === 'confirmed';
}

/** Whether the node works, as last read after the stop. */
export function isWorking({ now }: Pick<StoppedNode, 'now'>): boolean {
  return now !== undefined && (now.state === 'busy' || now.flags.includes('busy'));
}

/** The order of nodes on every screen: working and unconfirmed, unconfirmed, locked instead, confirmed; then by name. */
export function sortStoppedNodes<Node extends Pick<StoppedNode, 'result' | 'name' | 'now'>>(
  nodes: readonly Node[],
): Node[] {
  const rank = (node: Node): number => {
    if (isConfirmed(node)) return 3;
    if (isWorking(node)) return 0;
    return node.result === 'held' ? 2 : 1;
  };
  return nodes.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The stop with one node's data replaced or added, in order. */
export function withNode(stop: LabStop, node: StoppedNode): LabStop {
  const others = stop.nodes.filter(({ name }) => name !== node.name);
  return { ...stop, nodes: sortStoppedNodes([...others, node]) };
}

/**
 * A stop with the effects of an earlier one that is not released: they belong to the stop, not to the state before it.
 */
export function mergeStops(earlier: LabStop, stop: LabStop): LabStop {
  const names = new Set(stop.nodes.map(({ name }) => name));
  const nodes = stop.nodes.map((node) => {
    const before = earlier.nodes.find(({ name }) => name === node.name);
    if (before === undefined || before.released_at !== undefined) return node;
    return { ...node, did: [...new Set([...before.did, ...node.did])], before: before.before };
  });
  const others = earlier.nodes.filter(({ name }) => !names.has(name));
  const { workflows } = earlier;
  return { ...stop, nodes: sortStoppedNodes([...nodes, ...others]), ...(workflows && { workflows }) };
}

/** The stop with what another program has reported since about nodes without a result. */
export function withReports(stop: LabStop, reported: LabStop): LabStop {
  const nodes = stop.nodes.map((node) => {
    const report = reported.nodes.find(({ name }) => name === node.name);
    const isOpen = node.result === 'sending' && node.released_at === undefined;
    return isOpen && report !== undefined ? { ...report, before: node.before } : node;
  });
  return { ...stop, nodes };
}

/** The stop without the effects of concurrent stops, which its sender has read as set before: see `excludeConcurrentStops`. */
export function withConcurrentEffects(stop: LabStop, logged: LabStop): LabStop {
  const nodes = stop.nodes.map((node) => {
    const { did = [], before = [] } = logged.nodes.find(({ name }) => name === node.name) ?? {};
    const effects = did.filter((command) => !before.includes(command));
    if (!node.before.some((command) => effects.includes(command))) return node;
    return {
      ...node,
      did: [...new Set([...node.did, ...effects])],
      before: node.before.filter((command) => !effects.includes(command)),
    };
  });
  return { ...stop, nodes };
}

/** The stop without the effects at the nodes that are released in `reported`. */
export function withReleases(stop: LabStop, reported: LabStop): LabStop {
  const nodes = stop.nodes.map((node) => {
    const releasedAt = reported.nodes.find(({ name }) => name === node.name)?.released_at;
    return releasedAt === undefined ? node : { ...node, released_at: releasedAt };
  });
  return { ...stop, nodes };
}

/** The nodes that a stop did not reach or that did not confirm it, without those that a release has reached since. */
export function listUnconfirmedNodes({ nodes }: { readonly nodes: readonly StoppedNode[] }): StoppedNode[] {
  return sortStoppedNodes(nodes).filter((node) => !isConfirmed(node) && node.released_at === undefined);
}

/** The unconfirmed nodes without those that may still answer the first attempt. */
export function listUnansweredNodes(stop: Pick<LabStop, 'nodes'>): StoppedNode[] {
  return listUnconfirmedNodes(stop).filter(({ result, attempts = 1 }) => result !== 'sending' || attempts > 1);
}

/** `robotarm_1, robotarm_2`; of more than `max` names, the first ones and the number of the others. */
function listNames(names: readonly string[], max = 5): string {
  const listed = names.slice(0, max).join(', ');
  return names.length > max ? `${listed} and ${names.length - max} more` : listed;
}

/** The results of the nodes in one clause: `2 of 4 nodes not confirmed: arm_1, arm_2`. */
function describeResults(nodes: readonly StoppedNode[]): string {
  if (nodes.length === 0) return 'results are not known yet';
  const total = nodes.length === 1 ? 'one node' : `${nodes.length} nodes`;
  const withNames = (text: string, named: readonly StoppedNode[]): string =>
    named.length === 0 ? text : `${text}: ${listNames(named.map(({ name }) => name))}`;
  const unreleased = nodes.filter(({ released_at: releasedAt }) => releasedAt === undefined);
  if (unreleased.length < nodes.length) {
    const text = `${nodes.length - unreleased.length} of ${total} released`;
    return withNames(unreleased.length === 0 ? text : `${text}, not yet`, unreleased);
  }
  const unconfirmed = listUnconfirmedNodes({ nodes });
  if (unconfirmed.length === 0) return `${total} confirmed`;
  const isAnyAnswered = unconfirmed.some(({ result }) => result !== 'sending');
  return isAnyAnswered
    ? withNames(`${unconfirmed.length} of ${total} not confirmed`, unconfirmed)
    : `${unconfirmed.length} of ${total} still to answer`;
}

/**
 * The state in one sentence for all outputs: `Safety stop at 14:02 by ann on lab-pc: 2 of 4 nodes not confirmed: arm_1, arm_2.`
 * @param time formats the time of the stop
 */
export function describeStop({ at, machine, user, nodes, interrupted }: LabStop, time: (ms: number) => string): string {
  if (at === null) return `Stopped without a recorded safety stop: ${listNames(nodes.map(({ name }) => name))}.`;
  const sender = formatSender({ machine, user });
  const by = sender === null ? '' : ` by ${sender}`;
  const end = interrupted === true ? ' It was interrupted by a restart of the lab manager.' : '';
  return `Safety stop at ${time(Date.parse(at))}${by}: ${describeResults(nodes)}.${end}`;
}
