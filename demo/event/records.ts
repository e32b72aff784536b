/** Creates events: from requests, from log lines, and in bulk for a lab of any size. */
import { eventType, logLevels, type Event, type NewEvent } from '../../api/managers/event.ts';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { naiveText, type DemoClock } from '../base/clock.ts';
import { requestedId, type LogEntry } from '../base/demoManager.ts';
import type { Random } from '../base/random.ts';
import { readOwnership, readTime, unprocessable } from '../base/parseRequest.ts';

export interface EventParts {
  readonly clock: DemoClock;
  readonly random: Random;
  readonly ownership: OwnershipInfo;
}

/** Returns the number of a level given as number or name, in any case; undefined for an invalid one. */
export function levelNumber(level: number | string): number | undefined {
  const name = String(level).toLowerCase();
  return Object.entries(logLevels).find(([known, number]) => known === name || String(number) === name)?.[1];
}

/** Returns the event that is stored for a received one. */
export function readEvent(received: NewEvent, { clock, random, ownership }: EventParts): Event {
  const type = (received.event_type ?? 'unknown').toLowerCase();
  if (!eventType.values.some((word) => word === type)) {
    throw unprocessable(['body', 'event_type'], 'Input should be a known event type');
  }
  const level = levelNumber(received.log_level ?? 'info');
  if (level === undefined) throw unprocessable(['body', 'log_level'], 'Input should be 0, 10, 20, 30, 40 or 50');
  return {
    _id: requestedId(received, received.event_id) ?? random.ulid(),
    event_type: type,
    log_level: level,
    alert: received.alert ?? false,
    event_timestamp: readTime(received.event_timestamp, ['body', 'event_timestamp']) ?? clock.naive(),
    source: received.source === undefined ? ownership : readOwnership(received.source),
    event_data: received.event_data === undefined ? {} : received.event_data,
    trace_id: typeof received['trace_id'] === 'string' ? received['trace_id'] : null,
    span_id: typeof received['span_id'] === 'string' ? received['span_id'] : null,
    archived: false,
    archived_at: null,
  };
}

/** Returns the event of a log line: of type `log_…` with the details inside, or the bare event. */
export function logEvent(entry: LogEntry, id: string, timestamp: string): Event {
  const { level, message, component, eventType: type, source, data } = entry;
  const isBare = entry.bare === true;
  const line = { message, component_name: component, component_type: component, event_type: type, ...data };
  return {
    _id: id,
    event_type: isBare ? type : `log_${level}`,
    log_level: logLevels[level],
    alert: false,
    event_timestamp: timestamp,
    source,
    event_data: isBare ? { ...data } : line,
    trace_id: null,
    span_id: null,
    archived: false,
    archived_at: null,
  };
}

const nodes = ['liquidhandler_1', 'liquidhandler_2', 'robotarm_1', 'platereader_1', 'advanced_node'] as const;

const lines = [
  { level: 'info', message: 'Action started', eventType: 'action_start' },
  { level: 'info', message: 'Action completed', eventType: 'action_complete' },
  { level: 'debug', message: 'Status updated', eventType: 'node_status_update' },
  { level: 'warning', message: 'Retrying a request', eventType: 'node_status_update' },
  { level: 'error', message: 'Action failed', eventType: 'action_failed' },
] as const;

/** Generates log lines of nodes, one every ten seconds up to the given time; sources and texts are shared. */
export function* manyEvents(count: number, random: Random, until: number): Iterable<Event> {
  const sources = nodes.map((): OwnershipInfo => ({ node_id: random.ulid() }));
  for (let index = count; index > 0; index--) {
    const ms = until - index * 10_000;
    const node = random.int(0, nodes.length - 1);
    const line = random.chance(0.97) ? lines[index % 3] : lines[3 + (index % 2)];
    const origin = { component: nodes[node] ?? 'node', source: sources[node] ?? {} };
    yield logEvent({ ...(line ?? lines[0]), ...origin }, random.ulid(ms), naiveText(ms));
  }
}
