import { waitFor } from '@testing-library/dom';
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { formatManagerTime } from '#api/time/time.ts';
import { sampleEvent } from '../../fixtures/sampleRecords.ts';
import { respondAsManagers, localTimeZone } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { useEventLog } from './useEventLog.ts';

const hour = 3_600_000;
function eventManager(zone: string) {
  const stored: { readonly id: string; readonly at: number }[] = [];
  const requests = respondAsManagers(
    {
      event: ({ path, query }) =>
        path !== '/events'
          ? undefined
          : Object.fromEntries(
              stored
                .map(({ id, at }) => sampleEvent(id, { event_timestamp: formatManagerTime(new Date(at), zone) }))
                .filter(({ event_timestamp: stamp }) => stamp >= (query['start_time'] ?? ''))
                .map((event) => [event['_id'], event]),
            ),
    },
    { event: { time_zone: zone } },
  );
  return { stored, requests };
}

it.each(['+09:00', localTimeZone, '-08:00'])(
  'the event log queries the last hour in the host time of a manager in %s',
  async (zone) => {
    const { stored, requests } = eventManager(zone);
    const halfHourAgo = Date.now() - 30 * 60_000;
    stored.push({ id: 'long ago', at: Date.now() - 3 * hour }, { id: 'before', at: halfHourAgo });
    const from = Date.now() - hour;
    const log = runInComponent(() =>
      useEventLog(() => ({ level: 0, from, to: null, archived: false, subject: null })),
    ).result;
    await waitFor(() => expect(log.rows.value.map(({ id }) => id)).toEqual(['before']));
    expect(Math.abs((log.rows.value[0]?.at ?? 0) - halfHourAgo)).toBeLessThan(1000);
    await waitFor(() => {
      const last = requests.findLast(({ path }) => path === '/events');
      expect(last?.query['start_time']).toBe(formatManagerTime(new Date(from), zone).slice(0, 19));
    });
  },
);

it('the event log reads each event in the time zone of the host that wrote it', async () => {
  const at = Date.now() - 60_000;
  const id = ulid(at);
  respondAsManagers(
    {
      event: ({ path }) =>
        path === '/events'
          ? { [id]: sampleEvent(id, { event_timestamp: formatManagerTime(new Date(at), 'Asia/Tokyo') }) }
          : undefined,
    },
    { event: { time_zone: 'America/Chicago' } },
  );
  const log = runInComponent(() =>
    useEventLog(() => ({ level: 0, from: at - hour, to: null, archived: false, subject: null })),
  ).result;
  await waitFor(() => expect(log.rows.value.map((row) => row.at)).toEqual([at]));
});
