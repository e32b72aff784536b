/**
 * A command as recorded in the lab's event log, so that every MADSci tool shows its sender. The event's ID is created
 * when the command is sent: sending the event again stores no duplicate.
 */
import * as z from 'zod/mini';
import { ManagerError } from './client/managerError.ts';
import { id, jsonInteger, jsonNumber } from './client/wire.ts';
import type { EventType, NewEvent } from './managers/event.ts';
import { stopStates } from './safetyStop/safetyStop.ts';
import { nodeFlags, nodeStates } from './states.ts';

/** The target of a command; `lab` is every node. Nodes have no `id`: their name identifies them. */
const commandTarget = z.object({
  kind: z.enum([
    'lab',
    'manager',
    'workcell',
    'node',
    'workflow',
    'experiment',
    'resource',
    'location',
    'template',
    'event',
    'datapoint',
  ]),
  id: z.nullable(z.string()),
  name: z.string(),
});
export type CommandTarget = z.infer<typeof commandTarget>;

/** The result of a safety stop at one node, with the commands that a release has to undo. */
export const stoppedNode = z.object({
  name: z.string(),
  /** Address of its workcell manager. */
  workcell: z.string(),
  result: z.enum(stopStates),
  reason: z.string(),
  did: z.array(z.string()),
  /** The node's flags before the stop, which a release does not undo. */
  before: z.array(z.string()),
  /** The commands that the node may have executed: without a response, or sent by a page, the app or the command line. */
  attempted: z.optional(z.array(z.string())),
  /** The number of attempts; missing where only the node’s flags show the stop. */
  attempts: z.optional(z.int()),
  /** Whether the result is the node's own response, and not one through the workcell manager. */
  direct: z.optional(z.boolean()),
  /** The node's state after the stop; missing while it is unknown. */
  now: z.optional(z.object({ state: z.enum(nodeStates), flags: z.array(z.enum(nodeFlags)) })),
  /** Time of its release, ISO 8601 UTC. */
  released_at: z.optional(z.string()),
  /** Why its release failed. */
  release_failure: z.optional(z.string()),
});
export type StoppedNode = z.infer<typeof stoppedNode>;

/** The program that sent the command; `relay` for one that does not describe itself. */
export const commandApplication = z.enum(['dashboard', 'desktop app', 'command line', 'relay']);
export type CommandApplication = z.infer<typeof commandApplication>;

const commandResult = z.enum(['sent', 'done', 'queued', 'failed', 'unclear']);

/** The result of a batch for one of its targets; `id` is `null` for a target without one. */
const batchTarget = z.object({
  id: z.nullable(z.string()),
  name: z.string(),
  result: commandResult,
  reason: z.string(),
});
export type BatchTarget = z.infer<typeof batchTarget>;

/** Times are ISO 8601 UTC by the clock of the sending machine, durations milliseconds. */
const recordFields = z.object({
  command: z.string(),
  target: commandTarget,
  result: commandResult,
  reason: z.string(),
  sent_at: z.string(),
  duration_ms: jsonNumber,
  application: commandApplication,
  /** Name or address of the machine, if known. */
  machine: z.nullable(z.string()),
  /** The sender's account, if known: a browser without a session has none. */
  user: z.optional(z.string()),
  /** The ID of the safety stop that a result, a release or an acknowledgement belongs to. */
  stop_id: z.optional(id),
  nodes: z.optional(z.array(stoppedNode)),
  /** The targets of a batch, unsuccessful ones first. */
  targets: z.optional(z.array(batchTarget)),
  /** The number of targets of the batch, if `targets` is incomplete. */
  total: z.optional(jsonInteger),
  /** The end of a maintenance window. */
  until: z.optional(z.string()),
  /** The requests that the relay of the lab manager sent for the command: `POST workcell/admin/pause/arm: HTTP 200`. */
  relayed: z.optional(z.array(z.string())),
  /** When the first of these requests was sent, by the lab manager's clock; distinguishes the record from an earlier one. */
  relayed_at: z.optional(z.string()),
});
export type RecordFields = z.infer<typeof recordFields>;

/** The fields that a caller provides; application, machine and user are added. */
export type CommandFields = Omit<RecordFields, 'application' | 'machine' | 'user'>;

/** The `component_name` of recorded commands, which event lists use as a filter. */
export const commandSource = 'lab_manager';

/** The `event_data` of a command's event. */
export const commandRecord = z.looseObject({
  ...recordFields.shape,
  message: z.string(),
  component_name: z.literal(commandSource),
});
export type CommandRecord = z.infer<typeof commandRecord>;

/**
 * The commands of a safety stop. `safety_stop` is recorded when the button is pressed, the result when it is available or
 * has changed.
 */
export const stopCommands = {
  stop: 'safety_stop',
  result: 'safety_stop_result',
  release: 'safety_stop_release',
  acknowledge: 'safety_stop_acknowledge',
} as const;

/** The commands that begin (or prolong) and end a maintenance window, and those that plan and cancel a recurring one. */
export const maintenanceCommands = {
  begin: 'maintenance',
  end: 'maintenance_end',
  plan: 'maintenance_plan',
  cancel: 'maintenance_cancel',
} as const;

/** The name of a command in its record: `Shut down` is `shut_down`. */
export function toCommandName(verb: string): string {
  return verb
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/** A record with its ID in the event log. */
export interface RecordedCommand {
  readonly id: string;
  readonly record: CommandRecord;
}

const maxNodes = 500;
/** Limited, because pages keep records in 5 MB of storage while the event manager is unavailable. */
const maxTargets = 200;
const maxText = 300;
const maxCommands = 10;
const truncate = (text: string): string => (text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text);

const compareUnsuccessfulFirst = (a: BatchTarget, b: BatchTarget): number =>
  Number(a.result === 'done') - Number(b.result === 'done');

function limitTargets({ targets }: Pick<RecordFields, 'targets'>): Partial<Pick<RecordFields, 'targets' | 'total'>> {
  if (targets === undefined) return {};
  const listed = targets.toSorted(compareUnsuccessfulFirst).slice(0, maxTargets);
  return {
    targets: listed.map((target) => ({ ...target, name: truncate(target.name), reason: truncate(target.reason) })),
    ...(listed.length < targets.length && { total: targets.length }),
  };
}

function limitNodes({ nodes }: Pick<RecordFields, 'nodes'>): Partial<Pick<RecordFields, 'nodes'>> {
  if (nodes === undefined) return {};
  const listed = nodes.slice(0, maxNodes).map((node) => ({
    ...node,
    name: truncate(node.name),
    workcell: truncate(node.workcell),
    reason: truncate(node.reason),
    did: node.did.slice(0, maxCommands).map(truncate),
    before: node.before.slice(0, maxCommands).map(truncate),
    ...(node.attempted && { attempted: node.attempted.slice(0, maxCommands).map(truncate) }),
  }));
  return { nodes: listed };
}

/** `ann on lab-pc`, as far as it is known; `null` if nothing is. */
export function formatSender({ machine, user }: Pick<RecordFields, 'machine' | 'user'>): string | null {
  return user === undefined || machine === null ? (user ?? machine) : `${user} on ${machine}`;
}

/** The summary in one sentence: `Pause robotarm_1 (ada on lab-pc, desktop app): failed, door open`. */
function formatMessage({ target, result, reason, machine, user, application }: RecordFields, title: string): string {
  const sender = [formatSender({ machine, user }), application]
    .filter((part) => part !== null && part !== '')
    .join(', ');
  const subject = target.kind === 'lab' || title.includes(target.name) ? title : `${title}: ${target.name}`;
  return truncate(`${subject} (${sender}): ${[result, reason].filter((part) => part !== '').join(', ')}`);
}

/** @param title the command as displayed: `Pause robotarm_1` */
export function createRecord(fields: RecordFields, title: string): CommandRecord {
  const target = { ...fields.target, name: truncate(fields.target.name) };
  return {
    ...fields,
    target,
    reason: truncate(fields.reason),
    ...limitNodes(fields),
    ...limitTargets(fields),
    message: formatMessage({ ...fields, target }, truncate(title)),
    component_name: commandSource,
    ...subjectFields(target),
  };
}

/** The fields in which MADSci's tools find the subject of an event. */
function subjectFields({ kind, id: targetId, name }: CommandTarget): Readonly<Record<string, string>> {
  if (kind === 'node') return { node_name: name };
  return targetId !== null && ['workflow', 'experiment', 'resource', 'location'].includes(kind)
    ? { [`${kind}_id`]: targetId }
    : {};
}

/**
 * The most specific MADSci event type, by the first word of the command; `*` matches every other word. Commands
 * without a type, such as a pause of a workflow, are recorded as `log_info`, like maintenance, which does not change
 * its subject.
 */
const eventTypes: Readonly<Partial<Record<CommandTarget['kind'], Readonly<Record<string, EventType>>>>> = {
  lab: { '*': 'node_status_update', maintenance: 'log_info' },
  node: { '*': 'node_status_update', maintenance: 'log_info' },
  workcell: { '*': 'workcell_status_update', add: 'node_create' },
  workflow: { submit: 'workflow_create', retry: 'workflow_start', resume: 'workflow_start', cancel: 'workflow_abort' },
  experiment: {
    start: 'experiment_start',
    pause: 'experiment_pause',
    continue: 'experiment_continued',
    cancel: 'experiment_cancelled',
    end: 'experiment_complete',
    mark: 'experiment_failed',
  },
  resource: { '*': 'resource_update', add: 'resource_create', remove: 'resource_delete', delete: 'resource_delete' },
  location: {
    '*': 'location_update',
    add: 'location_create',
    import: 'location_create',
    delete: 'location_delete',
    attach: 'attachment_create',
    detach: 'attachment_delete',
  },
  datapoint: { '*': 'data_store' },
};

/** The command that stores a person's note. */
export const noteCommand = 'add_note';

/**
 * The event of a note: the fields of a command record, with the typed text as its message.
 * MADSci has no event type for notes; those of its objects would report a change of the object.
 * @param source IDs of the objects that the note refers to
 */
export function createNoteEvent(
  eventId: string,
  fields: Pick<RecordFields, 'target' | 'sent_at' | 'application' | 'machine'>,
  text: string,
  source: NonNullable<NewEvent['source']>,
): NewEvent {
  const record = createRecord({ ...fields, command: noteCommand, result: 'done', reason: '', duration_ms: 0 }, '');
  return {
    _id: eventId,
    event_type: 'log_info',
    log_level: 20,
    source,
    event_data: { ...record, message: text },
  };
}

/** The commands that are recorded as warnings even if they succeed. */
const warningCommands: ReadonlySet<string> = new Set([...Object.values(stopCommands), 'shut_down']);

/**
 * The event to store.
 * @param stamp `event_timestamp`, naive and in the local time of the event manager's host, because the manager sorts
 * events by this text; `null` makes the manager use its own clock
 */
export function createCommandEvent({ id: eventId, record }: RecordedCommand, stamp: string | null): NewEvent {
  const { kind, id: targetId } = record.target;
  const typesOfKind = eventTypes[kind] ?? {};
  return {
    _id: eventId,
    event_type: typesOfKind[record.command.split('_')[0] ?? ''] ?? typesOfKind['*'] ?? 'log_info',
    log_level: warningCommands.has(record.command) || record.result === 'failed' ? 30 : 20,
    ...(stamp !== null && { event_timestamp: stamp }),
    // `source` contains only IDs.
    source: targetId !== null && (kind === 'workflow' || kind === 'experiment') ? { [`${kind}_id`]: targetId } : {},
    event_data: record,
  };
}

/**
 * Whether the event manager rejects the record permanently as invalid, so that it must not block the others. A 404 may
 * come from another program at the manager's address.
 */
export function isRejectedPermanently(error: unknown): boolean {
  const status = error instanceof ManagerError && error.kind === 'http' ? error.status : null;
  return status === 400 || status === 413 || status === 422;
}

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));

const recordedEvent = z.looseObject({ _id: id, event_data: commandRecord });

/** The record in an event of the log; `null` for all other events. */
export function readRecordedCommand(event: unknown): RecordedCommand | null {
  const read = recordedEvent.safeParse(event);
  return read.success ? limitRecord(read.data['_id'], read.data.event_data) : null;
}

/** Limits the size of a record: anyone can write to the event log. Returns `null` if its time is invalid. */
export function limitRecord(eventId: string, record: CommandRecord): RecordedCommand | null {
  if (!isTime(record.sent_at)) return null;
  const { machine, message, reason, target, user } = record;
  return {
    id: eventId,
    record: {
      ...record,
      message: truncate(message),
      reason: truncate(reason),
      machine: machine === null ? null : truncate(machine),
      ...(user !== undefined && { user: truncate(user) }),
      ...(record.relayed && { relayed: record.relayed.slice(0, maxTargets).map(truncate) }),
      ...limitNodes(record),
      ...limitTargets(record),
      target: { ...target, name: truncate(target.name) },
    },
  };
}

/** A query for the events of safety stops since a time; both stores of the event manager support its operators. */
export function stopSelector(since: string): Readonly<Record<string, unknown>> {
  return {
    'event_data.component_name': commandSource,
    'event_data.command': { $in: Object.values(stopCommands) },
    'event_data.target.kind': 'lab',
    event_timestamp: { $gte: since },
  };
}
