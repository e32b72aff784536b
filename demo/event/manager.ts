/** The event manager of the demo lab and its endpoints. */
import { eventApi, newEvent } from '../../api/managers/event.ts';
import { naiveText } from '../base/clock.ts';
import { ErrorResponse } from '../base/handlers.ts';
import {
  byId,
  commonSettings,
  healthy,
  identity,
  type DemoManager,
  type LogEntry,
  type LogSink,
  type ManagerHandlers,
  type ManagerParts,
} from '../base/demoManager.ts';
import { readBody, readBoolean, readNumber, readTime, unprocessable } from '../base/parseRequest.ts';
import { servedEndpoints, unservedEndpoints } from '../base/unservedEndpoints.ts';
import { levelNumber, logEvent, manyEvents, readEvent, type EventParts } from './records.ts';
import { periodReport, readRange, userReport } from './reports.ts';
import { EventStore, type Page } from './store.ts';

const servedApi = servedEndpoints(eventApi, unservedEndpoints.event);

const readPage = (query: URLSearchParams): Page => ({
  number: readNumber(query, 'number', 100),
  offset: readNumber(query, 'offset', 0),
});

function readLevel(query: URLSearchParams): number {
  const level = levelNumber(query.get('level') ?? 0);
  if (level === undefined) throw unprocessable(['query', 'level'], 'Input should be a valid integer');
  return level;
}

function createHandlers(store: EventStore, parts: EventParts): ManagerHandlers<typeof servedApi> {
  const archiveBody = eventApi.endpoints.archiveEvents.body.schema;
  return {
    addEvent({ body }) {
      const event = readEvent(readBody(newEvent, body), parts);
      store.add(event);
      return event;
    },
    getEvent({ params: { event_id: id = '' } }) {
      const event = store.get(id);
      if (event === undefined) throw new ErrorResponse(404, `Event with ID ${id} not found`);
      return event;
    },
    getEvents: ({ query }) =>
      byId(
        store.list({
          ...readPage(query),
          level: readLevel(query),
          start: readTime(query.get('start_time'), ['query', 'start_time']),
          end: readTime(query.get('end_time'), ['query', 'end_time']),
          withArchived: readBoolean(query, 'include_archived', false),
        }),
      ),
    queryEvents: ({ body }) => byId(store.query(body ?? {})),
    archiveEvents({ body }) {
      const { event_ids: ids, before_date: before } = readBody(archiveBody, body);
      if ((ids ?? []).length === 0 && !before) {
        throw unprocessable(['body'], 'Either event_ids or before_date must be provided');
      }
      const archived = store.archive({ ids: ids ?? [], before: readTime(before, ['body', 'before_date']) });
      return { archived_count: archived, message: `Successfully archived ${archived} events` };
    },
    getArchivedEvents: ({ query }) => byId(store.archived(readPage(query))),
    deleteArchivedEvents({ query }) {
      const days = readNumber(query, 'older_than_days', 365);
      const deleted = store.deleteArchived(days);
      const message = `Permanently deleted ${deleted} archived events older than ${days} days`;
      return { deleted_count: deleted, message };
    },
    getPeriodReport({ query }) {
      const range = readRange(query);
      if ('error' in range) return range;
      const experimentEvents = store.query({ 'event_data.component_name': 'ExperimentManager' });
      return periodReport(experimentEvents, range, query.get('analysis_type') ?? 'daily');
    },
    getUserReport({ query }) {
      const range = readRange(query);
      return 'error' in range ? range : userReport(store.query({}), range);
    },
  };
}

export interface EventManager extends DemoManager<typeof servedApi, EventStore> {
  /** Stores a log line of any component with the current time. */
  readonly log: LogSink;
  /** Stores a log line with an earlier time, in milliseconds. */
  readonly logAt: (ms: number, entry: LogEntry) => void;
  readonly scale: { readonly addEvents: (count: number) => void };
}

/** The event manager has no log sink because it is the sink. */
export function createEventManager(parts: Omit<ManagerParts, 'log'>): EventManager {
  const random = parts.random.stream('event');
  const id = identity(parts, random);
  const { clock } = parts;
  const store = new EventStore(clock);
  const logAt = (ms: number, entry: LogEntry) => store.add(logEvent(entry, random.ulid(ms), naiveText(ms)));
  return {
    api: servedApi,
    handlers: createHandlers(store, { clock, random, ownership: id.ownership }),
    health: () =>
      healthy('Event Manager is running normally', {
        db_connected: true,
        total_events: store.total,
        otel_enabled: null,
        otel_exporter_type: null,
        otel_endpoint: null,
      }),
    settings: () => commonSettings('Demo Event Manager', 'event_manager', 8001, id),
    store,
    log: (entry) => logAt(entry.at ?? clock.now(), entry),
    logAt,
    scale: { addEvents: (count) => store.addAll(manyEvents(count, random, clock.now())) },
  };
}
