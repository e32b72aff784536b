/** An event as a flat row of the log, with the objects that it names. */
import type { RouteLocationRaw } from 'vue-router';
import type { ReadStamp } from '#api/time/time.ts';
import { isObject } from '#api/client/wire.ts';
import type { Event } from '#api/managers/event.ts';
import { componentFields, readComponent } from '#api/managers/eventRecord.ts';
import { experimentPage, locationPage, nodePage, resourcePage, workflowPage } from '../../base/objectPages.ts';
import { searchTerms } from '../../base/texts.ts';
import { formatOwnerField, type OwnerNameLookup } from '../names/ownerText.ts';
import { eventMessage, asText, parseEventTime, eventType } from './eventText.ts';
import { findLevels } from './texts.ts';

export type SubjectKind = 'workflow' | 'node' | 'experiment' | 'resource' | 'location';

/** An object that an event names. */
export interface Subject {
  readonly kind: SubjectKind;
  /** An ID, for nodes the name, as in the event. */
  readonly id: string;
}

export interface EventRow {
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number | null;
  /** As the manager wrote it; this text determines the order, newest first. */
  readonly stamp: string;
  readonly level: number;
  /** The type that the sender gave the event, or else the type of the log record. */
  readonly type: string;
  readonly message: string;
  /** The component's name, else the name of the owner. */
  readonly source: string;
  readonly subjects: readonly Subject[];
}

/** The fields in which events name objects; the first one present counts. Nodes are identified by name. */
const fields: readonly (readonly [kind: SubjectKind, ...names: string[]])[] = [
  ['workflow', 'workflow_id'],
  ['node', 'node_name', 'step_node', 'node'],
  ['experiment', 'experiment_id'],
  ['resource', 'resource_id'],
  ['location', 'location_id', 'location_name'],
];
/** The kinds of objects whose IDs an event's source may contain. */
const ownerKinds: ReadonlySet<SubjectKind> = new Set(['workflow', 'experiment']);

export function extractSubjects({
  source,
  event_data: data,
}: Pick<Event, 'source' | 'event_data'>): readonly Subject[] {
  const eventData = isObject(data) ? data : {};
  return fields.flatMap(([kind, ...names]) => {
    const eventId = names.map((name) => asText(eventData[name])).find((id) => id !== '');
    const id = eventId ?? (ownerKinds.has(kind) ? asText(source[`${kind}_id`]) : '');
    return id === '' ? [] : [{ kind, id }];
  });
}

/** Returns the event manager's query for the events about an object. */
export function subjectSelector({ kind, id }: Subject): Readonly<Record<string, unknown>> {
  const [, ...names] = fields.find(([fieldKind]) => fieldKind === kind) ?? [kind];
  const owner = ownerKinds.has(kind) ? [{ [`source.${kind}_id`]: id }] : [];
  return { $or: [...names.map((name) => ({ [`event_data.${name}`]: id })), ...owner] };
}

/** Selects events that only their owner identifies: their source can be determined only after they are read. */
const ownerOnlySelector = { $and: componentFields.map((name) => ({ [`event_data.${name}`]: null })) };

/**
 * Returns the conditions of an event manager query for these types and sources: a superset of the events that pass the
 * same filters on the page. `null` for a source that can't be queried, because only its owner identifies it.
 */
export function filterSelectors(
  types: readonly string[],
  sources: readonly string[],
): readonly Readonly<Record<string, unknown>>[] | null {
  if (sources.some((source) => source === '' || source.includes('…'))) return null;
  const matchAny = (fieldNames: readonly string[], values: readonly string[]) =>
    values.length === 0 ? [] : [{ $or: fieldNames.map((field) => ({ [field]: { $in: values } })) }];
  return [
    ...matchAny(['event_data.event_type', 'event_type'], types),
    ...(sources.length === 0
      ? []
      : [
          {
            $or: [...componentFields.map((name) => ({ [`event_data.${name}`]: { $in: sources } })), ownerOnlySelector],
          },
        ]),
  ];
}

/** The fields of an event with text that the log displays. */
const textFields = [
  '_id',
  'event_type',
  'event_data',
  ...['message', 'event_type', 'step_action', 'action_name', ...componentFields].map((name) => `event_data.${name}`),
  ...fields.flatMap(([, ...names]) => names.map((name) => `event_data.${name}`)),
  ...['workflow_id', 'experiment_id'].map((name) => `source.${name}`),
];

/**
 * Returns the conditions for events that contain every word in one of their texts or in the name of their level. The
 * manager's in-memory store ignores `$regex` and returns more, so the caller filters the rows by the same words.
 */
export function wordSelectors(search: string): readonly Readonly<Record<string, unknown>>[] {
  return searchTerms(search).map((word) => {
    const pattern = { $regex: word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), $options: 'i' };
    const levels = findLevels(word);
    return {
      $or: [
        ...textFields.map((field) => ({ [field]: pattern })),
        ...(levels.length === 0 ? [] : [{ log_level: { $in: levels } }]),
      ],
    };
  });
}

/** Parses a subject in a query string; `null` for anything else. */
export function parseSubject(text: unknown): Subject | null {
  if (typeof text !== 'string') return null;
  const separatorIndex = text.indexOf(':');
  const kind = fields
    .map(([subjectKind]) => subjectKind)
    .find((candidate) => candidate === text.slice(0, separatorIndex));
  const id = text.slice(separatorIndex + 1);
  return kind === undefined || id === '' ? null : { kind, id };
}

/** Returns the page of an object. */
export function subjectPage({ kind, id }: Subject): RouteLocationRaw {
  switch (kind) {
    case 'workflow':
      return workflowPage(id);
    case 'node':
      return nodePage(id);
    case 'experiment':
      return experimentPage(id);
    case 'resource':
      return resourcePage(id);
    case 'location':
      return locationPage(id);
  }
}

function describeSource(
  { source, event_data: data }: Pick<Event, 'source' | 'event_data'>,
  getOwnerName: OwnerNameLookup,
): string {
  const component = readComponent(data);
  if (component !== '') return component;
  const owner = (['node_id', 'manager_id', 'workcell_id', 'lab_id', 'user_id'] as const).find(
    (name) => asText(source[name]) !== '',
  );
  if (owner === undefined) return '';
  const id = asText(source[owner]);
  // The owner's name is the component's name, so that one source finds all its events.
  return getOwnerName(owner, id) || formatOwnerField(owner, id, getOwnerName);
}

/** @param getOwnerName names of objects that are given only by ID */
export function toEventRow(event: Event, parseStamp: ReadStamp, getOwnerName: OwnerNameLookup = () => ''): EventRow {
  const { _id: id, event_timestamp: stamp, log_level: level } = event;
  return {
    id,
    at: parseEventTime(event, parseStamp),
    stamp,
    level,
    type: eventType(event),
    message: eventMessage(event),
    source: describeSource(event, getOwnerName),
    subjects: extractSubjects(event),
  };
}
