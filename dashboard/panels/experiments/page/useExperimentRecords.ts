/** The datapoints and events of experiments, from the data manager and the event manager. */
import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import { formatSender, readRecordedCommand, type CommandRecord } from '#api/commandRecord.ts';
import { dataApi, type Datapoint } from '#api/managers/data.ts';
import { eventApi, type Event } from '#api/managers/event.ts';
import type { LiveQuery } from '#dashboard/components/feedback/liveQuery.ts';
import {
  isNote,
  eventMessage,
  compareNewestFirst,
  asText,
  parseEventTime,
  eventType,
} from '#dashboard/managers/event/eventText.ts';
import { originFilter } from '#dashboard/managers/data/datapoint.ts';
import { useManagerQuery } from '#dashboard/managers/transport/poll/managerQuery.ts';
import { pollingSchedule } from '#dashboard/managers/transport/poll/pollingSchedule.ts';
import { useManagerTime } from '#dashboard/managers/transport/time/managerTime.ts';
import { toResult, type Result } from '#dashboard/managers/data/results.ts';
import { experimentsTexts } from '../texts.ts';

interface ExperimentEvent {
  readonly id: string;
  readonly at: number | null;
  readonly level: number;
  readonly message: string;
  /** Event type, for example `experiment_pause`. */
  readonly type: string;
  /** ID of the user in the event; empty if there is none. */
  readonly user: string;
  /** Whether it is a note that a person added. */
  readonly isNote?: boolean;
  /** The command that it records, if it is a record of the lab manager. */
  readonly command?: Pick<CommandRecord, 'result' | 'machine' | 'user' | 'sent_at'> | null;
}

interface ExperimentRecords {
  readonly data: LiveQuery<Record<string, Datapoint>>;
  readonly results: ComputedRef<readonly Result[]>;
  readonly log: LiveQuery<Record<string, Event>>;
  /** Newest first. */
  readonly events: ComputedRef<readonly ExperimentEvent[]>;
}

/** The objects whose records are read. */
interface RecordOwners {
  /** IDs; without any, nothing is read. */
  readonly experiments: readonly string[];
  /** IDs of their workflows: datapoints and events of steps contain the workflow, not the experiment. */
  readonly workflows: readonly string[];
}

/**
 * Reads datapoints and events of experiments. For their workflows it reads only warnings and errors; the other events are
 * on the workflows' pages.
 * @param isOngoing whether more records may follow; otherwise the interval is longer
 */
export function useExperimentRecords(owners: () => RecordOwners, isOngoing: () => boolean): ExperimentRecords {
  const interval = () => (isOngoing() ? 0 : pollingSchedule.archiveFurtherBack);
  const request = computed(owners);
  const requestKey = () => request.value.experiments.join(' ');
  const dataTime = useManagerTime('data');
  const eventTime = useManagerTime('event');
  const data = useManagerQuery(dataApi, 'queryDatapoints', {
    schedule: 'experimentRecords',
    input: () => {
      const { experiments, workflows } = request.value;
      if (experiments.length === 0) return null;
      return { body: originFilter(experiments, workflows) };
    },
    interval,
  });
  const log = useManagerQuery(eventApi, 'queryEvents', {
    schedule: 'experimentRecords',
    input: () => {
      const { experiments, workflows } = request.value;
      if (experiments.length === 0) return null;
      const idConditions = (kind: string, ids: readonly string[]) =>
        [`source.${kind}`, `event_data.${kind}`].map((field) => ({ [field]: { $in: ids } }));
      const experimentConditions = idConditions('experiment_id', experiments);
      if (workflows.length === 0) return { body: { $or: experimentConditions } };
      const workflowProblems = { $and: [{ log_level: { $gte: 30 } }, { $or: idConditions('workflow_id', workflows) }] };
      return { body: { $or: [...experimentConditions, workflowProblems] } };
    },
    interval,
  });
  const records = useRetained(data, requestKey);
  const loggedEvents = useRetained(log, requestKey);
  return {
    data: records,
    log: loggedEvents,
    results: computed(() =>
      Object.values(records.data.value ?? {}).map((datapoint) => toResult(datapoint, dataTime.parseStamp)),
    ),
    events: computed(() =>
      Object.values(loggedEvents.data.value ?? {})
        .toSorted(compareNewestFirst)
        .map((event) => ({
          id: event['_id'],
          at: parseEventTime(event, eventTime.parseStamp),
          level: event.log_level,
          message: eventMessage(event),
          type: eventType(event),
          user: asText(event.source['user_id']),
          isNote: isNote(event),
          command: readRecordedCommand(event)?.record ?? null,
        })),
    ),
  };
}

/** Keeps the last response for the same experiments while a query with one more workflow is pending. */
function useRetained<Body>(live: LiveQuery<Body>, requestKey: () => string): LiveQuery<Body> {
  const last = shallowRef<{ readonly requestKey: string; readonly body: Body } | null>(null);
  watch(
    live.data,
    (body) => {
      if (body !== undefined) last.value = { requestKey: requestKey(), body };
    },
    { immediate: true, flush: 'sync' },
  );
  const data = computed(
    () => live.data.value ?? (last.value?.requestKey === requestKey() ? last.value.body : undefined),
  );
  return { ...live, data };
}

export interface Change {
  readonly id: string;
  readonly at: number | null;
  readonly label: string;
  /** ID of the user in the event; empty if there is none. */
  readonly user: string;
  /** The sender of the command, as far as it is known; empty if the change was not sent by a lab manager. */
  readonly sender: string;
}

const texts: Readonly<Record<string, string>> = experimentsTexts.page.changed;

/** The maximum time between the experiment manager's event and the record of the command that caused it, in ms. */
const maxApartMs = 60_000;

/**
 * Returns the state changes, oldest first. The manager's event and the lab manager's record of the command are one change;
 * a command that failed is none.
 */
export function extractChanges(events: readonly ExperimentEvent[]): readonly Change[] {
  const changes = events.filter(({ type }) => Object.hasOwn(texts, type)).toReversed();
  const records = changes.filter(({ command }) => command?.result === 'done');
  const caused = new Set<ExperimentEvent>();
  const findCause = ({ type, at }: ExperimentEvent): ExperimentEvent | undefined =>
    records.find((record) => record.type === type && !caused.has(record) && isNear(record, at));
  const managerChanges = changes
    .filter(({ command }) => (command ?? null) === null)
    .map((event) => {
      const cause = findCause(event);
      if (cause !== undefined) caused.add(cause);
      return toChange(event, cause ?? event);
    });
  // The manager's event may be missing, for example after an outage of the event manager.
  const others = records.filter((record) => !caused.has(record)).map((record) => toChange(record, record));
  return [...managerChanges, ...others].toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

/** A record may be stored long after its command was sent. */
function isNear({ at, command }: ExperimentEvent, time: number | null): boolean {
  const sentAt = Date.parse(command?.sent_at ?? '');
  return time !== null && [at ?? Number.NaN, sentAt].some((other) => Math.abs(other - time) <= maxApartMs);
}

function toChange({ id, at, type, user }: ExperimentEvent, { command }: ExperimentEvent): Change {
  const sender = command === null || command === undefined ? '' : (formatSender(command) ?? '');
  return { id, at, label: texts[type] ?? '', user, sender };
}
