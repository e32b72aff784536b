/** The result of a safety stop by node, the effects of earlier stops, and the commands of a release. Pure. */
import type { StoppedNode } from '../commandRecord.ts';
import type { AdminCommand } from '../managers/action.ts';
import type { NodeStatus } from '../managers/node.ts';
import { nodeState } from '../managers/nodeState.ts';
import type { Nodes } from '../managers/workcell.ts';
import { isUnconfirmed, getReleaseCommands, type StopOutcome, type StopState } from './safetyStop.ts';
import { nodeAppearances, outcomeAppearances, type StateAppearance } from '../states.ts';
import { safetyStopTexts as texts } from './safetyStopTexts.ts';
import type { LabStop } from './labStop.ts';

/** A target node of a safety stop. */
export interface StopTarget {
  /** The address of its workcell manager, empty without one: nodes of the same name in two workcells are different. */
  readonly workcell: string;
  readonly name: string;
  /** The node's own address; `null` if unknown. */
  readonly url: string | null;
  /** The commands that it declares; `null` if it was never read. */
  readonly commands: readonly string[] | null;
}

export interface StopRow extends StopTarget {
  readonly outcome: StopOutcome;
  /** The number of attempts. */
  readonly attempt: number;
  /** The flags known to be set before the stop, which the stop must not undo. */
  readonly previousCommands: readonly AdminCommand[];
  /** The effects of earlier stops that are not released: a release undoes them as well. */
  readonly earlierEffects: readonly AdminCommand[];
  /** Time of its release, in ms since the epoch. */
  readonly releasedAt: number | null;
  /** The reason why its release failed, empty if it did not. */
  readonly releaseFailure: string;
}

/** The commands that a release has to undo. */
export function effectsToUndo({
  outcome,
  earlierEffects,
}: Pick<StopRow, 'outcome' | 'earlierEffects'>): readonly AdminCommand[] {
  return [...new Set([...earlierEffects, ...outcome.appliedCommands])];
}

export function rowKey({ workcell, name }: Pick<StopTarget, 'workcell' | 'name'>): string {
  return `${workcell} ${name}`;
}

/** Replaces or adds the row of a node; unconfirmed rows come first, then by name. */
export function replaceRow(rows: readonly StopRow[], row: StopRow): readonly StopRow[] {
  const others = rows.filter((candidate) => rowKey(candidate) !== rowKey(row));
  const rank = ({ outcome }: StopRow) => (outcome.state === 'confirmed' ? 2 : outcome.state === 'sending' ? 1 : 0);
  return [...others, row].toSorted(
    (a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : rowKey(a) < rowKey(b) ? -1 : 1),
  );
}

/** Converts a row to its form in the event log, with which another page can show and release this page's stop. */
export function toStoppedNode(row: StopRow): StoppedNode {
  const { name, workcell, outcome, previousCommands } = row;
  return {
    name,
    workcell,
    result: outcome.state,
    reason: outcome.reason,
    did: [...effectsToUndo(row)],
    before: [...previousCommands],
  };
}

/** @param workcell address of this page's workcell manager: the recorded one is as another machine reaches it */
export function fromStoppedNode(node: StoppedNode, workcell: string): StopRow {
  return {
    name: node.name,
    workcell,
    url: null,
    commands: null,
    outcome: { state: node.result, direct: false, reason: node.reason, appliedCommands: node.did },
    attempt: 1,
    previousCommands: node.before,
    earlierEffects: [],
    releasedAt: null,
    releaseFailure: '',
  };
}

/**
 * The rows with the effects of a concurrent stop of another page, which the published stop contains. Returns the same
 * rows if nothing differs.
 */
export function mergePublishedEffects(rows: readonly StopRow[], nodes: readonly StoppedNode[]): readonly StopRow[] {
  const published = new Map(nodes.map((node) => [node.name, node]));
  const corrected = rows.map((row) => {
    const node = published.get(row.name);
    if (node === undefined || row.releasedAt !== null) return row;
    const before = row.previousCommands.filter((command) => node.before.includes(command));
    // The other published commands were executed by the other stop.
    const earlierEffects = [
      ...new Set([
        ...row.earlierEffects,
        ...node.did.filter((command) => !row.outcome.appliedCommands.includes(command)),
      ]),
    ];
    const isSame = before.length === row.previousCommands.length && earlierEffects.length === row.earlierEffects.length;
    return isSame ? row : { ...row, previousCommands: before, earlierEffects };
  });
  return corrected.every((row, index) => row === rows[index]) ? rows : corrected;
}

/** The stop commands that are in effect at a node. */
export function activeCommands(status: NodeStatus | null | undefined): readonly AdminCommand[] {
  return [
    ...(status?.locked === true ? (['lock'] as const) : []),
    ...(status?.paused === true ? (['pause'] as const) : []),
  ];
}

const releasedAppearance: StateAppearance = { ...outcomeAppearances.done, label: texts.releasedLabel };
const notReleased: StateAppearance = { ...outcomeAppearances.failed, label: texts.notReleasedLabel };
const notStopped: StateAppearance = { ...outcomeAppearances.failed, label: texts.notConfirmedLabel };
const appearances: Readonly<Record<StopState, StateAppearance>> = {
  sending: outcomeAppearances.running,
  confirmed: { ...nodeAppearances.stopped, color: 'ok', shape: 'check' },
  held: { ...outcomeAppearances.unclear, label: texts.fallbackTitle },
  sent: outcomeAppearances.unclear,
  unknownCommand: notStopped,
  refused: notStopped,
  failed: notStopped,
};

/** The appearance of a row: shape, colour and text. */
export function rowAppearance({ outcome, releasedAt, releaseFailure }: StopRow): StateAppearance {
  if (releasedAt !== null) return releasedAppearance;
  return releaseFailure === '' ? appearances[outcome.state] : notReleased;
}

/** Describes the result at one node, its meaning, and the suggested action if that is not enough. */
export function rowText({
  outcome,
  attempt,
  releaseFailure,
}: Pick<StopRow, 'outcome' | 'attempt' | 'releaseFailure'>): string {
  if (releaseFailure !== '') return texts.notReleased(releaseFailure);
  const { state, direct, reason, appliedCommands } = outcome;
  if (state === 'held' && reason !== '')
    return [texts.outcome.held(appliedCommands), texts.outcome.refused(reason), texts.advice].join(' ');
  if (state === 'confirmed') return direct ? texts.outcome.confirmedDirectly : texts.outcome.confirmed;
  const result =
    state === 'held'
      ? texts.outcome.held(appliedCommands)
      : state === 'refused' || state === 'failed'
        ? texts.outcome[state](reason)
        : state === 'sent' && !direct && reason !== ''
          ? texts.outcome.sentThroughManager(reason)
          : texts.outcome[state];
  return [result, ...(attempt > 1 ? [texts.sentTimes(attempt)] : []), texts.advice].join(' ');
}

/** The report in up to three sentences. @param remaining the number of nodes that a release would still reach */
export function summaryText(rows: readonly StopRow[], isReadingNodes: boolean, remaining = 0): string {
  if (rows.length === 0) return isReadingNodes ? texts.readingNodes : texts.none;
  const count = (matches: (row: StopRow) => boolean) => rows.filter(matches).length;
  const released = count(({ releasedAt }) => releasedAt !== null);
  if (released > 0) {
    const unconfirmed = count((row) => row.releasedAt === null && effectsToUndo(row).length === 0);
    return [
      texts.releasedSummary(released, rows.length),
      ...(remaining > 0 ? [texts.stillStopped(remaining)] : []),
      ...(unconfirmed > 0 ? [texts.neverConfirmed(unconfirmed)] : []),
    ].join(' ');
  }
  const confirmed = count(({ outcome }) => outcome.state === 'confirmed');
  const sending = count(({ outcome }) => outcome.state === 'sending');
  const others = rows.length - confirmed - sending;
  return [
    texts.summary(confirmed, rows.length),
    ...(sending > 0 ? [texts.waiting(sending)] : []),
    ...(others > 0 ? [texts.notStopped(others)] : []),
  ].join(' ');
}

/** Whether retries for any node are pending. */
export function hasPendingRetries(rows: readonly StopRow[]): boolean {
  return rows.some(({ outcome, attempt }) => isUnconfirmed(outcome) || (outcome.state === 'sending' && attempt > 1));
}

export interface Release {
  readonly workcell: string;
  readonly name: string;
  readonly commands: readonly AdminCommand[];
}

export interface StopObservation {
  readonly rows: readonly StopRow[];
  /** The last read nodes of the workcell at this address. */
  readonly nodes: Nodes;
  readonly workcell: string;
  /** Whether a node was read after the stop: the workcell manager may still report an earlier reading. */
  readonly isRead: (name: string) => boolean;
}

/**
 * Resets the nodes that report being stopped and, until they are read again, those that confirmed the stop. For a node
 * stopped by other commands, reverts exactly the confirmed ones, except effects from before the stop. For an unknown
 * response, flags set since the stop count as its effects.
 */
export function planReleases({ rows, nodes, workcell, isRead }: StopObservation): readonly Release[] {
  const releases = new Map<string, Release>();
  for (const [name, node] of Object.entries(nodes)) {
    if (nodeState(node) === 'stopped')
      releases.set(rowKey({ workcell, name }), { workcell, name, commands: ['reset'] });
  }
  for (const row of rows) {
    const key = rowKey(row);
    if (row.releasedAt !== null || releases.has(key)) continue;
    const status = row.workcell === workcell ? nodes[row.name]?.status : undefined;
    // The manager reports no flags of an unreachable node.
    const isReadAgain = isRead(row.name) && status !== undefined && status !== null && status.disconnected !== true;
    const isUnknown = row.outcome.state === 'sent' || row.outcome.state === 'sending';
    const activeNow = isReadAgain && isUnknown ? activeCommands(status) : [];
    const did = [...new Set([...effectsToUndo(row), ...activeNow])].filter(
      (command) => !row.previousCommands.includes(command) && !(isReadAgain && command === 'safety_stop'),
    );
    const commands = getReleaseCommands(did);
    if (commands.length > 0) releases.set(key, { workcell: row.workcell, name: row.name, commands });
  }
  return [...releases.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the row of an earlier stop at a node; `undefined` if there is none. */
export type FindEarlierRow = (target: StopTarget) => StopRow | undefined;

interface EarlierStops {
  /** Rows of this program's last stop in the lab. */
  readonly localRows: readonly StopRow[];
  /** Time of that stop, in ms since the epoch; `null` without one. */
  readonly sentAt: number | null;
  /** Whether it was released here, at every node. */
  readonly isReleased: boolean;
  /** Whether it was released or replaced by another program. */
  readonly isOver: boolean;
  /** The lab's published stop in effect, of any program. */
  readonly publishedStop: LabStop | null;
  /** The commands that were in effect when the node was last read. */
  readonly effectsBefore: (target: StopTarget) => readonly AdminCommand[];
}

/** Looks up stops in effect, and those released so recently that the node's data is older than the release. */
export function createFindEarlierRow({
  localRows,
  sentAt,
  isReleased,
  isOver,
  publishedStop,
  effectsBefore,
}: EarlierStops): FindEarlierRow {
  const openRows = isOver || isReleased ? [] : localRows;
  const at = publishedStop?.at ?? null;
  // The service publishes a stop for some seconds after its release.
  const isStale = isReleased && at !== null && Date.parse(at) <= (sentAt ?? 0);
  const published = isStale ? [] : (publishedStop?.nodes ?? []);
  return (target) => {
    const isTarget = (row: StopRow) => rowKey(row) === rowKey(target);
    const node = published.find(({ name }) => name === target.name);
    const row = node && fromStoppedNode(node, target.workcell);
    const released = localRows.find((reportRow) => reportRow.releasedAt !== null && isTarget(reportRow));
    const earlierRow = openRows.find(isTarget) ?? (at === null ? undefined : row) ?? released;
    // Flags alone show that a node is stopped, not its state before.
    return earlierRow ?? (row && { ...row, previousCommands: effectsBefore(target) });
  };
}
