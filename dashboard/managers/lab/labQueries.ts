/** Queries of the lab manager itself. */
import { createSharedComposable } from '@vueuse/core';
import { computed, type ComputedRef } from 'vue';
import type { RelayResponse } from '../../../api/lab/relay.ts';
import { createClient, type CallOptions, type Client } from '../../../api/client/client.ts';
import { commandRefusal } from '../../../api/lab/followed.ts';
import { labApi } from '../../../api/lab/labApi.ts';
import { compareClocks } from '../../base/clock.ts';
import { base } from '../../base/serviceAddress.ts';
import type { Live } from '../../components/feedback/live.ts';
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
): Live<Body> {
  return usePoll({
    who: feedbackTexts.stale.labManager,
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
/** What the relay offers to this page; `null` while it is off or unknown. Read only where the relay is on. */
export const useRelayOffer = createSharedComposable((): ComputedRef<RelayResponse | null> => {
  const history = useLabHistory();
  const isOn = computed(() => (history.data.value?.remote_access ?? 'off') !== 'off');
  const offer = usePoll({
    who: feedbackTexts.stale.labManager,
    key: () => managerQueryKey('lab', isOn.value ? base.href : null, 'getManagers'),
    interval: pollingSchedule.relay,
    read: (signal) => client.getManagers({}, { signal }),
  });
  return computed(() => (isOn.value ? (offer.data.value ?? null) : null));
});

/** Reads what the relay offers now. */
export function readRelayOffer(signal: AbortSignal): Promise<RelayResponse> {
  return client.getManagers({}, { signal });
}

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
export function useLabPast(hours: () => number) {
  return usePoll({
    who: feedbackTexts.stale.labManager,
    key: () => managerQueryKey('lab', base.href, 'getLabHealthHistory', { hours: hours() }),
    interval: pollingSchedule.labPast,
    read: (signal) => client.getLabHealthHistory({ hours: hours() }, { signal }),
  });
}
