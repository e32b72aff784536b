import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { nextTick, ref } from 'vue';
import { formatManagerTime } from '#api/time/time.ts';
import { matches } from '#demo/base/selector.ts';
import { indexById, sampleEvent } from '../../fixtures/sampleRecords.ts';
import { respondAsManagers, localTimeZone } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { dayMs } from '../event/eventText.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';
import { useExperimentEnds } from './useExperimentEnds.ts';

const failed = (id: string, daysAgo: number) =>
  sampleEvent(id, {
    event_timestamp: formatManagerTime(new Date(Date.now() - daysAgo * dayMs), localTimeZone),
    event_data: { event_type: 'experiment_failed', experiment_id: id },
  });

it('useExperimentEnds queries the log back to the oldest missing end, once for each day', async () => {
  const events = [failed('today', 0.1), failed('yesterday', 1), failed('long ago', 40)];
  const requests = respondAsManagers(
    {
      event: ({ path, body }) =>
        path === '/events/query'
          ? indexById(...events.filter((event) => matches(event, body as Record<string, unknown>)))
          : undefined,
    },
    { event: { time_zone: localTimeZone } },
  );
  const since = ref<number | null>(null);
  const { ends, isZoneKnown } = runInComponent(() => ({
    ends: useExperimentEnds(() => since.value),
    isZoneKnown: useManagerTime('event').isZoneKnown,
  })).result;
  await waitFor(() => expect(isZoneKnown.value).toBe(true));
  since.value = Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2;
  await waitFor(() => expect([...ends.value.keys()]).toEqual(['today', 'yesterday']));
  since.value += 1000;
  await nextTick();
  expect(requests).toHaveLength(1);
  since.value -= 45 * dayMs;
  await waitFor(() => expect([...ends.value.keys()]).toEqual(['today', 'yesterday', 'long ago']));
});
