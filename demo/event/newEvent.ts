/** Makes the events that are stored: from what is sent, and from log lines. */
import { eventType, logLevels, type Event, type NewEvent } from '../../api/managers/event.ts';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import type { DemoClock } from '../base/clock.ts';
import { sentId, type LogEntry } from '../base/parts.ts';
import type { Random } from '../base/random.ts';
import { readOwnership, readTime, unprocessable } from '../base/reading.ts';
import { levelNumber } from './store.ts';

export interface EventParts {
  readonly clock: DemoClock;
  readonly random: Random;
  readonly ownership: OwnershipInfo;
}

function readLevel(level: number | string | undefined): number {
  if (level === undefined) return logLevels.info;
  const number = levelNumber(level);
  if (number !== undefined) return number;
  throw unprocessable(['body', 'log_level'], 'Input should be 0, 10, 20, 30, 40 or 50');
}

function readType(type: string | undefined): string {
  if (type === undefined) return 'unknown';
  const lower = type.toLowerCase();
  if (eventType.words.some((word) => word === lower)) return lower;
  throw unprocessable(['body', 'event_type'], 'Input should be a known event type');
}

/** What the manager stores of an event that was sent: everything that is missing filled in, the keys in its order. */
export function readEvent(sent: NewEvent, parts: EventParts): Event {
  const { clock, random, ownership } = parts;
  return {
    _id: sentId(sent, sent.event_id) ?? random.ulid(),
    event_type: readType(sent.event_type),
    log_level: readLevel(sent.log_level),
    alert: sent.alert ?? false,
    event_timestamp: readTime(sent.event_timestamp, ['body', 'event_timestamp']) ?? clock.naive(),
    source: sent.source === undefined ? ownership : readOwnership(sent.source, ['body', 'source']),
    event_data: sent.event_data === undefined ? {} : sent.event_data,
    trace_id: typeof sent['trace_id'] === 'string' ? sent['trace_id'] : null,
    span_id: typeof sent['span_id'] === 'string' ? sent['span_id'] : null,
    archived: false,
    archived_at: null,
  };
}

const lineType = (level: LogEntry['level']) => (level === 'notset' ? 'log' : `log_${level}`);

/** The event of a log line: of type `log_…`, with what happened inside; or the bare event. */
export function logEvent(entry: LogEntry, id: string, timestamp: string): Event {
  return {
    _id: id,
    event_type: entry.bare === true ? entry.eventType : lineType(entry.level),
    log_level: logLevels[entry.level],
    alert: false,
    event_timestamp: timestamp,
    source: entry.source,
    event_data:
      entry.bare === true
        ? { ...entry.data }
        : {
            message: entry.message,
            component_name: entry.component,
            component_type: entry.component,
            event_type: entry.eventType,
            ...entry.data,
          },
    trace_id: null,
    span_id: null,
    archived: false,
    archived_at: null,
  };
}
