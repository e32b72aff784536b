/** The labs of `LAB_FLEET` as the lab manager read them. */
import { fleetApi } from '#api/lab/fleetApi.ts';
import type { FleetLabs } from '#api/lab/fleet.ts';
import { createClient } from '#api/client/client.ts';
import { base } from '../../base/serviceAddress.ts';
import type { LiveQuery } from '../../components/feedback/liveQuery.ts';
import { feedbackTexts } from '../../components/texts.ts';
import { usePoll } from '../transport/poll/poll.ts';
import { pollingSchedule } from '../transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '../transport/poll/queryKey.ts';

const client = createClient(fleetApi, { baseUrl: base.href, maxRetryMs: 0, sendsCookies: true });

export function useFleet(): LiveQuery<FleetLabs> {
  return usePoll({
    source: feedbackTexts.stale.labManager,
    key: managerQueryKey('lab', base.href, 'getFleetLabs'),
    interval: pollingSchedule.fleet,
    read: (signal) => client.getFleetLabs({}, { signal }),
  });
}
