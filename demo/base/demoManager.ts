/** The dependencies of every demo manager, and its interface to the rest of the lab. */
import type { Api } from '../../api/client/endpoint.ts';
import type { LogLevelName } from '../../api/managers/event.ts';
import type { JsonObject, OwnershipInfo } from '../../api/client/wire.ts';
import type { DemoClock } from './clock.ts';
import type { Handlers } from './handlers.ts';
import type { Random } from './random.ts';

/** The MADSci version that the demo lab imitates. */
const madsciVersion = '0.8.1';

/** A line of a component's log, as managers and nodes send it to the event manager. */
export interface LogEntry {
  readonly level: LogLevelName;
  /** For example `ExperimentManager`; stored in `event_data` next to the message. */
  readonly component: string;
  readonly message: string;
  /** For example `experiment_start`. The stored event has type `log_…`, unless it is `bare`. */
  readonly eventType: string;
  /** True for an event of that type with data only, which the managers send in addition to a log line. */
  readonly bare?: boolean;
  readonly source: OwnershipInfo;
  readonly data?: JsonObject;
  /** The time in milliseconds; by default now. */
  readonly at?: number;
}

/** Receives log lines: sends them to the event manager, or drops them. */
export type LogSink = (entry: LogEntry) => void;

export interface ManagerParts {
  readonly clock: DemoClock;
  readonly random: Random;
  /** The default owner of created items; each manager adds its `manager_id`. */
  readonly labOwnership: OwnershipInfo;
  readonly log: LogSink;
}

/** A manager's handlers, except `/health` and `/settings`, which are served from `health` and `settings`. */
export type ManagerHandlers<Table extends Api> = Omit<Handlers<Table>, 'health' | 'settings'>;

export interface DemoManager<Table extends Api, Store> {
  readonly api: Table;
  readonly handlers: ManagerHandlers<Table>;
  /** The body of `GET /health`. */
  readonly health: () => object;
  /** The values of `GET /settings`. */
  readonly settings: () => Readonly<Record<string, unknown>>;
  readonly store: Store;
}

/** The ID of a manager, and the ownership of the items that it creates. */
export interface Identity {
  readonly managerId: string;
  readonly ownership: OwnershipInfo;
}

/** Returns the ID and ownership of a manager, which are the same in every lab with the same seed. */
export function identity(parts: Pick<ManagerParts, 'labOwnership'>, random: Random): Identity {
  const managerId = random.ulid();
  return { managerId, ownership: { ...parts.labOwnership, manager_id: managerId } };
}

/** Returns the body of a `/health` without problems. */
export function healthy(description: string, extras: object): object {
  return { healthy: true, description, version: madsciVersion, ...extras };
}

/** Returns the settings shown on the pages, which all managers have. */
export function commonSettings(name: string, type: string, port: number, id: Identity): Record<string, unknown> {
  return {
    server_url: `http://localhost:${port}/`,
    manager_id: id.managerId,
    manager_type: type,
    manager_name: name,
    manager_description: null,
  };
}

/** Returns the ID of an event, experiment or datapoint; their managers name it `_id`, like MongoDB. */
export function recordId({ _id: id }: { readonly _id: string }): string {
  return id;
}

/** Returns records by ID, in their order: the form in which the event and data managers serve lists. */
export function byId<T extends { readonly _id: string }>(records: readonly T[]): Record<string, T> {
  return Object.fromEntries(records.map((record) => [recordId(record), record]));
}

/** Returns the ID in a request: `_id`, or the field that the manager's model has for it. */
export function requestedId(sent: { readonly _id?: string | undefined }, idField: unknown): string | undefined {
  const { _id: id } = sent;
  return id ?? (typeof idField === 'string' ? idField : undefined);
}
