/** Live reading of a manager: an endpoint of its table, its parameters, and how often by the polling schedule. */
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { CallOptions } from '../../../../api/client/client.ts';
import type { Answer, Api, Input } from '../../../../api/client/endpoint.ts';
import { managerTitle, type ManagerKey } from '../../../../api/managers.ts';
import type { Live } from '../../../components/feedback/live.ts';
import { useAddress, useConnection } from '../clients.ts';
import { usePoll } from './poll.ts';
import { pollingSchedule, type PolledName } from './pollingSchedule.ts';
import { managerQueryKey } from './queryKey.ts';

type ManagerApi = Api & { readonly server: ManagerKey };
type EndpointName<A extends Api> = keyof A['endpoints'] & string;

interface ManagerQuery<Parameters> {
  readonly polled: PolledName;
  /** What the endpoint is asked with; `null` while nothing is to be read. Needs none by default. */
  readonly input?: MaybeRefOrGetter<Parameters | null>;
  /** Instead of the schedule's interval, in ms; never shorter than it. */
  readonly interval?: MaybeRefOrGetter<number>;
  /** Whether it is read only once for now, because nothing new comes of what is asked. */
  readonly once?: MaybeRefOrGetter<boolean>;
  /** Where the answer may take longer than reads usually may, in ms. */
  readonly deadlineMs?: number;
}

/** Reads an endpoint of a manager again and again while something on screen needs it. */
export function useManagerQuery<A extends ManagerApi, Name extends EndpointName<A>>(
  api: A,
  endpoint: Name,
  { polled, input = {} as never, interval, once, deadlineMs }: ManagerQuery<Input<A['endpoints'][Name]>>,
): Live<Answer<A['endpoints'][Name]>> {
  const connection = useConnection(api);
  const known = useAddress(api.server);
  const requested = computed(() => toValue(input));
  const usual = pollingSchedule[polled];
  return usePoll({
    who: managerTitle(api.server),
    key: () =>
      managerQueryKey(api.server, requested.value === null ? null : known.value, endpoint, requested.value ?? {}),
    interval: () => (usual === 0 || toValue(once) === true ? 0 : Math.max(usual, toValue(interval) ?? 0)),
    read: async (signal) => {
      const client = connection.value?.queries;
      if (client === undefined || requested.value === null)
        throw new DOMException('The manager has no address any more', 'AbortError');
      // What a table's function takes and gives can't be told by its name alone.
      const call = client[endpoint] as unknown as (
        parameters: unknown,
        options: CallOptions,
      ) => Promise<Answer<A['endpoints'][Name]>>;
      return call(requested.value, { signal, deadlineMs });
    },
  });
}
