import { expect, it } from 'vitest';
import { stepAppearances } from '#api/states.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import TimeAxis from './TimeAxis.vue';

it('TimeAxis keeps a bar visible when it is zoomed in repeatedly', async () => {
  const minute = 60_000;
  const span = (key: string, start: number, end: number) => ({
    key,
    lane: 'arm',
    start,
    end,
    appearance: stepAppearances.succeeded,
    label: key,
  });
  const { page } = mountComponent(TimeAxis, {
    lanes: [{ key: 'arm', label: 'arm' }],
    spans: [span('Move', 0, minute), span('Read', 59 * minute, 60 * minute)],
    now: 60 * minute,
    label: 'Steps',
  });
  const bars = () => page.getAllByRole('button', { name: /arm: / });
  expect(bars()).toHaveLength(2);
  for (let step = 0; step < 6; step += 1) {
    await click(page.getByRole('button', { name: 'Zoom in' }));
  }
  expect(bars()).toHaveLength(1);
});
