/** The log when its manager is busy, fails, or answers by halves; and the manager's own search. */
import { waitFor } from '@testing-library/dom';
import { afterEach, expect, it, vi } from 'vitest';
import { formatManagerTime } from '../../../api/time.ts';
import { faultCases, seesFault, type FaultCase } from '../../fixtures/faultCases.ts';
import { sampleEvent, byId } from '../../fixtures/records.ts';
import { answerAsManagers, ownZone } from '../../fixtures/managerAnswers.ts';
import { click, giveRoomToTables, mounted } from '../../fixtures/mounted.ts';
import { filterSelectors } from '../../managers/event/eventRow.ts';
import EventsPanel from './EventsPanel.vue';
import { eventsTexts as texts } from './texts.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each(faultCases)('says so when it is %s, waits, and keeps what was read', async (...fault: FaultCase) => {
  await seesFault(
    EventsPanel,
    'event',
    byId(sampleEvent('a', { event_data: { message: 'the lid is on' } })),
    'the lid is on',
    fault,
  );
});

it('has the manager search all of the last month for what is filtered, and shows what it finds', async () => {
  giveRoomToTables();
  const failed = { event_type: 'action_failed', message: 'the arm lost its plate', component_name: 'robotarm_1' };
  const again = { ...failed, message: 'again' };
  const stamp = formatManagerTime(new Date(), ownZone);
  const asked = answerAsManagers({
    event: ({ path }) => {
      if (path === '/events')
        // As many as are read: there may be older ones.
        return byId(
          ...Array.from({ length: 200 }, (_, at) =>
            sampleEvent(`new ${at}`, { event_timestamp: stamp, event_data: again }),
          ),
        );
      return path === '/events/query'
        ? byId(sampleEvent('old', { event_timestamp: stamp, event_data: failed }))
        : undefined;
    },
  });
  const { page, router, unmount } = mounted(EventsPanel);
  await router.push({ query: { 'is.type': 'action_failed', 'is.source': 'robotarm_1' } });
  await waitFor(() => expect(page.getAllByText('again').length).toBeGreaterThan(0));
  await click(page.getByRole('button', { name: texts.searchMonth }));
  await waitFor(() => expect(page.getAllByText('the arm lost its plate').length).toBeGreaterThan(0));
  expect(page.queryByText('again')).toBeNull();
  const query = asked.find(({ path }) => path === '/events/query');
  const conditions = filterSelectors(['action_failed'], ['robotarm_1']) ?? [];
  const month = { event_timestamp: { $gte: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string } };
  expect(query?.body).toEqual({ $and: [...conditions, month] });
  unmount();
});
