/**
 * The event manager's contract (port 8001): events, their archive, backups and utilization reports.
 * Source: MADSci 0.8.1, event manager; 0.7 is the same on the wire.
 */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';
import { healthEndpoint, serviceHealth, settingsEndpoint } from '../lab/service.ts';
import { id, jsonObject, managerTime, openEnum, selector, jsonInteger, jsonNumber } from '../client/wire.ts';
import { event, events, newEvent } from './eventRecord.ts';

export {
  event,
  eventType,
  events,
  logLevels,
  newEvent,
  type Event,
  type EventType,
  type Events,
  type LogLevelName,
  type NewEvent,
} from './eventRecord.ts';

export const eventHealth = z.extend(serviceHealth, {
  db_connected: z.nullish(z.boolean()),
  total_events: z.nullish(jsonInteger),
  otel_enabled: z.nullish(z.boolean()),
  otel_exporter_type: z.nullish(z.string()),
  otel_endpoint: z.nullish(z.string()),
});

/** An entry of `GET /backup/status`; the size is in bytes. */
const backup = z.looseObject({
  path: z.string(),
  created_at: z.nullish(managerTime),
  size_bytes: z.nullish(jsonNumber),
  is_valid: z.nullish(z.boolean()),
});

const page = { number: z.optional(jsonInteger), offset: z.optional(jsonInteger) };
const reportPeriod = {
  start_time: z.nullish(managerTime),
  end_time: z.nullish(managerTime),
};
/** Reports are refused with status 200. */
const reportRefusal = z.looseObject({ error: z.string() });

export const eventApi = {
  server: 'event',
  endpoints: {
    health: healthEndpoint(eventHealth),
    settings: settingsEndpoint,
    addEvent: {
      purpose: 'store the event',
      method: 'POST',
      path: '/event',
      body: { type: 'json', schema: newEvent },
      response: event,
    },
    getEvent: {
      purpose: 'read the event',
      method: 'GET',
      path: '/event/{event_id}',
      response: event,
      errors: { 404: 'Event with ID {event_id} not found' },
    },
    /**
     * Newest first, by comparison of `event_timestamp` as text: `start_time` and `end_time` must be naive local time of
     * the manager's host (`formatManagerTime`). `level` is the lowest one returned; `number` 0 means all.
     */
    getEvents: {
      purpose: 'read the events',
      method: 'GET',
      path: '/events',
      query: z.object({
        ...page,
        level: z.optional(z.union([jsonInteger, z.string()])),
        start_time: z.nullish(managerTime),
        end_time: z.nullish(managerTime),
        include_archived: z.optional(z.boolean()),
      }),
      response: events,
      lists: [{ member: '' }],
      timeoutMs: 30_000,
    },
    /** Unlimited, in storage order. */
    queryEvents: {
      purpose: 'search the events',
      method: 'POST',
      path: '/events/query',
      reads: true,
      body: { type: 'json', schema: selector },
      response: events,
      lists: [{ member: '' }],
      timeoutMs: 30_000,
    },
    /** Requires one of `event_ids` and `before_date`. */
    archiveEvents: {
      purpose: 'archive the events',
      method: 'POST',
      path: '/events/archive',
      body: {
        type: 'json',
        schema: z.object({
          event_ids: z.nullish(z.array(id)),
          before_date: z.nullish(managerTime),
          batch_size: z.nullish(jsonInteger),
        }),
      },
      response: z.looseObject({ archived_count: jsonInteger, message: z.optional(z.string()) }),
      errors: { 422: 'Either event_ids or before_date must be given' },
      timeoutMs: 30_000,
    },
    getArchivedEvents: {
      purpose: 'read the archived events',
      method: 'GET',
      path: '/events/archived',
      query: z.object(page),
      response: events,
      lists: [{ member: '' }],
      timeoutMs: 30_000,
    },
    deleteArchivedEvents: {
      purpose: 'delete the archived events',
      method: 'DELETE',
      path: '/events/archived',
      query: z.object({ older_than_days: z.optional(jsonInteger) }),
      response: z.looseObject({ deleted_count: jsonInteger, message: z.optional(z.string()) }),
    },
    createBackup: {
      purpose: 'back up the events',
      method: 'POST',
      path: '/backup',
      body: { type: 'json', optional: true, schema: z.object({ description: z.nullish(z.string()) }) },
      response: z.looseObject({ backup_path: z.string(), status: z.string() }),
      errors: { 500: 'The tool mongodump is missing' },
      timeoutMs: 300_000,
    },
    getBackupStatus: {
      purpose: 'read the backups',
      method: 'GET',
      path: '/backup/status',
      response: z.looseObject({
        backup_enabled: z.optional(z.boolean()),
        backup_dir: z.nullish(z.string()),
        available_backups: z.array(backup),
      }),
    },
    /** 0.8.1 always refuses this one: `Failed to generate report: …`. */
    getSessionReport: {
      purpose: 'make the session report',
      method: 'GET',
      path: '/utilization/sessions',
      query: z.object(reportPeriod),
      response: jsonObject,
      refusal: reportRefusal,
      timeoutMs: 60_000,
    },
    /**
     * Requires start and end. `analysis_type` is hourly, daily, weekly or monthly; the zone defaults to America/Chicago.
     */
    getPeriodReport: {
      purpose: 'make the utilization report',
      method: 'GET',
      path: '/utilization/periods',
      query: z.object({
        ...reportPeriod,
        analysis_type: z.optional(openEnum(['hourly', 'daily', 'weekly', 'monthly'])),
        user_timezone: z.optional(z.string()),
        include_users: z.optional(z.boolean()),
      }),
      response: jsonObject,
      refusal: reportRefusal,
      timeoutMs: 60_000,
    },
    /**
     * Groups by the authors of the workflows that ended in the period. A local lab, whose events are in memory, refuses
     * it once such a workflow exists: its store cannot compare the times.
     */
    getUserReport: {
      purpose: 'make the user report',
      method: 'GET',
      path: '/utilization/user',
      query: z.object(reportPeriod),
      response: jsonObject,
      refusal: reportRefusal,
      timeoutMs: 60_000,
    },
  },
} as const satisfies Api;
