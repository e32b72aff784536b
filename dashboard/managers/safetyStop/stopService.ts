/** The service's safety stop: its state, which all screens show, and this page's requests. */
import { createSharedComposable } from '@vueuse/core';
import { computed, shallowRef, watch } from 'vue';
import { createClient } from '#api/client/client.ts';
import { safetyStopApi, type StopRequest, type StopResponse } from '#api/lab/safetyStopApi.ts';
import { base } from '../../base/serviceAddress.ts';
import { feedbackTexts } from '../../components/texts.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { useSession } from '../lab/session.ts';
import { fetchWithCsrfToken, globalFetch } from '../transport/clients.ts';
import { usePoll } from '../transport/poll/poll.ts';
import { pollingSchedule } from '../transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '../transport/poll/queryKey.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

const sender: StopRequest = { application: 'dashboard' };

export const useStopService = createSharedComposable(() => {
  const { session } = useSession();
  const client = createClient(safetyStopApi, {
    baseUrl: base.href,
    maxRetryMs: 0,
    sendsCookies: true,
    fetch: fetchWithCsrfToken(globalFetch, () => session.value?.csrf_token ?? null),
  });
  let hasPosted = false;
  function nextPollIn({ stop, in_effect: isInEffect }: StopResponse): number {
    if (stop?.sending === true || stop?.releasing === true) return pollingSchedule.sendingStop;
    // A reading from before this page's press contains no stop yet.
    return isInEffect || (stop === null && hasPosted) ? pollingSchedule.safetyStop : pollingSchedule.idleStop;
  }
  const interval = shallowRef<number>(pollingSchedule.idleStop);
  const live = usePoll({
    source: feedbackTexts.stale.labManager,
    key: managerQueryKey('lab', base.href, 'getStop'),
    interval,
    read: (signal) => client.getStop({}, { signal }),
    nextPollIn,
  });
  const history = useLabHistory();
  watch(
    () => stringifyExactJson(history.data.value?.safety_stop ?? null),
    () => void live.refresh().catch(() => undefined),
  );
  /** The response to this page's last request, until the next reading. */
  const posted = shallowRef<StopResponse | null>(null);
  watch(live.data, (state) => {
    // After a failure, the next reading follows as soon as the state requires it.
    interval.value = state === undefined ? pollingSchedule.idleStop : nextPollIn(state);
    // A reading from before the press contains an earlier stop.
    if ((state?.stop?.at ?? '') >= (posted.value?.stop?.at ?? '')) posted.value = null;
  });
  const send = async (request: Promise<StopResponse>): Promise<StopResponse> => {
    hasPosted = true;
    const response = await request;
    posted.value = response;
    // Readings show the further course.
    void live.refresh().catch(() => undefined);
    return response;
  };
  return {
    live,
    /** The last state of the service; `null` before the first one. */
    state: computed(() => posted.value ?? live.data.value ?? null),
    /** The request completes even if the page is closed right after the press. */
    stop: (request: StopRequest) => send(client.stop({ body: { ...sender, ...request } }, { keepalive: true })),
    release: () => send(client.release({ body: sender })),
    acknowledge: () => send(client.acknowledge({ body: sender })),
  };
});
