/** The text of an event, and times in its manager's format. */
import { commandSource, noteCommand } from '#api/commandRecord.ts';
import { isObject } from '#api/client/wire.ts';
import type { Event } from '#api/managers/event.ts';
import type { ReadStamp } from '#api/time/time.ts';

/** Anything but a string is empty. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const dayMs = 86_400_000;

/**
 * Returns when an event happened, in ms since the epoch. Its ID determines the time zone of its host, except for commands
 * that this product records: their ID and their time may come from two clocks.
 */
export function parseEventTime(
  event: Pick<Event, '_id' | 'event_timestamp' | 'event_data'>,
  parseStamp: ReadStamp,
): number | null {
  const { _id: id, event_timestamp: stamp } = event;
  return parseStamp(stamp, isRecordedCommand(event) ? undefined : id);
}

/** Returns whether the event is in the form of a command that this product records. Any program can write this form. */
export function isRecordedCommand({ event_data: data }: Pick<Event, 'event_data'>): boolean {
  return isObject(data) && data['component_name'] === commandSource;
}

export function eventMessage({ event_data: data, event_type: type }: Pick<Event, 'event_data' | 'event_type'>): string {
  if (typeof data === 'string') return data;
  if (!isObject(data)) return '(no message)';
  const text = asText(data['message']) || asText(data['event_type']) || type;
  const action = asText(data['step_action']) || asText(data['action_name']);
  return action === '' ? text : `${text}: ${action}`;
}

/** Returns whether a user added the event as a note. A note can be about a time long before its own. */
export function isNote({ event_data: data }: Pick<Event, 'event_data'>): boolean {
  return isObject(data) && data['command'] === noteCommand;
}

/** Returns the type that the sender gave the event, or else the type of the log record. */
export function eventType({ event_data: data, event_type: type }: Pick<Event, 'event_data' | 'event_type'>): string {
  return (isObject(data) ? asText(data['event_type']) : '') || type;
}

/** Sorts newest first; the stamps are compared as text, as in the manager. */
export function compareNewestFirst({ event_timestamp: a }: Event, { event_timestamp: b }: Event): number {
  return a < b ? 1 : a > b ? -1 : 0;
}
