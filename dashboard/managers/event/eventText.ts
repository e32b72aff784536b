/** What an event says, and the times of its manager as it writes them. Pure. */
import type { OffsetMinutes } from '../../../api/time.ts';
import { isObject } from '../../../api/client/wire.ts';
import type { Event, Events } from '../../../api/managers/event.ts';
import type { StampedObject } from '../transport/time/hostClock.ts';
import { eventTexts } from './texts.ts';

/** What isn't a text is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const dayMs = 86_400_000;

/** The moment as a manager's host writes it, to the second: naive, so that it compares as text. */
export function naiveText(at: number, offset: OffsetMinutes): string {
  return new Date(at + offset * 60_000).toISOString().slice(0, 19);
}

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

/** The times that the manager gave its events, for learning its clock. */
export function eventStamps(events: Events): readonly StampedObject[] {
  return Object.entries(events).map(([id, { event_timestamp: stamp }]) => ({ id, stamp }));
}

/** Newest first, as the manager compares times: by their text. */
export function newestFirst({ event_timestamp: a }: Event, { event_timestamp: b }: Event): number {
  return a < b ? 1 : a > b ? -1 : 0;
}
