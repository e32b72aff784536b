/** What belongs to an experiment: its workflows, datapoints and events, each from its manager. */
import { computed, type ComputedRef } from 'vue';
import { dataApi, type Datapoint } from '../../../../api/managers/data.ts';
import { eventApi, type Event } from '../../../../api/managers/event.ts';
import type { Live } from '../../../components/feedback/live.ts';
import { eventStamps, messageOf, newestFirst } from '../../../managers/event/eventText.ts';
import { datapointStamps } from '../../../managers/data/datapoint.ts';
import { useManagerQuery } from '../../../managers/transport/poll/managerQuery.ts';
import { pollingSchedule } from '../../../managers/transport/poll/pollingSchedule.ts';
import { useClockFrom, useManagerTime } from '../../../managers/transport/time/managerTime.ts';
import { resultOf, type Result } from '../../../managers/data/results.ts';

export interface ExperimentEvent {
  readonly id: string;
  readonly at: number | null;
  readonly level: number;
  readonly message: string;
}

export interface ExperimentRecords {
  readonly data: Live<Record<string, Datapoint>>;
  readonly results: ComputedRef<readonly Result[]>;
  readonly log: Live<Record<string, Event>>;
  /** Newest first. */
  readonly events: ComputedRef<readonly ExperimentEvent[]>;
}

/**
 * @param ids of the experiments; nothing is read without any
 * @param goesOn whether more may come of them: what is over is read again only once in a while
 */
export function useExperimentRecords(ids: () => readonly string[], goesOn: () => boolean): ExperimentRecords {
  const interval = () => (goesOn() ? 0 : pollingSchedule.archiveFurtherBack);
  const question = () => ids().join(' ');
  const dataTime = useManagerTime('data');
  const eventTime = useManagerTime('event');
  const each = (fields: readonly string[]) => {
    const wanted = ids();
    if (wanted.length === 0) return null;
    return { body: { $or: wanted.flatMap((id) => fields.map((field) => ({ [field]: id }))) } };
  };
  const data = useManagerQuery(dataApi, 'queryDatapoints', {
    polled: 'experimentRecords',
    input: () => each(['ownership_info.experiment_id']),
    interval,
  });
  const log = useManagerQuery(eventApi, 'queryEvents', {
    polled: 'experimentRecords',
    input: () => each(['source.experiment_id', 'event_data.experiment_id']),
    interval,
  });
  useClockFrom(eventTime, log, eventStamps, question);
  useClockFrom(dataTime, data, datapointStamps, question);
  return {
    data,
    log,
    results: computed(() => Object.values(data.data.value ?? {}).map((one) => resultOf(one, dataTime.at))),
    events: computed(() =>
      Object.values(log.data.value ?? {})
        .toSorted(newestFirst)
        .map(({ _id: id, ...event }) => ({
          id,
          at: eventTime.at(event.event_timestamp),
          level: event.log_level,
          message: messageOf(event),
        })),
    ),
  };
}
