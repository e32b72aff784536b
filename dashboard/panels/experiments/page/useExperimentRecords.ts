/** The datapoints and events of experiments, from the data manager and the event manager. */
import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import { dataApi, type Datapoint } from '../../../../api/managers/data.ts';
import { eventApi, type Event } from '../../../../api/managers/event.ts';
import type { LiveQuery } from '../../../components/feedback/liveQuery.ts';
import {
  isNote,
  eventMessage,
  compareNewestFirst,
  asText,
  parseEventTime,
  eventType,
} from '../../../managers/event/eventText.ts';
import { originFilter } from '../../../managers/data/datapoint.ts';
import { useManagerQuery } from '../../../managers/transport/poll/managerQuery.ts';
import { pollingSchedule } from '../../../managers/transport/poll/pollingSchedule.ts';
import { useManagerTime } from '../../../managers/transport/time/managerTime.ts';
import { toResult, type Result } from '../../../managers/data/results.ts';
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
}

const texts: Readonly<Record<string, string>> = experimentsTexts.page.changed;

/** Returns the state changes, oldest first. */
export function extractChanges(events: readonly ExperimentEvent[]): readonly Change[] {
  return events
    .flatMap(({ id, at, type, user }) => {
      const label = Object.hasOwn(texts, type) ? texts[type] : undefined;
      return label === undefined ? [] : [{ id, at, label, user }];
    })
    .toReversed();
}
