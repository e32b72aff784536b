/** The result of a safety stop by node, and the commands of its release, as every screen shows them. */
import type { StoppedNode } from '../commandRecord.ts';
import type { AdminCommand } from '../managers/action.ts';
import { getReleaseCommands, hasSafetyStop, type StopOutcome, type StopState } from './safetyStop.ts';
import { nodeAppearances, outcomeAppearances, type StateAppearance } from '../states.ts';
import { safetyStopTexts as texts } from './safetyStopTexts.ts';
import { flagDelayMs, isWorking, type FlagReading, type LabStop } from './labStop.ts';

/** A target node of a safety stop. */
export interface StopTarget {
  readonly name: string;
  /** The node's own address; `null` if it is unknown, or not an HTTP address. */
  readonly url: string | null;
  /** The commands that it declares; `null` if it was never read. */
  readonly commands: readonly string[] | null;
  /** The flags known to be set before the stop, which a release must not undo. */
  readonly before: readonly string[];
  readonly isBusy: boolean;
}

/** The targets in the order of sending: real safety stops and busy nodes first. */
export function sortTargets<Target extends Pick<StopTarget, 'name' | 'commands' | 'isBusy'>>(
  targets: readonly Target[],
): Target[] {
  const rank = ({ commands, isBusy }: Target): number => (hasSafetyStop(commands) === true ? 0 : 2) + (isBusy ? 0 : 1);
  return targets.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

/**
 * The flags from before a stop without the effects of the previous one, which readings show until some time after its
 * release.
 * @param flags as last read
 * @param previous the node in the previous stop
 * @param now ms since the epoch
 */
export function flagsBefore(flags: readonly string[], previous: StoppedNode | undefined, now: number): string[] {
  const { released_at: releasedAt, did = [], attempted = [], before = [] } = previous ?? {};
  if (releasedAt === undefined || now > Date.parse(releasedAt) + flagDelayMs) return [...flags];
  return flags.filter((flag) => before.includes(flag) || !(did.includes(flag) || attempted.includes(flag)));
}

/**
 * The node's part of a stop before its first response. Effects of an earlier press belong to the stop, not to the state
 * before it.
 * @param earlier the node in the stop that is in effect
 */
export function startNode(target: StopTarget, workcell: string, earlier: StoppedNode | undefined): StoppedNode {
  const isInEffect = earlier !== undefined && earlier.released_at === undefined;
  return {
    name: target.name,
    workcell,
    result: 'sending',
    reason: '',
    did: isInEffect ? earlier.did : [],
    before: isInEffect ? earlier.before : [...target.before],
    ...(isInEffect && earlier.attempted && { attempted: earlier.attempted }),
    attempts: 1,
  };
}

/** The node's part of a stop after an outcome. A command that is confirmed after a release was not undone by it. */
export function applyOutcome(node: StoppedNode, outcome: StopOutcome, attempts: number): StoppedNode {
  const { released_at: releasedAt, release_failure: failure, ...rest } = node;
  const did = [...new Set([...node.did, ...outcome.did])];
  const attempted = [...new Set([...(node.attempted ?? []), ...(outcome.unclearCommands ?? [])])];
  const isReleased = releasedAt !== undefined && did.length === node.did.length;
  return {
    ...rest,
    result: outcome.state,
    reason: outcome.reason,
    direct: outcome.direct,
    did,
    ...(attempted.length > 0 && { attempted }),
    attempts,
    ...(isReleased && { released_at: releasedAt }),
    ...(failure !== undefined && { release_failure: failure }),
  };
}

const releasedAppearance: StateAppearance = { ...outcomeAppearances.done, label: texts.releasedLabel };
const notReleased: StateAppearance = { ...outcomeAppearances.failed, label: 'Not released' };
const notStopped: StateAppearance = { ...outcomeAppearances.failed, label: texts.notConfirmedLabel };
const stillWorking: StateAppearance = { ...outcomeAppearances.failed, label: 'Still working' };
const appearances: Readonly<Record<StopState, StateAppearance>> = {
  sending: outcomeAppearances.running,
  confirmed: { ...nodeAppearances.stopped, color: 'ok', shape: 'check' },
  held: outcomeAppearances.unclear,
  sent: outcomeAppearances.unclear,
  unknownCommand: notStopped,
  refused: notStopped,
  failed: notStopped,
};

/** The appearance of a node: shape, colour and text. */
export function rowAppearance(node: StoppedNode): StateAppearance {
  if (node.release_failure !== undefined) return notReleased;
  if (node.released_at !== undefined) return releasedAppearance;
  if (node.result !== 'confirmed' && isWorking(node)) return stillWorking;
  return node.result === 'held'
    ? { ...appearances.held, label: texts.fallbackLabel(node.did) }
    : appearances[node.result];
}

/** Describes the result at one node, its meaning, and the suggested action if that is not enough. */
export function rowText(node: StoppedNode): string {
  const { result, direct = false, reason, did, attempts = 1, release_failure: failure } = node;
  if (failure !== undefined) return texts.notReleased(failure);
  if (result === 'confirmed') return direct ? texts.outcome.confirmedDirectly : texts.outcome.confirmed;
  const sent = attempts > 1 ? [`Sent ${attempts} times.`] : [];
  if (result === 'held') {
    const unconfirmed = reason === '' ? [] : [texts.outcome.unconfirmed(reason)];
    return [texts.outcome.held(did), ...unconfirmed, ...sent, texts.advice].join(' ');
  }
  const text =
    result === 'refused' || result === 'failed'
      ? texts.outcome[result](reason)
      : result === 'sent' && reason !== ''
        ? texts.outcome.noAnswer(reason)
        : texts.outcome[result];
  return [text, ...sent, texts.advice].join(' ');
}

/** The report in up to three sentences. @param remaining the number of nodes that a release would still reach */
export function summaryText(nodes: readonly StoppedNode[], remaining = 0): string {
  if (nodes.length === 0) return 'No node is known, so nothing could be sent. Use the hardware emergency stop.';
  const count = (matches: (node: StoppedNode) => boolean) => nodes.filter(matches).length;
  const released = count(({ released_at: releasedAt }) => releasedAt !== undefined);
  if (released > 0) {
    const unconfirmed = count((node) => node.released_at === undefined && node.did.length === 0);
    return [
      texts.releasedSummary(released, nodes.length),
      ...(remaining > 0 ? [texts.stillStopped(remaining)] : []),
      ...(unconfirmed > 0 ? [texts.neverConfirmed(unconfirmed)] : []),
    ].join(' ');
  }
  const confirmed = count(({ result }) => result === 'confirmed');
  const sending = count(({ result }) => result === 'sending');
  const others = nodes.length - confirmed - sending;
  return [
    texts.summary(confirmed, nodes.length),
    ...(sending > 0 ? [texts.waiting(sending)] : []),
    ...(others > 0 ? [texts.notStopped(others)] : []),
  ].join(' ');
}

export interface Release {
  readonly name: string;
  readonly commands: readonly AdminCommand[];
}

/** Why the stop cannot be released yet; `null` if it can. Without anything to release, a release ends it. */
export function releaseBlockedReason({ nodes, releasing }: LabStop, releaseCount: number): string | null {
  if (releasing === true) return texts.releasing;
  const unanswered = nodes.filter(({ result }) => result === 'sending').length;
  return releaseCount === 0 && unanswered > 0 ? texts.waiting(unanswered) : null;
}

/** The effect of a release on each node, one line each. */
export function describeRelease(
  nodes: readonly StoppedNode[],
  releases: readonly { readonly name: string; readonly commands: readonly string[] }[],
): string[] {
  const others = nodes.filter(
    ({ name, released_at: releasedAt }) =>
      releasedAt === undefined && !releases.some((release) => release.name === name),
  );
  return [
    ...releases.map(({ name, commands }) => texts.releaseNode(name, commands.join(', '))),
    ...others.map(({ name, result }) =>
      texts.releaseNode(name, result === 'sending' ? 'the opposite of what it still confirms' : ''),
    ),
  ];
}

/** The workcell manager reads its nodes every 2 s, and a hanging node can delay its reading of the others. */
const readDelayMs = 30_000;

/**
 * The commands that release each node. They reset the nodes that report being stopped and, until they are read again,
 * those that confirmed the stop; other nodes get the opposite of exactly the confirmed commands, without effects from
 * before the stop. For an unknown response, flags set since the stop count as its effects.
 */
export function planReleases({ at, nodes }: Pick<LabStop, 'at' | 'nodes'>, flags: FlagReading | null): Release[] {
  const isReadAgain = flags !== null && at !== null && flags.at > Date.parse(at) + readDelayMs;
  const flagged = new Map((flags?.nodes ?? []).map((node) => [node.name, node]));
  const releases = new Map<string, Release>();
  for (const node of nodes) {
    if (node.released_at !== undefined) continue;
    const current = flagged.get(node.name);
    const isKnown = isReadAgain && current?.isKnown === true;
    const isUnknown = node.result === 'sent' || node.result === 'sending' || node.result === 'failed';
    const sinceStop =
      isKnown && isUnknown ? [...(current.locked ? ['lock'] : []), ...(current.paused ? ['pause'] : [])] : [];
    // A node that refuses the commands here has refused those of another sender, too.
    const isRefused = node.result === 'refused' || node.result === 'unknownCommand';
    const attempted = (isRefused ? [] : (node.attempted ?? [])).filter(
      (command) => !isKnown || command === 'safety_stop' || (command === 'lock' ? current.locked : current.paused),
    );
    const did = [...new Set([...node.did, ...attempted, ...sinceStop])].filter(
      (command) => !node.before.includes(command) && !(isKnown && command === 'safety_stop' && !current.stopped),
    );
    const commands = getReleaseCommands(did);
    if (commands.length > 0) releases.set(node.name, { name: node.name, commands });
  }
  for (const { name, stopped } of flagged.values()) {
    const commands = releases.get(name)?.commands ?? [];
    const isReleased = nodes.some((node) => node.name === name && node.released_at !== undefined);
    if (stopped && !commands.includes('reset') && !isReleased)
      releases.set(name, { name, commands: ['reset', ...commands] });
  }
  return [...releases.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
