import { fireEvent } from '@testing-library/dom';
import { nextTick } from 'vue';
import { expect, it, vi } from 'vitest';
import { nodeAppearances, workflowAppearances } from '#api/states.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { sampleNow } from '../../fixtures/sampleLabStatus.ts';
import type { AttentionItem } from '../panel.ts';
import AttentionList from './AttentionList.vue';
import { overviewTexts as texts } from './texts.ts';

const condition = (name: string, overrides: Partial<AttentionItem> = {}): AttentionItem => ({
  key: name,
  appearance: nodeAppearances.errored,
  name,
  reason: 'motor stalled',
  since: sampleNow - 60_000,
  action: { label: 'Open node', to: '/workcells' },
  ...overrides,
});
const failure = (name: string): AttentionItem =>
  condition(name, { appearance: workflowAppearances.failed, past: true, hideable: true });
const twelveConditions = Array.from({ length: 12 }, (_, index) => condition(`node_${index}`));
const fiveFailures = Array.from({ length: 5 }, (_, index) => failure(`failure_${index}`));

it('the attention list shows every current condition and collapses only past failures', async () => {
  const { page } = mountComponent(AttentionList, {
    items: [...twelveConditions, ...fiveFailures],
    now: sampleNow,
    isReading: false,
    dismissedCount: 0,
  });
  expect(page.getAllByRole('listitem')).toHaveLength(12);
  const expandButton = page.getByRole('button', { name: texts.pastFailures(5, false) });
  await click(expandButton);
  expect(page.getAllByRole('listitem')).toHaveLength(17);
  await click(page.getByRole('button', { name: 'Show fewer past failures' }));
  expect(page.getAllByRole('listitem')).toHaveLength(12);
});

it('the attention list offers to dismiss each past failure and to show the dismissed ones', async () => {
  const onHide = vi.fn();
  const onShowDismissed = vi.fn();
  const { page } = mountComponent(AttentionList, {
    items: [condition('arm'), failure('assay')],
    now: sampleNow,
    isReading: false,
    dismissedCount: 2,
    onHide,
    onShowDismissed,
  });
  await click(page.getByRole('button', { name: 'Dismiss in this browser: assay' }));
  expect(onHide).toHaveBeenCalledWith('assay');
  expect(page.queryByRole('button', { name: 'Dismiss in this browser: arm' })).toBeNull();
  expect(page.getAllByText('2 dismissed')).toHaveLength(1);
  await click(page.getByRole('button', { name: 'Show again' }));
  expect(onShowDismissed).toHaveBeenCalledOnce();
});

it('the attention list marks a stale condition as last known', () => {
  const { page } = mountComponent(AttentionList, {
    items: [condition('arm', { stale: true })],
    now: sampleNow,
    isReading: false,
    dismissedCount: 0,
  });
  expect(page.getByRole('listitem').className).toContain('stale');
  expect(page.getAllByText(texts.lastKnown)).toHaveLength(1);
});

it('the attention list shows all items on a wall screen', async () => {
  const { page, router } = mountComponent(AttentionList, {
    items: [...twelveConditions, ...fiveFailures],
    now: sampleNow,
    isReading: false,
    dismissedCount: 0,
  });
  await router.push('/?kiosk');
  await vi.waitFor(() => expect(page.getAllByRole('listitem')).toHaveLength(17));
});

it('the attention list moves no row below the pointer, and mentions that items are still read', async () => {
  const fields = { now: sampleNow, dismissedCount: 0 };
  const { page, setProps } = mountComponent(AttentionList, {
    ...fields,
    isReading: true,
    items: [condition('arm'), condition('reader')],
  });
  page.getByText('still reading resources, experiments and locations…');
  const names = () => page.getAllByRole('listitem').map((item) => item.querySelector('.name')?.textContent);
  const list = page.getByRole('list');
  // Listeners are added after the first render.
  await nextTick();
  await fireEvent.mouseEnter(list);
  const items = [condition('washer'), condition('reader'), condition('arm')];
  await setProps({ items, isReading: false });
  expect(names()).toEqual(['arm', 'reader', 'washer']);
  expect(page.queryByText('still reading resources, experiments and locations…')).toBeNull();
  await fireEvent.mouseLeave(list);
  await vi.waitFor(() => expect(names()).toEqual(['washer', 'reader', 'arm']));
});

it('the attention list reserves its height of the last visit while items are read', async () => {
  localStorage.setItem('lab-manager.attention-height', '120');
  const fields = { now: sampleNow, dismissedCount: 0, items: [condition('arm')] };
  const { page, setProps } = mountComponent(AttentionList, { ...fields, isReading: true });
  expect(page.getByRole('list').style.minHeight).toBe('120px');
  await setProps({ isReading: false });
  expect(page.getByRole('list').style.minHeight).toBe('');
});
