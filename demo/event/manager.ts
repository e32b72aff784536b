/** The event manager of the demo lab. */
import { naiveText } from '../base/clock.ts';
import {
  commonSettings,
  healthy,
  identity,
  type DemoManager,
  type LogEntry,
  type LogSink,
  type ManagerParts,
} from '../base/parts.ts';
import { eventHandlers, servedEventApi } from './handlers.ts';
import { logEvent } from './newEvent.ts';
import { manyEvents } from './scale.ts';
import { EventStore } from './store.ts';

export interface EventManager extends DemoManager<typeof servedEventApi, EventStore> {
  /** Stores a log line of any component, now. */
  readonly log: LogSink;
  /** Stores a log line as one of an earlier time, in milliseconds. */
  readonly logAt: (ms: number, entry: LogEntry) => void;
  readonly scale: { readonly addEvents: (count: number) => void };
}

/** The event manager needs no sink for its own log lines: it is the sink. */
export function createEventManager(parts: Omit<ManagerParts, 'log'>): EventManager {
  const random = parts.random.stream('event');
  const id = identity({ ...parts, log: () => undefined }, random);
  const { clock } = parts;
  const store = new EventStore(clock);
  const logAt = (ms: number, entry: LogEntry) => store.add(logEvent(entry, random.ulid(ms), naiveText(ms)));
  return {
    api: servedEventApi,
    handlers: eventHandlers(store, { clock, random, ownership: id.ownership }),
    health: () =>
      healthy('Event Manager is running normally', {
        db_connected: true,
        total_events: store.total,
        otel_enabled: null,
        otel_exporter_type: null,
        otel_endpoint: null,
      }),
    settings: {
      title: 'EventManagerSettings',
      values: () => commonSettings('Demo Event Manager', 'event_manager', 8001, id),
    },
    store,
    log: (entry) => logAt(entry.at ?? clock.now(), entry),
    logAt,
    scale: { addEvents: (count) => store.addAll(manyEvents(count, random, clock.now())) },
  };
}
