/** The records of an experiment: its datapoints and events, each from its manager. */
import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import { dataApi, type Datapoint } from '../../../../api/managers/data.ts';
import { eventApi, type Event } from '../../../../api/managers/event.ts';
import type { Live } from '../../../components/feedback/live.ts';
import { isNote, messageOf, newestFirst, textOf, timeOf, typeOf } from '../../../managers/event/eventText.ts';
import { madeBy } from '../../../managers/data/datapoint.ts';
import { useManagerQuery } from '../../../managers/transport/poll/managerQuery.ts';
import { pollingSchedule } from '../../../managers/transport/poll/pollingSchedule.ts';
import { useManagerTime } from '../../../managers/transport/time/managerTime.ts';
import { resultOf, type Result } from '../../../managers/data/results.ts';
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
  readonly data: Live<Record<string, Datapoint>>;
  readonly results: ComputedRef<readonly Result[]>;
  readonly log: Live<Record<string, Event>>;
  /** Newest first. */
  readonly events: ComputedRef<readonly ExperimentEvent[]>;
}

/** The objects whose records are read. */
interface RecordsOf {
  /** IDs; nothing is read without any. */
  readonly experiments: readonly string[];
  /** IDs of their workflows: datapoints and events of steps contain the workflow, not the experiment. */
  readonly workflows: readonly string[];
}

/**
 * Reads datapoints and events of experiments. For their workflows it reads only warnings and errors; the other events are
 * on the workflows' pages.
 * @param continues whether more records may follow; those of finished experiments are polled at a long interval
 */
export function useExperimentRecords(owner: () => RecordsOf, continues: () => boolean): ExperimentRecords {
  const interval = () => (continues() ? 0 : pollingSchedule.archiveFurtherBack);
  const request = computed(owner);
  const question = () => request.value.experiments.join(' ');
  const dataTime = useManagerTime('data');
  const eventTime = useManagerTime('event');
  const data = useManagerQuery(dataApi, 'queryDatapoints', {
    schedule: 'experimentRecords',
    input: () => {
      const { experiments, workflows } = request.value;
      if (experiments.length === 0) return null;
      return { body: madeBy(experiments, workflows) };
    },
    interval,
  });
  const log = useManagerQuery(eventApi, 'queryEvents', {
    schedule: 'experimentRecords',
    input: () => {
      const { experiments, workflows } = request.value;
      if (experiments.length === 0) return null;
      const named = (kind: string, ids: readonly string[]) =>
        [`source.${kind}`, `event_data.${kind}`].map((field) => ({ [field]: { $in: ids } }));
      const ofExperiment = named('experiment_id', experiments);
      if (workflows.length === 0) return { body: { $or: ofExperiment } };
      const bad = { $and: [{ log_level: { $gte: 30 } }, { $or: named('workflow_id', workflows) }] };
      return { body: { $or: [...ofExperiment, bad] } };
    },
    interval,
  });
  const records = useRetained(data, question);
  const loggedEvents = useRetained(log, question);
  return {
    data: records,
    log: loggedEvents,
    results: computed(() => Object.values(records.data.value ?? {}).map((one) => resultOf(one, dataTime.at))),
    events: computed(() =>
      Object.values(loggedEvents.data.value ?? {})
        .toSorted(newestFirst)
        .map((event) => ({
          id: event['_id'],
          at: timeOf(event, eventTime.at),
          level: event.log_level,
          message: messageOf(event),
          type: typeOf(event),
          user: textOf(event.source['user_id']),
          isNote: isNote(event),
        })),
    ),
  };
}

/** Keeps the last response for the same experiments while a query with one more workflow is pending. */
function useRetained<Body>(live: Live<Body>, question: () => string): Live<Body> {
  const last = shallowRef<{ readonly question: string; readonly body: Body } | null>(null);
  watch(
    live.data,
    (body) => {
      if (body !== undefined) last.value = { question: question(), body };
    },
    { immediate: true, flush: 'sync' },
  );
  const data = computed(() => live.data.value ?? (last.value?.question === question() ? last.value.body : undefined));
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
export function changesIn(events: readonly ExperimentEvent[]): readonly Change[] {
  return events
    .flatMap(({ id, at, type, user }) => {
      const label = Object.hasOwn(texts, type) ? texts[type] : undefined;
      return label === undefined ? [] : [{ id, at, label, user }];
    })
    .toReversed();
}
