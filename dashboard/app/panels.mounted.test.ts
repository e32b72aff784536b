/** A new panel is a folder and one row; the app derives everything else from the row. */
import { fireEvent } from '@testing-library/dom';
import { computed, defineComponent, h, nextTick, ref } from 'vue';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freezersPanel } from '../fixtures/freezers/panel.ts';
import { click, runInComponent, mountComponent } from '../fixtures/mounted.ts';
import { nextPanel } from './kiosk/kioskRotation.ts';
import { useOfferedPanels } from '../panels/panel.ts';
import { eventTitles, historyTitle, resourceTitles, workflowTitles } from '../panels/titles.ts';
import NavRail from './NavRail.vue';
import { useEntries } from './palette/useEntries.ts';
import { bestMatches } from './palette/match.ts';
import { panels } from './panels.ts';
import { createPageRouter } from './router.ts';

const withFreezers = [...panels, freezersPanel];

// The managers never respond.
beforeEach(() => void vi.stubGlobal('fetch', () => new Promise(() => undefined)));

describe('a panel that consists of one folder and one row', () => {
  it('has its link in the rail with the number of objects that need attention', () => {
    const { page } = mountComponent(NavRail, { panels: withFreezers });
    const link = page.getByRole('link', { name: /^Freezers/ });
    expect(link.getAttribute('href')).toBe('/freezers');
    expect(link.textContent).toContain('2 need attention');
  });

  it('has the addresses of its pages', () => {
    const router = createPageRouter(withFreezers);
    expect(router.resolve('/freezers').meta['title']).toBe('Freezers');
    expect(router.resolve('/freezers/7')).toMatchObject({ name: 'freezer', params: { freezer: '7' } });
  });

  it('is found by the command palette together with its objects', async () => {
    const parts = await Promise.all(withFreezers.flatMap(({ palette }) => palette?.() ?? []));
    const palettes = parts.map(({ palette }) => palette);
    let titles: readonly string[] = [];
    const Palette = defineComponent({
      setup() {
        const entries = useEntries(withFreezers, palettes);
        titles = bestMatches('eighty', entries.value, 5).map(({ title }) => title);
        titles = [...titles, ...bestMatches('freezers', entries.value, 1).map(({ title }) => title)];
        return () => h('p');
      },
    });
    mountComponent(Palette);
    expect(titles).toEqual(['Minus eighty', 'Freezers']);
  });

  it('is part of the rotation on a wall screen', () => {
    const last = panels.findLast(({ kioskSeconds }) => kioskSeconds > 0);
    expect(nextPanel(withFreezers, last?.name ?? '', true)?.name).toBe('freezers');
  });

  it('lists its objects that need attention', () => {
    const { result } = runInComponent(() => withFreezers.flatMap(({ useAttention }) => useAttention?.() ?? []));
    expect(result.flatMap(({ value }) => value).map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'Minus eighty: door open',
    ]);
  });
});

it('a panel is in the rail, in the palette and among the offered panels only while it is offered', async () => {
  const isOffered = ref(false);
  const all = [...panels, { ...freezersPanel, useIsOffered: () => computed(() => isOffered.value) }];
  const { page } = mountComponent(NavRail, { panels: all });
  const { result } = runInComponent(() => ({ entries: useEntries(all, []), offered: useOfferedPanels(all) }));
  const presence = () => [
    page.queryByRole('link', { name: /^Freezers/ }) !== null,
    result.entries.value.some(({ title }) => title === 'Freezers'),
    result.offered.value.some(({ name }) => name === 'freezers'),
  ];
  expect(presence()).toEqual([false, false, false]);
  isOffered.value = true;
  await nextTick();
  expect(presence()).toEqual([true, true, true]);
});

it('the button of the other panels counts their items, and closes them with Escape and on another page', async () => {
  const { page, router } = mountComponent(NavRail, { panels: withFreezers });
  const button = page.getByRole('button', { name: 'More , 2 need attention' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  await fireEvent.keyDown(button, { key: 'Escape' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await click(button);
  await router.push('/timeline');
  await vi.waitFor(() => expect(button.getAttribute('aria-expanded')).toBe('false'));
  expect(button.className).toContain('current');
});

it('four panels are in the bar of a phone', () => {
  expect(panels.filter(({ isFirstOnPhone }) => isFirstOnPhone)).toHaveLength(4);
});

it('pages below a panel are in the palette, unless they are about one object', () => {
  const { result } = runInComponent(() => useEntries(panels, []));
  const titles = result.value.map(({ title }) => title);
  expect(titles).toEqual(
    expect.arrayContaining([historyTitle, eventTitles.utilization, resourceTitles.import, workflowTitles.submit]),
  );
  expect(titles).not.toContain(resourceTitles.resource);
});

it('the panel Many labs is not offered before the lab manager has responded', () => {
  const { page } = mountComponent(NavRail, { panels });
  expect(page.queryByRole('link', { name: 'Many labs' })).toBeNull();
  expect(page.getByRole('link', { name: 'Timeline' }).getAttribute('href')).toBe('/timeline');
});

it('every panel has a unique name, address, key and title', () => {
  for (const field of ['name', 'path', 'key', 'title'] as const) {
    const all = withFreezers.map((panel) => panel[field]);
    expect(new Set(all).size, field).toBe(all.length);
  }
});
