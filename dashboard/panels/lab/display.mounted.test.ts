import { afterEach, expect, it } from 'vitest';
import { formatClock, timeFormat } from '../../base/time.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import DisplayCard from './DisplayCard.vue';
import { labTexts as texts } from './texts.ts';

afterEach(() => {
  timeFormat.value = '24h';
  delete document.documentElement.dataset['density'];
});

it('display choices are applied to the page, stored in this browser and can be reset', async () => {
  const { page } = mountComponent(DisplayCard);
  const afternoon = new Date(2026, 10, 21, 14, 2).getTime();
  await click(page.getByRole('button', { name: texts.timesAs['12h'] }));
  expect(formatClock(afternoon)).toBe('2:02 pm');
  expect(localStorage.getItem('lab-manager.times')).toBe('12h');
  await click(page.getByRole('button', { name: texts.densities.compact }));
  expect(document.documentElement.dataset['density']).toBe('compact');

  await click(page.getByRole('button', { name: 'Reset all display choices' }));
  expect(formatClock(afternoon)).toBe('14:02');
  expect(document.documentElement.dataset['density']).toBe('comfortable');
});

it('customized tables and views are counted and reset, and other settings stay', async () => {
  localStorage.setItem('lab-manager.columns.data', '{"size":false}');
  localStorage.setItem('lab-manager.widths.data', '{"label":12}');
  localStorage.setItem('lab-manager.columns.events', '{}');
  localStorage.setItem('lab-manager.nodes-view', 'table');
  localStorage.setItem('lab-manager.drafts', 'mine');
  const { page } = mountComponent(DisplayCard);
  expect(page.getAllByText(texts.viewsChanged(2))).toHaveLength(1);
  await click(page.getByRole('button', { name: 'Reset columns and views' }));
  expect(page.getAllByText('All were reset to their defaults.')).toHaveLength(1);
  expect(Object.keys(localStorage).filter((key) => /columns|widths|nodes-view/.test(key))).toEqual([]);
  expect(localStorage.getItem('lab-manager.drafts')).toBe('mine');
});
