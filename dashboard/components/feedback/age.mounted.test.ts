/** The age that the bar tells is that of the oldest thing on screen, and what is old says so. */
import { computed, defineComponent, h, nextTick, ref, shallowRef } from 'vue';
import { describe, expect, it } from 'vitest';
import { mounted } from '../../fixtures/mounted.ts';
import { ageOf, ageWords, livesOnScreen, useOnScreen, type Aged } from './age.ts';
import PageHeader from '../page/PageHeader.vue';
import type { Live } from './live.ts';
import { feedbackTexts } from '../texts.ts';

const now = new Date(2026, 10, 21, 14, 5, 0).getTime();
const reading = (age: number | null, interval: number, changed: { stale?: boolean; failure?: string } = {}): Aged => ({
  receivedAt: computed(() => (age === null ? null : now - age)),
  interval: computed(() => interval),
  stale: computed(() => changed.stale ?? false),
  failure: computed(() => changed.failure ?? null),
});
const words = (...lives: Aged[]) => {
  const { lead, words: said } = ageWords(ageOf(lives, now), now);
  return `${lead} ${said}`.trim();
};
const { age: texts } = feedbackTexts;

describe('the age of what is on screen', () => {
  it.each([
    ['all of it young', [reading(1000, 2000), reading(3000, 3000)], `${texts.updated} ${texts.now}`],
    ['one of it older', [reading(1000, 2000), reading(9000, 3000)], `${texts.updated} ${texts.ago('9 s')}`],
    ['one read seldom, and in time', [reading(1000, 2000), reading(30_000, 40_000)], `${texts.updated} ${texts.now}`],
    [
      'one read seldom, and late',
      [reading(1000, 2000), reading(48_000, 30_000)],
      `${texts.updated} ${texts.ago('48 s')}`,
    ],
    ['only what is read seldom', [reading(12_000, 15_000)], `${texts.updated} ${texts.ago('12 s')}`],
    [
      'one that may no longer be so',
      [reading(1000, 2000), reading(180_000, 3000, { stale: true })],
      texts.lastSeen('14:02'),
    ],
    ['what is read once', [reading(1000, 2000), reading(900_000, 0)], `${texts.updated} ${texts.now}`],
    ['nothing yet', [reading(null, 2000)], texts.waiting],
    ['nothing, and no answer', [reading(null, 2000, { failure: 'refused', stale: true })], texts.never],
  ])('is told of %s', (_name, lives, said) => {
    expect(words(...lives)).toBe(said);
  });

  it('counts for as long as a component shows it', async () => {
    const one = reading(1000, 2000);
    const other = reading(5000, 2000);
    const shown = shallowRef([one]);
    const Part = defineComponent({
      setup: () => {
        useOnScreen(() => shown.value);
        return () => h('p');
      },
    });
    const { unmount } = mounted(Part);
    expect(livesOnScreen()).toEqual([one]);
    shown.value = [one, other];
    await nextTick();
    expect(livesOnScreen()).toHaveLength(2);
    unmount();
    expect(livesOnScreen()).toEqual([]);
  });
});

it('lets the heading of a page go grey with what it shows', async () => {
  const live = (stale: boolean) =>
    ({ data: ref(undefined), ...reading(180_000, 3000, { stale }) }) as unknown as Live<unknown>;
  const { page, give } = mounted(PageHeader, { title: 'Workcell', lives: [live(false)] });
  const header = page.getByRole('heading', { level: 1 }).closest('header');
  expect(header?.className).not.toContain('stale');
  await give({ lives: [live(true)] });
  expect(header?.className).toContain('stale');
});
