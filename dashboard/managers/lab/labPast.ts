/** The lab's history of a longer window than the two hours that every page has. */
import { createClient } from '../../../api/client/client.ts';
import { labApi } from '../../../api/lab/labApi.ts';
import { base } from '../../base/serviceAddress.ts';
import { feedbackTexts } from '../../components/texts.ts';
import { usePoll } from '../transport/poll/poll.ts';
import { pollingSchedule } from '../transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '../transport/poll/queryKey.ts';

const client = createClient(labApi, { baseUrl: base.href, patienceMs: 0 });

/** @param hours 1 to 2160 */
export function useLabPast(hours: () => number) {
  return usePoll({
    who: feedbackTexts.stale.labManager,
    key: () => managerQueryKey('lab', base.href, 'getLabHealthHistory', { hours: hours() }),
    interval: pollingSchedule.labPast,
    read: (signal) => client.getLabHealthHistory({ hours: hours() }, { signal }),
  });
}
