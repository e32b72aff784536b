/**
 * Logged moments of nodes: stops, commands, errors, starts. Pure. MADSci 0.8.1 logs that a node was locked, unlocked,
 * started, raised an exception or was unreachable; a pause, a reset or a safety stop only if the node's module logs it.
 */
import type { TimeRange } from '../../../base/time.ts';
import { isObject } from '../../../../api/client/wire.ts';
import {
  commandName,
  commandSource,
  maintenanceCommands,
  noteCommand,
  readRecordedCommand,
  stopCommands,
  type CommandRecord,
} from '../../../../api/commandRecord.ts';
import type { Event } from '../../../../api/managers/event.ts';
import { nodeLooks, outcomeLooks, type StateLook } from '../../../../api/states.ts';
import type { ReadStamp } from '../../../../api/time/time.ts';
import { messageOf, textOf, timeOf } from '../../../managers/event/eventText.ts';
import type { Nodes } from '../../../../api/managers/workcell.ts';
import { nodeCommandTable, type NodeCommandRecord } from '../../../managers/guards/nodeCommandTable.ts';
import { nodeNames } from '../../../managers/workcell/nodeState.ts';
import { pollingSchedule } from '../../../managers/transport/poll/pollingSchedule.ts';

export type MarkKind = 'stop' | 'error' | 'gone' | 'command' | 'start';

export interface Mark {
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
  /** The node's name; `null` if the event names no known node and applies to the whole lab. */
  readonly node: string | null;
  readonly kind: MarkKind;
  /** The level of its event. */
  readonly level: number;
  readonly look: StateLook;
  readonly text: string;
}

/** The nodes of this lab's workcell, to exclude events of other workcells. */
interface KnownNodes {
  /** Names by node ID. */
  readonly byId: ReadonlyMap<string, string>;
  /** ID of the workcell manager; `null` while unknown. */
  readonly manager: string | null;
}

/** Messages that are logged twice a minute while a node is disconnected: the retry, and its failure. */
const reconnectMessage = 'Retrying connection to disconnected nodes';
const stillAway = 'Node status update failed; marking disconnected';
/** In a longer span, in ms, most of the response would be the second message. */
const longSpan = 26 * 3_600_000;
/** Maximum delay of a log entry, in ms. */
const written = 10 * 60_000;
/** Marks of one node closer than this are merged, in ms. */
const sameAbsence = 5 * 60_000;
/** Maximum number of marks in a span; more are not distinguishable. */
export const maxMarks = 2000;

/** Returns the query for the event manager: only drawn events, and only conditions that both of its databases support. */
export function marksSelector(
  { from, to }: TimeRange,
  time: { readonly queryStart: (at: number) => string; readonly queryEnd: (at: number) => string },
): Readonly<Record<string, unknown>> {
  const ofType = (type: string) => [{ event_type: type }, { 'event_data.event_type': type }];
  const left = to - from > longSpan ? [reconnectMessage, stillAway] : [reconnectMessage];
  const excluded = left.map((message) => ({ 'event_data.message': { $ne: message } }));
  return {
    event_timestamp: { $gte: time.queryStart(from), $lte: time.queryEnd(to) },
    $or: [
      ...['node_error', 'node_start', 'node_stop'].flatMap(ofType),
      { $and: [{ $or: ofType('node_status_update') }, ...excluded] },
      { 'event_data.component_name': commandSource },
    ],
  };
}

/**
 * Returns the interval for reading the marks of a span in ms; `null`: read once, because no more follow. The interval is
 * longer for long spans, whose responses are large.
 * @param sure whether the clock of the manager is known; until then it is derived from new events
 */
export function marksInterval({ from, to }: TimeRange, now: number, sure: boolean): number | null {
  if (sure && to < now - written) return null;
  if (to - from <= longSpan) return pollingSchedule.nodeEvents;
  return sure ? pollingSchedule.archiveFurtherBack : 2 * pollingSchedule.nodeEvents;
}

const kinds: readonly (readonly [RegExp, MarkKind, StateLook])[] = [
  [/safety[ _-]?stop|emergency[ _-]?stop/i, 'stop', nodeLooks.stopped],
  [/\bunlocked\b/i, 'command', nodeLooks.ready],
  [/\blocked\b/i, 'command', nodeLooks.locked],
  [/\bpaused\b/i, 'command', nodeLooks.paused],
  [/\b(?:resumed|reset)\b/i, 'command', nodeLooks.ready],
  [/disconnected|update failed/i, 'gone', nodeLooks.disconnected],
];

function kindOf(type: string, message: string): readonly [MarkKind, StateLook] | null {
  const found = kinds.find(([pattern]) => pattern.test(message));
  if (found !== undefined) return [found[1], found[2]];
  if (type === 'node_error') return ['error', nodeLooks.errored];
  if (type === 'node_start') return ['start', nodeLooks.initializing];
  return type === 'node_stop' ? ['gone', nodeLooks.disconnected] : null;
}

/** Commands that leave a node not ready, by their names in the audit log. */
const commandLooks: Readonly<Record<string, StateLook>> = Object.fromEntries(
  Object.values<NodeCommandRecord>(nodeCommandTable).flatMap(({ verb, leaves }) =>
    leaves === undefined ? [] : [[commandName(verb), nodeLooks[leaves]]],
  ),
);

/** Returns the kind of a logged command; `null` for notes and for parts of a safety stop that is already drawn. */
function commandKind({ command, target, result }: CommandRecord): readonly [MarkKind, StateLook] | null {
  if (command === stopCommands.stop && target.kind === 'lab') return ['stop', nodeLooks.stopped];
  if (command === stopCommands.result || command === stopCommands.acknowledge || command === noteCommand) return null;
  const isLost = result === 'failed' || result === 'unclear';
  // For nodes the mark shows the resulting node state, for other targets the result of the command.
  const isOfNodes = (target.kind === 'node' || target.kind === 'lab') && !command.startsWith(maintenanceCommands.begin);
  if (!isOfNodes) return ['command', outcomeLooks[result === 'sent' ? 'running' : result]];
  return ['command', isLost ? nodeLooks.notReady : (commandLooks[command] ?? nodeLooks.ready)];
}

/** The node of an event: a node of this workcell, none, or one of another workcell. */
type EventNode =
  { readonly kind: 'own'; readonly name: string } | { readonly kind: 'none' } | { readonly kind: 'foreign' };

/**
 * Nodes log their IDs, the workcell manager logs their names. Two workcells may have nodes with the same name, so the ID
 * has precedence.
 */
function nodeOf({ source, event_data: data }: Event, { byId, manager }: KnownNodes): EventNode {
  const fields = isObject(data) ? data : {};
  const info = isObject(fields['node_info']) ? fields['node_info'] : {};
  const name = textOf(fields['node_name']) || textOf(info['node_name']);
  const id = textOf(fields['node_id']) || textOf(info['node_id']) || textOf(source.node_id);
  const known = byId.get(id);
  if (known !== undefined) return { kind: 'own', name: known };
  if (name === '') return { kind: id === '' ? 'none' : 'foreign' };
  const hasOtherId = id !== '' && [...byId.values()].includes(name);
  const writer = fields['component_name'] === 'WorkcellManager' ? textOf(source['manager_id']) : '';
  const isOfOtherWorkcell = writer !== '' && manager !== null && writer !== manager;
  return hasOtherId || isOfOtherWorkcell ? { kind: 'foreign' } : { kind: 'own', name };
}

export function knownNodes(nodes: Nodes, manager: string | null): KnownNodes {
  return { byId: nodeNames(nodes), manager };
}

/** How many of the events are about nodes of other workcells: they belong to no lane. */
export function foreignCount(events: Iterable<Event>, nodes: KnownNodes): number {
  return [...events].filter((event) => nodeOf(event, nodes).kind === 'foreign').length;
}

/** Returns the marks, oldest first, limited to the newest; without nodes of other workcells. */
export function marksOf(events: Iterable<Event>, nodes: KnownNodes, at: ReadStamp): readonly Mark[] {
  const marks = [...events].flatMap((event): Mark[] => {
    const { event_data: data, event_type: eventType, log_level: level, _id: id } = event;
    const node = nodeOf(event, nodes);
    if (node.kind === 'foreign') return [];
    const message = messageOf(event);
    const recorded = readRecordedCommand(event);
    const kind =
      recorded === null
        ? kindOf((isObject(data) ? textOf(data['event_type']) : '') || eventType, message)
        : commandKind(recorded.record);
    const time = timeOf(event, at);
    if (kind === null || time === null) return [];
    const error = isObject(data) && isObject(data['error']) ? textOf(data['error']['message']) : '';
    const text = error === '' ? message : `${message}: ${error}`;
    const name = node.kind === 'own' ? node.name : null;
    return [{ id, at: time, node: name, kind: kind[0], level, look: kind[1], text }];
  });
  return dropRepeatedMarks(marks.toSorted((a, b) => a.at - b.at)).slice(0 - maxMarks);
}

/** Keeps only the first mark of a continuous disconnection of a node. */
function dropRepeatedMarks(marks: readonly Mark[]): readonly Mark[] {
  const last = new Map<string | null, number>();
  return marks.filter(({ kind, node, at }) => {
    if (kind !== 'gone') return true;
    const before = last.get(node) ?? -Infinity;
    last.set(node, at);
    return at - before > sameAbsence;
  });
}
