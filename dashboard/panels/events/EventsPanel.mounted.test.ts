import { fireEvent, waitFor } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { formatManagerTime } from '#api/time/time.ts';
import { faultCases, expectFaultNotice, type FaultCase } from '../../fixtures/faultCases.ts';
import { sampleEvent, indexById } from '../../fixtures/sampleRecords.ts';
import { respondAsManagers, localTimeZone } from '../../fixtures/managerResponses.ts';
import { formatTimeSeconds } from '../../base/time.ts';
import { click, stubTableSize, mountComponent } from '../../fixtures/mounted.ts';
import { filterSelectors, wordSelectors } from '../../managers/event/eventRow.ts';
import { lastNight, lastNightTexts } from '../sinceFilter.ts';
import EventsPanel from './EventsPanel.vue';
import { formatDateTime } from './useLogView.ts';
import { eventsTexts as texts } from './texts.ts';

it.each(faultCases)(
  'the event page reports that the manager is %s, waits and keeps the last events',
  async (...fault: FaultCase) => {
    await expectFaultNotice(
      EventsPanel,
      'event',
      indexById(sampleEvent('a', { event_data: { message: 'the lid is on' } })),
      'the lid is on',
      fault,
    );
  },
);

it('the search of the last month sends the filters to the manager and shows its results', async () => {
  stubTableSize();
  const failed = { event_type: 'action_failed', message: 'the arm lost its plate', component_name: 'robotarm_1' };
  const repeatedEvent = { ...failed, message: 'again' };
  const stamp = formatManagerTime(new Date(), localTimeZone);
  const requests = respondAsManagers({
    event: ({ path }) => {
      if (path === '/events')
        // As many events as requested, so there may be older ones.
        return indexById(
          ...Array.from({ length: 200 }, (_, index) =>
            sampleEvent(`new ${index}`, { event_timestamp: stamp, event_data: repeatedEvent }),
          ),
        );
      return path === '/events/query'
        ? indexById(sampleEvent('old', { event_timestamp: stamp, event_data: failed }))
        : undefined;
    },
  });
  const { page, router, unmount } = mountComponent(EventsPanel);
  await router.push({ query: { 'is.type': 'action_failed', 'is.source': 'robotarm_1' } });
  await waitFor(() => expect(page.getAllByText('again').length).toBeGreaterThan(0));
  await click(page.getByRole('button', { name: texts.searchMonth }));
  await waitFor(() => expect(page.getAllByText('the arm lost its plate').length).toBeGreaterThan(0));
  expect(page.queryByText('again')).toBeNull();
  const query = requests.find(({ path }) => path === '/events/query');
  const conditions = filterSelectors(['action_failed'], ['robotarm_1']) ?? [];
  const month = { event_timestamp: { $gte: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string } };
  expect(query?.body).toEqual({ $and: [...conditions, month] });
  unmount();
});

const formatStamp = (at: number): string => formatManagerTime(new Date(at), localTimeZone);

/** An event manager with `total` events spread evenly over last night, newest first; it returns pages as MADSci does. */
function eventsOfLastNight(total: number) {
  const { from, to } = lastNight(Date.now());
  const events = Array.from({ length: total }, (_none, index) => {
    const at = to - ((index + 0.5) / total) * (to - from);
    const message = index === total - 1 ? 'the lid was open' : `line ${index}`;
    return sampleEvent(`E${index}`, { event_timestamp: formatStamp(at), event_data: { message } });
  });
  return respondAsManagers({
    event: ({ path, query, body }) => {
      if (path === '/events/query') return body === undefined ? undefined : indexById(...events.slice(-1));
      if (path !== '/events') return undefined;
      const matchingEvents = events.filter(
        ({ event_timestamp: stamp }) => stamp >= (query['start_time'] ?? '') && stamp <= (query['end_time'] ?? '~'),
      );
      const offset = Number(query['offset'] ?? 0);
      return indexById(...matchingEvents.slice(offset, offset + Number(query['number'])));
    },
  });
}

describe('a selected time range', () => {
  it('is set to last night by one press, stored in the address, read completely and covered by the histogram', async () => {
    stubTableSize();
    const requests = eventsOfLastNight(1450);
    const { page, router, unmount } = mountComponent(EventsPanel);
    await click(await page.findByRole('button', { name: lastNightTexts.title }));
    const { from, to } = lastNight(Date.now());
    await waitFor(() => expect(router.currentRoute.value.query).toEqual({ from: String(from), to: String(to) }));
    // Waits for all events, which are far more than one request returns.
    await waitFor(() => expect(page.getAllByText(texts.scope(1450, true))).toHaveLength(1));
    const pages = requests.filter(({ path, query }) => path === '/events' && query['offset'] !== undefined);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.every(({ query }) => query['start_time'] !== undefined && query['end_time'] !== undefined)).toBe(true);
    const now = Date.now();
    const label = page.getByRole('img', { name: new RegExp(texts.histogram) }).getAttribute('aria-label');
    expect(label).toContain(`: ${formatTimeSeconds(from, now)}–`);
    expect(page.queryByText(/not read before/)).toBeNull();
    unmount();
  });

  it('is entered as date and time and rejected while its end precedes its start', async () => {
    eventsOfLastNight(3);
    const { page, router, unmount } = mountComponent(EventsPanel);
    const field = (name: string) => page.findByLabelText<HTMLInputElement>(name);
    const type = async (name: string, text: string) => {
      fireEvent.input(await field(name), { target: { value: text } });
      fireEvent.keyDown(await field(name), { key: 'Enter' });
    };
    const periods = await page.findByRole<HTMLSelectElement>('combobox', { name: texts.period });
    expect(page.queryByLabelText(texts.range.from)).toBeNull();
    periods.selectedIndex = [...periods.options].findIndex(({ text }) => text === texts.periods.range);
    fireEvent.change(periods);
    await type(texts.range.from, '22 November');
    expect(await page.findAllByText(texts.range.invalid)).toHaveLength(1);
    await type(texts.range.from, '2026-11-22 18:00');
    const from = new Date(2026, 10, 22, 18).getTime();
    await waitFor(() => expect(router.currentRoute.value.query).toEqual({ from: String(from) }));
    await type(texts.range.to, '2026-11-22 17:00');
    expect(await page.findAllByText(texts.range.reversed)).toHaveLength(1);
    expect(router.currentRoute.value.query).toEqual({ from: String(from) });
    await type(texts.range.to, '2026-11-23 08:00');
    const to = new Date(2026, 10, 23, 8).getTime();
    await waitFor(() => expect(router.currentRoute.value.query).toEqual({ from: String(from), to: String(to) }));
    expect((await field(texts.range.to)).value.slice(0, 16)).toBe(formatDateTime(to).slice(0, 16));
    unmount();
  });

  it('is searched by the manager when it has more events than the page keeps', async () => {
    stubTableSize();
    const requests = eventsOfLastNight(11_000);
    const { page, router, unmount } = mountComponent(EventsPanel);
    const { from, to } = lastNight(Date.now());
    await router.push({ query: { from: String(from), to: String(to), q: 'lid' } });
    await waitFor(() => expect(page.getAllByText('the lid was open').length).toBeGreaterThan(0));
    const query = requests.find(({ path }) => path === '/events/query');
    const bounds = [
      { event_timestamp: { $gte: expect.any(String) as string } },
      { event_timestamp: { $lte: expect.any(String) as string } },
    ];
    expect(query?.body).toEqual({ $and: [...wordSelectors('lid'), ...bounds] });
    unmount();
  });
});
