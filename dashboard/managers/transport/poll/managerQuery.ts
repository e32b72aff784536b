/** Polls an endpoint of a manager with the interval of the polling schedule. */
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { announcedIntervals } from '#api/lab/changes.ts';
import type { CallOptions } from '#api/client/client.ts';
import type { Output, Api, Input } from '#api/client/endpoint.ts';
import { managerTitle, type ManagerKey } from '#api/managers.ts';
import type { LiveQuery } from '#dashboard/components/feedback/liveQuery.ts';
import { useConnection } from '../clients.ts';
import { useAnnouncements } from '../relay/announcements.ts';
import { usePoll } from './poll.ts';
import { pollingSchedule, type ScheduleName } from './pollingSchedule.ts';
import { managerQueryKey } from './queryKey.ts';

type ManagerApi = Api & { readonly server: ManagerKey };
type EndpointName<A extends Api> = keyof A['endpoints'] & string;

interface ManagerQuery<Parameters> {
  readonly schedule: ScheduleName;
  /** The parameters of the endpoint; `null` pauses reading. None by default. */
  readonly input?: MaybeRefOrGetter<Parameters | null>;
  /** Overrides the schedule's interval, in ms; can only lengthen it. */
  readonly interval?: MaybeRefOrGetter<number>;
  /** Whether the data is read only once for now, because it can't change. */
  readonly once?: MaybeRefOrGetter<boolean>;
  /** A longer timeout for slow responses, in ms. */
  readonly timeoutMs?: number;
}

/** Polls an endpoint of a manager while a component on screen needs the data. */
export function useManagerQuery<A extends ManagerApi, Name extends EndpointName<A>>(
  api: A,
  endpoint: Name,
  { schedule, input = {} as never, interval: minInterval, once, timeoutMs }: ManagerQuery<Input<A['endpoints'][Name]>>,
): LiveQuery<Output<A['endpoints'][Name]>> {
  const connection = useConnection(api);
  const parameters = computed(() => toValue(input));
  const scheduledInterval = pollingSchedule[schedule];
  if (api.server === 'workcell' && endpoint in announcedIntervals) useAnnouncements();
  const interval = computed(() =>
    scheduledInterval === 0 || toValue(once) === true ? 0 : Math.max(scheduledInterval, toValue(minInterval) ?? 0),
  );
  return usePoll({
    source: managerTitle(api.server),
    key: () =>
      managerQueryKey(
        api.server,
        parameters.value === null ? null : (connection.value?.address ?? null),
        endpoint,
        parameters.value ?? {},
      ),
    interval,
    read: async (signal) => {
      const client = connection.value?.queries;
      if (client === undefined || parameters.value === null)
        throw new DOMException('The manager has no address any more', 'AbortError');
      // The types of the endpoint's parameters and response can't be inferred from its name.
      const call = client[endpoint] as unknown as (
        parameters: unknown,
        options: CallOptions,
      ) => Promise<Output<A['endpoints'][Name]>>;
      return call(parameters.value, { signal, timeoutMs, maxAgeMs: interval.value });
    },
  });
}
