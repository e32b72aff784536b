/**
 * The schema of an event, without the event manager's endpoints: nodes return events too. Source: MADSci 0.8.1, event
 * manager; 0.7 is the same on the wire.
 */
import * as z from 'zod/mini';
import { id, isObject, managerTime, openEnum, ownershipInfo, jsonNumber } from '../client/wire.ts';

/** The levels with their numeric values. */
export const logLevels = { notset: 0, debug: 10, info: 20, warning: 30, error: 40, critical: 50 } as const;
export type LogLevelName = keyof typeof logLevels;

/** In practice most records are `log_*`, with the actual type in `event_data.event_type`. */
export const eventType = openEnum([
  'unknown',
  'log',
  'log_debug',
  'log_info',
  'log_warning',
  'log_error',
  'log_critical',
  'test',
  'lab_create',
  'lab_start',
  'lab_stop',
  'node_create',
  'node_start',
  'node_stop',
  'node_config_update',
  'node_status_update',
  'node_error',
  'workcell_create',
  'workcell_start',
  'workcell_stop',
  'workcell_config_update',
  'workcell_status_update',
  'workflow_create',
  'workflow_start',
  'workflow_complete',
  'workflow_abort',
  'experiment_create',
  'experiment_start',
  'experiment_complete',
  'experiment_failed',
  'experiment_cancelled',
  'experiment_pause',
  'experiment_continued',
  'campaign_create',
  'campaign_start',
  'campaign_complete',
  'campaign_abort',
  'action_status_change',
  'resource_create',
  'resource_update',
  'resource_delete',
  'resource_allocate',
  'resource_release',
  'location_create',
  'location_update',
  'location_delete',
  'attachment_create',
  'attachment_delete',
  'data_store',
  'data_query',
  'data_export',
  'manager_start',
  'manager_stop',
  'manager_error',
  'manager_health_check',
  'workflow_step_start',
  'workflow_step_complete',
  'workflow_step_failed',
  'action_start',
  'action_complete',
  'action_failed',
  'backup_create',
  'backup_restore',
]);
export type EventType = z.infer<typeof eventType>;

/** An event as stored. `event_data` is an object with `message` for log records, or any other JSON value. */
export const event = z.looseObject({
  _id: id,
  event_type: eventType,
  log_level: jsonNumber,
  alert: z.optional(z.boolean()),
  event_timestamp: managerTime,
  source: ownershipInfo,
  event_data: z.unknown(),
  trace_id: z.nullish(z.string()),
  span_id: z.nullish(z.string()),
  archived: z.optional(z.boolean()),
  archived_at: z.nullish(managerTime),
});
export type Event = z.infer<typeof event>;

/** An event to store: all fields are optional, and the manager adds missing ones. */
export const newEvent = z.looseObject({
  _id: z.optional(id),
  event_id: z.optional(id),
  event_type: z.optional(eventType),
  log_level: z.optional(z.union([jsonNumber, z.string()])),
  alert: z.optional(z.boolean()),
  event_timestamp: z.optional(managerTime),
  source: z.optional(ownershipInfo),
  event_data: z.optional(z.unknown()),
});
export type NewEvent = z.infer<typeof newEvent>;

/** Events by ID; the keys are in the order of the response. */
export const events = z.record(z.string(), event);
export type Events = z.infer<typeof events>;

/** The fields of `event_data` that name an event's component; the first one with a text counts. */
export const componentFields = ['component_name', 'node_name', 'logger'] as const;

/** The name of an event's component, as lists show it; empty if it has none. */
export function readComponent(data: unknown): string {
  if (!isObject(data)) return '';
  return (
    componentFields
      .map((field) => data[field])
      .find((name): name is string => typeof name === 'string' && name !== '') ?? ''
  );
}
