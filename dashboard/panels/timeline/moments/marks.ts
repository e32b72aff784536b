/**
 * What was said of nodes at one moment: stops, commands, errors, starts. Pure.
 * MADSci 0.8.1 writes that a node was locked or unlocked, started, met an exception or couldn't be reached. A pause, a reset and a
 * safety stop are only told where the node's own module writes them.
 */
import { isObject } from '../../../../api/client/wire.ts';
import { recordedIn, stopCommands, type CommandRecord } from '../../../../api/commandRecord.ts';
import type { Event } from '../../../../api/managers/event.ts';
import type { Nodes } from '../../../../api/managers/workcell.ts';
import { nodeLooks, type StateLook } from '../../../../api/states.ts';
import type { Range } from '../../../components/time/timeAxis.ts';
import type { ReadStamp } from '../../../../api/time.ts';
import { messageOf, textOf, timeOf } from '../../../managers/event/eventText.ts';
import { pollingSchedule } from '../../../managers/transport/poll/pollingSchedule.ts';

export type MarkKind = 'stop' | 'error' | 'gone' | 'command' | 'start';

export interface Mark {
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
  /** The node's name; `null` where the event names none that is known: it is of the whole lab. */
  readonly node: string | null;
  readonly kind: MarkKind;
  readonly look: StateLook;
  readonly words: string;
}

/** Written twice a minute while a node is away: that it is asked again, and that it still can't be reached. */
const asksAgain = 'Retrying connection to disconnected nodes';
const stillAway = 'Node status update failed; marking disconnected';
/** In a longer span the second would be most of the answer, in ms. */
const longSpan = 26 * 3_600_000;
/** What happened is in the log by then, in ms. */
const written = 10 * 60_000;
/** Closer ones of one node are one, in ms. */
const sameAbsence = 5 * 60_000;
/** More nobody tells apart, in a span. */
export const mostMarks = 2000;

/** What the event manager is asked for: only what is drawn, as both its stores can search. */
export function marksSelector(
  { from, to }: Range,
  time: { readonly queryStart: (at: number) => string; readonly queryEnd: (at: number) => string },
): Readonly<Record<string, unknown>> {
  const ofType = (type: string) => [{ event_type: type }, { 'event_data.event_type': type }];
  const left = to - from > longSpan ? [asksAgain, stillAway] : [asksAgain];
  const excluded = left.map((message) => ({ 'event_data.message': { $ne: message } }));
  return {
    event_timestamp: { $gte: time.queryStart(from), $lte: time.queryEnd(to) },
    $or: [
      ...['node_error', 'node_start', 'node_stop'].flatMap(ofType),
      { $and: [{ $or: ofType('node_status_update') }, ...excluded] },
    ],
  };
}

/**
 * How often the marks of a span are read, in ms; `null`: once, for nothing comes any more. Of a long one each reading is big.
 * @param sure whether the manager's clock is known: until then it is learnt from what is new since the last reading
 */
export function marksInterval({ from, to }: Range, now: number, sure: boolean): number | null {
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

const commandLooks: Readonly<Record<string, StateLook>> = {
  lock: nodeLooks.locked,
  pause: nodeLooks.paused,
  shut_down: nodeLooks.disconnected,
};

/** A recorded command to a node or to all; what belongs to a stop that is drawn already has no mark of its own. */
function commandKind({ command, target, result }: CommandRecord): readonly [MarkKind, StateLook] | null {
  if (command === stopCommands.stop && target.kind === 'lab') return ['stop', nodeLooks.stopped];
  if (command === stopCommands.result || command === stopCommands.acknowledge) return null;
  if (target.kind !== 'node' && target.kind !== 'lab') return null;
  return [
    'command',
    result === 'failed' || result === 'unclear' ? nodeLooks.notReady : (commandLooks[command] ?? nodeLooks.ready),
  ];
}

/** The name of the node that an event is about: nodes write their IDs, the workcell manager their names. */
function nodeOf({ source, event_data: data }: Event, names: ReadonlyMap<string, string>): string | null {
  const said = isObject(data) ? data : {};
  const info = isObject(said['node_info']) ? said['node_info'] : {};
  const name = textOf(said['node_name']) || textOf(info['node_name']);
  if (name !== '') return name;
  return names.get(textOf(said['node_id'])) ?? names.get(textOf(source.node_id)) ?? null;
}

export function nodeNames(nodes: Nodes): ReadonlyMap<string, string> {
  return new Map(Object.entries(nodes).flatMap(([name, { info }]) => (info?.node_id ? [[info.node_id, name]] : [])));
}

/** Oldest first, the newest so many. */
export function marksOf(events: Iterable<Event>, names: ReadonlyMap<string, string>, at: ReadStamp): readonly Mark[] {
  const marks = [...events].flatMap((event): Mark[] => {
    const { event_data: data, event_type: stored, _id: id } = event;
    const message = messageOf(event);
    const recorded = recordedIn(event);
    const kind =
      recorded === null
        ? kindOf((isObject(data) ? textOf(data['event_type']) : '') || stored, message)
        : commandKind(recorded.record);
    const time = timeOf(event, at);
    if (kind === null || time === null) return [];
    const error = isObject(data) && isObject(data['error']) ? textOf(data['error']['message']) : '';
    const words = error === '' ? message : `${message}: ${error}`;
    return [{ id, at: time, node: nodeOf(event, names), kind: kind[0], look: kind[1], words }];
  });
  return withoutRepeats(marks.toSorted((a, b) => a.at - b.at)).slice(0 - mostMarks);
}

/** Of a node that stays away the first time. */
function withoutRepeats(marks: readonly Mark[]): readonly Mark[] {
  const last = new Map<string | null, number>();
  return marks.filter(({ kind, node, at }) => {
    if (kind !== 'gone') return true;
    const before = last.get(node) ?? -Infinity;
    last.set(node, at);
    return at - before > sameAbsence;
  });
}
