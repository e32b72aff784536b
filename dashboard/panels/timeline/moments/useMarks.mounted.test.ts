import { waitFor } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { ref, watch } from 'vue';
import { formatManagerTime } from '#api/time/time.ts';
import { matches } from '#demo/base/selector.ts';
import { respondAsManagers, localTimeZone, type PublishedClocks } from '#dashboard/fixtures/managerResponses.ts';
import { runInComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleEvent } from '#dashboard/fixtures/sampleRecords.ts';
import { pollingSchedule } from '#dashboard/managers/transport/poll/pollingSchedule.ts';
import { useMarks } from './useMarks.ts';

const hour = 3_600_000;
/** An event manager with a host in `zone`; the service has measured the zone once `clocks` contains it. */
function eventManager(zone: string, clocks: PublishedClocks = { event: { time_zone: zone } }) {
  const stored: { readonly id: string; readonly at: number }[] = [];
  const requests = respondAsManagers(
    {
      event: ({ path, body }) =>
        path !== '/events/query'
          ? undefined
          : Object.fromEntries(
              stored
                .map(({ id, at }) =>
                  sampleEvent(id, {
                    event_type: 'node_error',
                    event_timestamp: formatManagerTime(new Date(at), zone),
                  }),
                )
                .filter((event) => matches(event, body as Record<string, unknown>))
                .map((event) => [event['_id'], event]),
            ),
    },
    clocks,
  );
  return { stored, requests };
}

describe('the marks of the last hour', () => {
  it.each(['+09:00', localTimeZone, '-08:00'])('have the right time for a manager in %s', async (zone) => {
    const { stored } = eventManager(zone);
    const before = Date.now() - hour / 2;
    stored.push({ id: 'long ago', at: Date.now() - 3 * hour }, { id: 'before', at: before });
    const now = Date.now();
    const { marks, areComplete } = runInComponent(() => useMarks(ref({ from: now - hour, to: now }), ref(now))).result;
    await waitFor(() => expect([areComplete.value, marks.value.map(({ id }) => id)]).toEqual([true, ['before']]));
    expect(Math.abs((marks.value[0]?.at ?? 0) - before)).toBeLessThan(1000);
  });

  it('are incomplete while the time zone of the manager is unknown', async () => {
    const { stored } = eventManager(localTimeZone, { event: {} });
    stored.push({ id: 'before', at: Date.now() - hour / 2 });
    const now = Date.now();
    const { marks, areComplete } = runInComponent(() => useMarks(ref({ from: now - hour, to: now }), ref(now))).result;
    await waitFor(() => expect(marks.value.map(({ id }) => id)).toEqual(['before']));
    expect(areComplete.value).toBe(false);
  });
});

it('useMarks returns complete marks while the clock advances, and incomplete ones after a change of the range', async () => {
  const { stored, requests } = eventManager(localTimeZone);
  const now = Math.floor(Date.now() / hour) * hour;
  stored.push({ id: 'before', at: now - hour / 2 });
  const range = ref({ from: now - hour, to: now });
  const { marks, areComplete } = runInComponent(() => useMarks(range, ref(now))).result;
  await waitFor(() => expect(areComplete.value).toBe(true));
  const seen: [boolean, number][] = [];
  watch([areComplete, marks], () => seen.push([areComplete.value, marks.value.length]), { flush: 'sync' });
  range.value = { from: now - hour + 60_000, to: now + 60_000 };
  await waitFor(() => expect(requests).toHaveLength(2));
  await waitFor(() => expect(seen.length).toBeGreaterThan(0));
  expect(new Set(seen.map(String))).toEqual(new Set(['true,1']));
  range.value = { from: now - 9 * hour, to: now - 8 * hour };
  await waitFor(() => expect(seen.map(String)).toContain('false,0'));
});

it.each([
  ['regularly while the range is current', 0, 1, pollingSchedule.nodeEvents],
  ['rarely for a long range', 0, 7 * 24, pollingSchedule.archiveFurtherBack],
  ['once for a past range', 48, 24, 0],
])('the marks are polled %s', async (_how, ago, hours, interval) => {
  eventManager(localTimeZone);
  const now = Date.now();
  const range = { from: now - (ago + hours) * hour, to: now - ago * hour };
  const { live, areComplete } = runInComponent(() => useMarks(ref(range), ref(now))).result;
  await waitFor(() => expect(areComplete.value).toBe(true));
  expect(live.interval.value).toBe(interval);
});
