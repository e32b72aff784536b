/** Tests the title of the browser tab, which contains the name of the displayed object. */
import { computed, defineComponent, h, nextTick, ref } from 'vue';
import { beforeEach, expect, it, vi } from 'vitest';
import PageHeader from '../components/page/PageHeader.vue';
import { mountComponent } from '../fixtures/mounted.ts';
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
