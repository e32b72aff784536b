/** A node's page has a tab with its raw status and information. */
import { fireEvent } from '@testing-library/dom';
import { defineComponent, h, ref } from 'vue';
import { expect, it } from 'vitest';
import { respondAsLab } from '#dashboard/fixtures/workcellResponses.ts';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleNode } from '#dashboard/fixtures/sampleWorkflow.ts';
import NodePage from './NodePage.vue';

it('the raw tab shows the status that the manager returns', async () => {
  respondAsLab({ nodes: { arm: sampleNode({ description: 'Node is ready for tests' }) } });
  const isShown = ref(false);
  const Page = defineComponent({ setup: () => () => (isShown.value ? h(NodePage) : null) });
  const { page, router } = mountComponent(Page);
  await router.push('/workcells/nodes/arm');
  isShown.value = true;
  const raw = await page.findByRole('tab', { name: 'Raw' });
  expect(
    page.queryByRole('tree', { name: 'Status and information of arm as the workcell manager serves them' }),
  ).toBeNull();
  fireEvent.mouseDown(raw, { button: 0 });
  const tree = await page.findByRole('tree', {
    name: 'Status and information of arm as the workcell manager serves them',
  });
  expect(tree.textContent).toContain('Node is ready for tests');
});
