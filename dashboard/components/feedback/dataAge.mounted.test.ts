/** Tests the age of the data on screen, as the top bar shows it, and the mark of a stale page header. */
import { computed, defineComponent, h, nextTick, ref, shallowRef } from 'vue';
import { describe, expect, it } from 'vitest';
import { mountComponent } from '../../fixtures/mounted.ts';
import { computeAge, describeAge, getQueriesOnScreen, useOnScreen, type FreshnessSource } from './dataAge.ts';
import PageHeader from '../page/PageHeader.vue';
import type { LiveQuery } from './liveQuery.ts';
import { feedbackTexts } from '../texts.ts';

const now = new Date(2026, 10, 21, 14, 5, 0).getTime();
const createFreshnessSource = (
  age: number | null,
  interval: number,
  changed: { stale?: boolean; failure?: string } = {},
): FreshnessSource => ({
  receivedAt: computed(() => (age === null ? null : now - age)),
  interval: computed(() => interval),
  stale: computed(() => changed.stale ?? false),
  failure: computed(() => changed.failure ?? null),
});
const text = (...queries: FreshnessSource[]) => {
  const { lead, text: message } = describeAge(computeAge(queries, now), now);
  return `${lead} ${message}`.trim();
};
const { age: texts } = feedbackTexts;

describe('the age of the data on screen', () => {
  it.each([
    [
      'only recent data',
      [createFreshnessSource(1000, 2000), createFreshnessSource(3000, 3000)],
      `${texts.updated} ${texts.now}`,
    ],
    [
      'one older query',
      [createFreshnessSource(1000, 2000), createFreshnessSource(9000, 3000)],
      `${texts.updated} ${texts.ago('9 s')}`,
    ],
    [
      'a rarely polled query in time',
      [createFreshnessSource(1000, 2000), createFreshnessSource(30_000, 40_000)],
      `${texts.updated} ${texts.now}`,
    ],
    [
      'a late, rarely polled query',
      [createFreshnessSource(1000, 2000), createFreshnessSource(48_000, 30_000)],
      `${texts.updated} ${texts.ago('48 s')}`,
    ],
    ['rarely polled queries only', [createFreshnessSource(12_000, 15_000)], `${texts.updated} ${texts.ago('12 s')}`],
    [
      'a query that may be outdated',
      [createFreshnessSource(1000, 2000), createFreshnessSource(180_000, 3000, { stale: true })],
      texts.lastSeen('14:02'),
    ],
    [
      'a query that is read once',
      [createFreshnessSource(1000, 2000), createFreshnessSource(900_000, 0)],
      `${texts.updated} ${texts.now}`,
    ],
    [
      'data beside a query that has none',
      [createFreshnessSource(1000, 2000), createFreshnessSource(null, 2000, { failure: 'refused', stale: true })],
      `${texts.updated} ${texts.now}`,
    ],
    ['no data yet', [createFreshnessSource(null, 2000)], texts.waiting],
    ['no data and no response', [createFreshnessSource(null, 2000, { failure: 'refused', stale: true })], texts.never],
  ])('is described for %s', (_name, queries, message) => {
    expect(text(...queries)).toBe(message);
  });

  it('includes the queries whose data a component shows', async () => {
    const source = createFreshnessSource(1000, 2000);
    const other = createFreshnessSource(5000, 2000);
    const sources = shallowRef([source]);
    const Consumer = defineComponent({
      setup: () => {
        useOnScreen(() => sources.value);
        return () => h('p');
      },
    });
    const { unmount } = mountComponent(Consumer);
    expect(getQueriesOnScreen()).toEqual([source]);
    sources.value = [source, other];
    await nextTick();
    expect(getQueriesOnScreen()).toHaveLength(2);
    unmount();
    expect(getQueriesOnScreen()).toEqual([]);
  });
});

it('the header of a page is marked as stale while its data is stale', async () => {
  const live = (stale: boolean) =>
    ({ data: ref(undefined), ...createFreshnessSource(180_000, 3000, { stale }) }) as unknown as LiveQuery<unknown>;
  const { page, setProps } = mountComponent(PageHeader, { title: 'Workcell', queries: [live(false)] });
  const header = page.getByRole('heading', { level: 1 }).closest('header');
  expect(header?.className).not.toContain('stale');
  await setProps({ queries: [live(true)] });
  expect(header?.className).toContain('stale');
});
