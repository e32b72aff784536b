/** The service's safety stop: its state, which all screens show, and this page's requests. */
import { createSharedComposable } from '@vueuse/core';
import { createClient } from '../../../api/client/client.ts';
import { safetyStopApi, type StopRequest } from '../../../api/lab/safetyStopApi.ts';
import { base } from '../../base/serviceAddress.ts';
import { feedbackTexts } from '../../components/texts.ts';
import { useSession } from '../lab/session.ts';
import { fetchWithCsrfToken, globalFetch } from '../transport/clients.ts';
import { usePoll } from '../transport/poll/poll.ts';
import { pollingSchedule } from '../transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '../transport/poll/queryKey.ts';

const body: StopRequest = { application: 'dashboard' };

export const useStopService = createSharedComposable(() => {
  const { session } = useSession();
  const client = createClient(safetyStopApi, {
    baseUrl: base.href,
    maxRetryMs: 0,
    sendsCookies: true,
    fetch: fetchWithCsrfToken(globalFetch, () => session.value?.csrf_token ?? null),
  });
  const live = usePoll({
    source: feedbackTexts.stale.labManager,
    key: managerQueryKey('lab', base.href, 'getStop'),
    interval: pollingSchedule.safetyStop,
    read: (signal) => client.getStop({}, { signal }),
    nextPollIn: ({ stop }) => (stop?.sending === true ? pollingSchedule.sendingStop : 0),
  });
  return {
    live,
    /** The request completes even if the page is closed right after the press. */
    stop: () => client.stop({ body }, { keepalive: true }),
    release: () => client.release({ body }),
    acknowledge: () => client.acknowledge({ body }),
  };
});
