/** What the page reads of the lab manager itself. */
import { createSharedComposable } from '@vueuse/core';
import { computed } from 'vue';
import { serviceAddress } from '../../base/serviceAddress.ts';
import { feedbackTexts } from '../../components/feedback/texts.ts';
import { fetchBody } from '../transport/fetchBody.ts';
import { plans, type Plan } from '../transport/pollingSchedule.ts';
import type { Live } from '../../components/feedback/live.ts';
import { usePoll } from '../transport/poll.ts';

export { queryOptions } from '../transport/poll.ts';

function useLive<Body>(plan: Plan<Body>): Live<Body> {
  const address = serviceAddress(plan.path);
  return usePoll({
    who: feedbackTexts.stale.labManager,
    key: ['lab', plan.path],
    address: computed(() => address),
    interval: plan.interval,
    news: plan.news,
    read: (signal) => fetchBody(address, plan.schema, signal),
  });
}

export const useLabHistory = createSharedComposable(() => useLive(plans.labHistory));
export const useContext = createSharedComposable(() => useLive(plans.context));
export const useSettings = createSharedComposable(() => useLive(plans.settings));
export const useServiceHealth = createSharedComposable(() => useLive(plans.health));
