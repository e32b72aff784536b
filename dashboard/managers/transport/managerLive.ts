/** Live reading of a manager: an entry of the plan and the function of its client that reads it. */
import { toValue, computed, type MaybeRefOrGetter } from 'vue';
import type { CallOptions, Client } from '../../../api/client.ts';
import type { Api } from '../../../api/endpoint.ts';
import { managerTitle, type ManagerKey } from '../../../api/managers.ts';
import { useAddress, useConnection } from './clients.ts';
import { managerPlans, type ManagerPlanName } from './pollingSchedule.ts';
import type { Live } from '../../components/feedback/live.ts';
import { usePoll } from './poll.ts';

export interface ManagerReading<A extends Api, Body> {
  /** Of the object that is read, for instance its ID; `null` while nothing is to be read. */
  readonly of?: MaybeRefOrGetter<string | number | null>;
  /** Instead of the plan's interval, in ms; never shorter than it. */
  readonly interval?: MaybeRefOrGetter<number>;
  readonly read: (client: Client<A>, options: CallOptions) => Promise<Body>;
}

/** The key under which everything read of a manager is kept, for reading it again after an action. */
export function managerQueryKey(manager: ManagerKey): readonly unknown[] {
  return ['manager', manager];
}

export function useManagerLive<A extends Api & { readonly server: ManagerKey }, Body>(
  name: ManagerPlanName,
  api: A,
  { of = '', interval, read }: ManagerReading<A, Body>,
): Live<Body> {
  const plan = managerPlans[name];
  const connection = useConnection(api);
  const known = useAddress(api.server);
  const address = computed(() => (toValue(of) === null ? null : known.value));
  return usePoll({
    who: managerTitle(api.server),
    key: () => [...managerQueryKey(api.server), name, toValue(of)],
    address,
    interval: () => (plan.interval === 0 ? 0 : Math.max(plan.interval, toValue(interval) ?? 0)),
    read: async (signal) => {
      const client = connection.value?.reads;
      if (client === undefined) throw new DOMException('The manager has no address any more', 'AbortError');
      return read(client, { signal });
    },
  });
}
