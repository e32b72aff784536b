/** The endpoints of the event manager. */
import * as z from 'zod/mini';
import type { Api } from '../../api/client/endpoint.ts';
import { eventApi, newEvent } from '../../api/managers/event.ts';
import { Bytes, Refusal } from '../base/handling.ts';
import { queryBoolean } from '../http/validation.ts';
import { byId, type ManagerHandlers } from '../base/parts.ts';
import { isoTime, readBody, readInt, readTime, unprocessable } from '../base/reading.ts';
import { readEvent, type EventParts } from './newEvent.ts';
import { levelNumber, type EventStore, type Page } from './store.ts';
import { userCsv, userReport } from './userReport.ts';
import { brokenReport, missingPeriod, periodReport } from './utilization.ts';

const { endpoints } = eventApi;

/** The table of `api/`, and what else the real manager takes. */
export const servedEventApi = {
  server: 'event',
  endpoints: {
    ...endpoints,
    /** Any JSON goes to the store, which fails at what is no selector: a bare 500, not a 422. */
    queryEvents: { ...endpoints.queryEvents, body: { type: 'json', schema: z.unknown() } },
    getUserReport: {
      ...endpoints.getUserReport,
      query: z.extend(endpoints.getUserReport.query, { csv_format: z.optional(z.boolean()) }),
    },
  },
} as const satisfies Api;

const readPage = (query: URLSearchParams): Page => ({
  number: readInt(query, 'number', 100),
  offset: readInt(query, 'offset', 0),
});

function readLevel(query: URLSearchParams): number {
  const text = query.get('level');
  if (text === null) return 0;
  if (/^-?\d+$/.test(text)) return Number(text);
  const number = levelNumber(text);
  if (number !== undefined) return number;
  const msg = 'Input should be a valid integer, unable to parse string as an integer';
  throw unprocessable(['query', 'level', 'int'], msg);
}

function report(store: EventStore, parts: EventParts, query: URLSearchParams): unknown {
  const [start, end] = [query.get('start_time'), query.get('end_time')];
  if (!start || !end) return missingPeriod;
  return periodReport(store.query({ 'event_data.component_name': 'ExperimentManager' }), {
    start,
    end,
    analysisType: query.get('analysis_type') ?? 'daily',
    timezone: query.get('user_timezone') ?? 'America/Chicago',
    withUsers: queryBoolean(query, 'include_users', true),
    generatedAt: parts.clock.zoned().replace('Z', '+00:00'),
  });
}

/** Where a time can't be read: the report says so in these words, with status 200. */
function wrongTime(query: URLSearchParams): object | null {
  const wrong = [query.get('start_time'), query.get('end_time')].find((text) => text && isoTime(text) === undefined);
  return wrong ? { error: `Failed to generate report: Invalid isoformat string: '${wrong}'` } : null;
}

function users(store: EventStore, parts: EventParts, query: URLSearchParams): unknown {
  const wrong = wrongTime(query);
  if (wrong !== null) return wrong;
  if (store.total === 0 && !query.get('start_time') && !query.get('end_time')) return brokenReport;
  const body = userReport(store.list({ number: 0, offset: 0, level: 0, withArchived: true }), {
    start: query.get('start_time'),
    end: query.get('end_time'),
    generatedAt: parts.clock.zoned().replace('Z', '+00:00'),
  });
  if (!queryBoolean(query, 'csv_format', false)) return body;
  return new Bytes(new TextEncoder().encode(userCsv(body)), 'text/csv; charset=utf-8', {
    'Content-Disposition': 'attachment; filename=user_utilization_report.csv',
  });
}

export function eventHandlers(store: EventStore, parts: EventParts): ManagerHandlers<typeof servedEventApi> {
  const archiveBody = servedEventApi.endpoints.archiveEvents.body.schema;
  return {
    addEvent({ body }) {
      const event = readEvent(readBody(newEvent, body), parts);
      store.add(event);
      return event;
    },
    getEvent({ params: { event_id: id = '' } }) {
      const event = store.get(id);
      if (event === undefined) throw new Refusal(404, `Event with ID ${id} not found`);
      return event;
    },
    getEvents: ({ query }) =>
      byId(
        store.list({
          ...readPage(query),
          level: readLevel(query),
          start: readTime(query.get('start_time'), ['query', 'start_time']),
          end: readTime(query.get('end_time'), ['query', 'end_time']),
          withArchived: queryBoolean(query, 'include_archived', false),
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
      const days = readInt(query, 'older_than_days', 365);
      const deleted = store.deleteArchived(days);
      const message = `Permanently deleted ${deleted} archived events older than ${days} days`;
      return { deleted_count: deleted, message };
    },
    createBackup() {
      const why = 'mongodump command not found. Please ensure MongoDB tools are installed.';
      throw new Refusal(500, `Failed to create backup: ${why}`);
    },
    getBackupStatus: () => ({ backup_enabled: false, backup_dir: '.madsci/backups/events', available_backups: [] }),
    getSessionReport: ({ query }) => wrongTime(query) ?? brokenReport,
    getPeriodReport: ({ query }) => report(store, parts, query),
    getUserReport: ({ query }) => users(store, parts, query),
  };
}
