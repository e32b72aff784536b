/**
 * Logged moments of nodes: stops, commands, errors, starts. MADSci 0.8.1 logs that a node was locked, unlocked,
 * started, raised an exception or was unreachable; a pause, a reset or a safety stop only if the node's module logs it.
 */
import type { TimeRange } from '#dashboard/base/time.ts';
import { isObject } from '#api/client/wire.ts';
import {
  toCommandName,
  commandSource,
  maintenanceCommands,
  noteCommand,
  readRecordedCommand,
  stopCommands,
  type CommandRecord,
} from '#api/commandRecord.ts';
import type { Event } from '#api/managers/event.ts';
import { nodeAppearances, outcomeAppearances, type StateAppearance } from '#api/states.ts';
import type { ReadStamp } from '#api/time/time.ts';
import { eventMessage, asText, parseEventTime } from '#dashboard/managers/event/eventText.ts';
import type { Nodes } from '#api/managers/workcell.ts';
import { nodeCommandTable, type NodeCommandRecord } from '#dashboard/managers/guards/nodeCommandTable.ts';
import { nodeNamesById } from '#dashboard/managers/workcell/nodeState.ts';
import { pollingSchedule } from '#dashboard/managers/transport/poll/pollingSchedule.ts';

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
  readonly appearance: StateAppearance;
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
const stillDisconnectedMessage = 'Node status update failed; marking disconnected';
/** In a longer span, in ms, most of the response would be the second message. */
const longSpanMs = 26 * 3_600_000;
/** Maximum delay of a log entry, in ms. */
const maxLogDelayMs = 10 * 60_000;
/** Disconnections of one node closer than this, in ms, are shown as one. */
const sameAbsenceMs = 5 * 60_000;
/** Maximum number of marks in a span; more are not distinguishable. */
export const maxMarks = 2000;

/** Returns the query for the event manager: only drawn events, and only conditions that both of its databases support. */
export function createMarksQuery(
  { from, to }: TimeRange,
  time: { readonly queryStart: (at: number) => string; readonly queryEnd: (at: number) => string },
): Readonly<Record<string, unknown>> {
  const matchType = (type: string) => [{ event_type: type }, { 'event_data.event_type': type }];
  const repeatedMessages = to - from > longSpanMs ? [reconnectMessage, stillDisconnectedMessage] : [reconnectMessage];
  const excluded = repeatedMessages.map((message) => ({ 'event_data.message': { $ne: message } }));
  return {
    event_timestamp: { $gte: time.queryStart(from), $lte: time.queryEnd(to) },
    $or: [
      ...['node_error', 'node_start', 'node_stop'].flatMap(matchType),
      { $and: [{ $or: matchType('node_status_update') }, ...excluded] },
      { 'event_data.component_name': commandSource },
    ],
  };
}

/**
 * Returns the interval for reading the marks of a span in ms; `null`: read once, because no more follow. The interval is
 * longer for long spans, whose responses are large.
 * @param isClockKnown whether the clock of the manager is known; until then it is derived from new events
 */
export function marksInterval({ from, to }: TimeRange, now: number, isClockKnown: boolean): number | null {
  if (isClockKnown && to < now - maxLogDelayMs) return null;
  if (to - from <= longSpanMs) return pollingSchedule.nodeEvents;
  return isClockKnown ? pollingSchedule.archiveFurtherBack : 2 * pollingSchedule.nodeEvents;
}

const messagePatterns: readonly (readonly [RegExp, MarkKind, StateAppearance])[] = [
  [/safety[ _-]?stop|emergency[ _-]?stop/i, 'stop', nodeAppearances.stopped],
  [/\bunlocked\b/i, 'command', nodeAppearances.ready],
  [/\blocked\b/i, 'command', nodeAppearances.locked],
  [/\bpaused\b/i, 'command', nodeAppearances.paused],
  [/\b(?:resumed|reset)\b/i, 'command', nodeAppearances.ready],
  [/disconnected|update failed/i, 'gone', nodeAppearances.disconnected],
];

function classifyEvent(type: string, message: string): readonly [MarkKind, StateAppearance] | null {
  const match = messagePatterns.find(([pattern]) => pattern.test(message));
  if (match !== undefined) return [match[1], match[2]];
  if (type === 'node_error') return ['error', nodeAppearances.errored];
  if (type === 'node_start') return ['start', nodeAppearances.initializing];
  return type === 'node_stop' ? ['gone', nodeAppearances.disconnected] : null;
}

/** Commands that leave a node not ready, by their names in the audit log. */
const commandAppearances: Readonly<Record<string, StateAppearance>> = Object.fromEntries(
  Object.values<NodeCommandRecord>(nodeCommandTable).flatMap(({ verb, stateAfter }) =>
    stateAfter === undefined ? [] : [[toCommandName(verb), nodeAppearances[stateAfter]]],
  ),
);

/** Returns the kind of a logged command; `null` for notes and for parts of a safety stop that is already drawn. */
function classifyCommand({ command, target, result }: CommandRecord): readonly [MarkKind, StateAppearance] | null {
  if (command === stopCommands.stop && target.kind === 'lab') return ['stop', nodeAppearances.stopped];
  if (command === stopCommands.result || command === stopCommands.acknowledge || command === noteCommand) return null;
  const isUnconfirmed = result === 'failed' || result === 'unclear';
  // For nodes the mark shows the resulting node state, for other targets the result of the command.
  const concernsNodes =
    (target.kind === 'node' || target.kind === 'lab') && !command.startsWith(maintenanceCommands.begin);
  if (!concernsNodes) return ['command', outcomeAppearances[result === 'sent' ? 'running' : result]];
  return ['command', isUnconfirmed ? nodeAppearances.notReady : (commandAppearances[command] ?? nodeAppearances.ready)];
}

/** The node of an event: a node of this workcell, none, or one of another workcell. */
type EventNode =
  { readonly kind: 'local'; readonly name: string } | { readonly kind: 'none' } | { readonly kind: 'foreign' };

/**
 * Nodes log their IDs, the workcell manager logs their names. Two workcells may have nodes with the same name, so the ID
 * has precedence.
 */
function findEventNode({ source, event_data: data }: Event, { byId, manager }: KnownNodes): EventNode {
  const fields = isObject(data) ? data : {};
  const info = isObject(fields['node_info']) ? fields['node_info'] : {};
  const name = asText(fields['node_name']) || asText(info['node_name']);
  const id = asText(fields['node_id']) || asText(info['node_id']) || asText(source.node_id);
  const nodeName = byId.get(id);
  if (nodeName !== undefined) return { kind: 'local', name: nodeName };
  if (name === '') return { kind: id === '' ? 'none' : 'foreign' };
  const hasOtherId = id !== '' && [...byId.values()].includes(name);
  const loggingManager = fields['component_name'] === 'WorkcellManager' ? asText(source['manager_id']) : '';
  const isOfOtherWorkcell = loggingManager !== '' && manager !== null && loggingManager !== manager;
  return hasOtherId || isOfOtherWorkcell ? { kind: 'foreign' } : { kind: 'local', name };
}

export function createKnownNodes(nodes: Nodes, manager: string | null): KnownNodes {
  return { byId: nodeNamesById(nodes), manager };
}

/** Returns the number of events about nodes of other workcells, which belong to no lane. */
export function countForeignEvents(events: Iterable<Event>, nodes: KnownNodes): number {
  return [...events].filter((event) => findEventNode(event, nodes).kind === 'foreign').length;
}

/** Returns the marks, oldest first, limited to the newest; without nodes of other workcells. */
export function createMarks(events: Iterable<Event>, nodes: KnownNodes, parseStamp: ReadStamp): readonly Mark[] {
  const marks = [...events].flatMap((event): Mark[] => {
    const { event_data: data, event_type: eventType, log_level: level, _id: id } = event;
    const node = findEventNode(event, nodes);
    if (node.kind === 'foreign') return [];
    const message = eventMessage(event);
    const recordedCommand = readRecordedCommand(event);
    const kind =
      recordedCommand === null
        ? classifyEvent((isObject(data) ? asText(data['event_type']) : '') || eventType, message)
        : classifyCommand(recordedCommand.record);
    const time = parseEventTime(event, parseStamp);
    if (kind === null || time === null) return [];
    const error = isObject(data) && isObject(data['error']) ? asText(data['error']['message']) : '';
    const text = error === '' ? message : `${message}: ${error}`;
    const name = node.kind === 'local' ? node.name : null;
    return [{ id, at: time, node: name, kind: kind[0], level, appearance: kind[1], text }];
  });
  return dropRepeatedMarks(marks.toSorted((a, b) => a.at - b.at)).slice(0 - maxMarks);
}

/** Keeps only the first mark of a continuous disconnection of a node. */
function dropRepeatedMarks(marks: readonly Mark[]): readonly Mark[] {
  const last = new Map<string | null, number>();
  return marks.filter(({ kind, node, at }) => {
    if (kind !== 'gone') return true;
    const previous = last.get(node) ?? -Infinity;
    last.set(node, at);
    return at - previous > sameAbsenceMs;
  });
}
