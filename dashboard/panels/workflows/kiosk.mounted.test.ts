/** Kiosk mode offers no submission. */
import { afterEach, expect, it, vi } from 'vitest';
import { respondAsLab } from '../../fixtures/workcellResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { workflowsTexts as texts } from './texts.ts';
import WorkflowsPanel from './WorkflowsPanel.vue';

afterEach(() => void vi.unstubAllGlobals());

async function listSubmitLinks(path: string) {
  respondAsLab();
  const mounted = mountComponent(WorkflowsPanel);
  await mounted.router.push(path);
  await vi.waitFor(() => expect(mounted.page.getAllByText(texts.list.archiveUnread)).toHaveLength(1));
  return mounted.page.queryAllByRole('link', { name: texts.submit });
}

it('the workflow page links to the submit page', async () => {
  expect(await listSubmitLinks('/workflows')).toHaveLength(1);
});

it('the wall screen has no link to the submit page', async () => {
  expect(await listSubmitLinks('/workflows?kiosk')).toEqual([]);
});
