/** Queries of the lab manager itself. */
import { createSharedComposable } from '@vueuse/core';
import { computed, type ComputedRef } from 'vue';
import type { RelayResponse } from '#api/lab/relay.ts';
import { createClient, type CallOptions, type Client } from '#api/client/client.ts';
import { commandRefusal } from '#api/lab/followedLab.ts';
import { labApi } from '#api/lab/labApi.ts';
import { compareClocks } from '../../base/clock.ts';
import { base } from '../../base/serviceAddress.ts';
import type { LiveQuery } from '../../components/feedback/liveQuery.ts';
import { feedbackTexts } from '../../components/texts.ts';
import { usePoll } from '../transport/poll/poll.ts';
import { pollingSchedule, untilNextCheck, type ScheduleName } from '../transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '../transport/poll/queryKey.ts';

const client = createClient(labApi, { baseUrl: base.href, maxRetryMs: 0, sendsCookies: true });

function useLabQuery<Body>(
  schedule: ScheduleName,
  endpoint: keyof typeof labApi.endpoints,
  read: (client: Client<typeof labApi>, options: CallOptions) => Promise<Body>,
  nextPollIn?: (body: Body) => number,
): LiveQuery<Body> {
  return usePoll({
    source: feedbackTexts.stale.labManager,
    key: managerQueryKey('lab', base.href, endpoint),
    interval: pollingSchedule[schedule],
    nextPollIn,
    read: (signal) => read(client, { signal }),
  });
}

export const useLabHistory = createSharedComposable(() =>
  useLabQuery(
    'labHistory',
    'getLabHealthHistory',
    async (lab, options) => {
      const sentAt = Date.now();
      const body = await lab.getLabHealthHistory({}, options);
      compareClocks(Date.parse(body.now), { sentAt, receivedAt: Date.now() });
      return body;
    },
    untilNextCheck,
  ),
);
/**
 * The relay's access rules for this page; `null` while the relay is off or its rules are unknown. They are read only
 * while the relay is on.
 */
export const useRelayAccess = createSharedComposable((): ComputedRef<RelayResponse | null> => {
  const history = useLabHistory();
  const isOn = computed(() => (history.data.value?.remote_access ?? 'off') !== 'off');
  const access = usePoll({
    source: feedbackTexts.stale.labManager,
    key: () => managerQueryKey('lab', isOn.value ? base.href : null, 'getManagers'),
    interval: pollingSchedule.relay,
    read: (signal) => client.getManagers({}, { signal }),
  });
  return computed(() => (isOn.value ? (access.data.value ?? null) : null));
});

/**
 * Returns a function for the reason why nothing may be sent to the lab now; it returns `null` when sending is allowed.
 */
export function useCommandRefusal(): () => string | null {
  const history = useLabHistory();
  return () => commandRefusal(history.data.value?.followed);
}
export const useContext = createSharedComposable(() =>
  useLabQuery('context', 'getContext', (lab, options) => lab.getContext({}, options)),
);
export const useSettings = createSharedComposable(() =>
  useLabQuery('settings', 'getSettings', (lab, options) => lab.getSettings({}, options)),
);
export const useServiceHealth = createSharedComposable(() =>
  useLabQuery('health', 'getHealth', (lab, options) => lab.getHealth({}, options)),
);

/** The lab's history over a longer window than the default of two hours. @param hours 1 to 2160 */
export function useLabHistoryOver(hours: () => number) {
  return usePoll({
    source: feedbackTexts.stale.labManager,
    key: () => managerQueryKey('lab', base.href, 'getLabHealthHistory', { hours: hours() }),
    interval: pollingSchedule.longLabHistory,
    read: (signal) => client.getLabHealthHistory({ hours: hours() }, { signal }),
  });
}
