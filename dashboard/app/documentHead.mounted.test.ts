/** Tests the title of the browser tab, which contains the name of the displayed object. */
import { computed, defineComponent, h, nextTick, ref } from 'vue';
import { beforeEach, expect, it, vi } from 'vitest';
import PageHeader from '../components/page/PageHeader.vue';
import { createPublishedHistory } from '../fixtures/managerResponses.ts';
import { mountComponent } from '../fixtures/mounted.ts';
import TopBar from './TopBar.vue';
import { useDocumentHead } from './documentHead.ts';

// The lab manager never responds.
beforeEach(() => void vi.stubGlobal('fetch', () => new Promise(() => undefined)));

it('the document title contains the name of the displayed object, and no name when the page shows no object', async () => {
  const name = ref<string | null>('Growth assay');
  const Page = defineComponent({
    setup() {
      useDocumentHead(computed(() => 'light' as const));
      return () =>
        name.value === null
          ? h(PageHeader, { title: 'Workflows' })
          : h('div', [h(PageHeader, { title: name.value, trail: [{ title: 'Workflows', to: '/workflows' }] })]);
    },
  });
  mountComponent(Page);
  await nextTick();
  expect(document.title).toContain('Growth assay');
  name.value = 'Wash';
  await nextTick();
  await nextTick();
  expect(document.title).toContain('Wash');
  name.value = null;
  await nextTick();
  await nextTick();
  expect(document.title).toBe('Connecting · Lab Manager');
});

it('the top bar and the title name what needs a person, with a link to its list on Overview', async () => {
  const arm = { name: 'arm', state: 'errored' as const, reason: 'motor stalled', since: '2026-11-28T14:00:00.000Z' };
  const activity = { nodes: { total: 2, in_need: [arm] }, ended_workflows: [] };
  const status = { ...createPublishedHistory({ workcell: {} }), state: 'healthy', activity };
  vi.stubGlobal('fetch', (url: string | URL) =>
    String(url).endsWith('/lab_health/history') ? Promise.resolve(Response.json(status)) : new Promise(() => undefined),
  );
  const Page = defineComponent({
    setup() {
      useDocumentHead(computed(() => 'light' as const));
      return () => h(TopBar, { kiosk: false });
    },
  });
  const { page } = mountComponent(Page);
  const link = await page.findByRole('link', { name: '1 needs you' });
  expect(link.getAttribute('href')).toBe('/#attention-title');
  expect(page.getByText('Managers 1/1').closest('a')?.getAttribute('href')).toBe('/#managers-title');
  expect(document.title).toMatch(/^1 needs you · /);
});
