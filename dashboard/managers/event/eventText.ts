/** What an event says, and the times of its manager as it writes them. Pure. */
import { isObject } from '../../../api/client/wire.ts';
import type { Event } from '../../../api/managers/event.ts';
import { eventTexts } from './texts.ts';

/** What isn't a text is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const dayMs = 86_400_000;

export function messageOf({ event_data: data, event_type: type }: Pick<Event, 'event_data' | 'event_type'>): string {
  if (typeof data === 'string') return data;
  if (!isObject(data)) return eventTexts.noText;
  const words = textOf(data['message']) || textOf(data['event_type']) || type;
  const about = textOf(data['step_action']) || textOf(data['action_name']);
  return about === '' ? words : `${words}: ${about}`;
}

/** What happened, where the record says so beside its being a log line. */
export function typeOf({ event_data: data, event_type: type }: Pick<Event, 'event_data' | 'event_type'>): string {
  return (isObject(data) ? textOf(data['event_type']) : '') || type;
}

/** Newest first, as the manager compares times: by their text. */
export function newestFirst({ event_timestamp: a }: Event, { event_timestamp: b }: Event): number {
  return a < b ? 1 : a > b ? -1 : 0;
}
