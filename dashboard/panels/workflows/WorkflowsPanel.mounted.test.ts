/** Tests the workflows page, also in kiosk mode and without a workcell manager. */
import { afterEach, expect, it, vi } from 'vitest';
import { createContextRecord } from '#api/managers.ts';
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

it('the workflows page links to the submit page', async () => {
  expect(await listSubmitLinks('/workflows')).toHaveLength(1);
});

it('the wall screen has no link to the submit page', async () => {
  expect(await listSubmitLinks('/workflows?kiosk')).toEqual([]);
});

it('the workflows page reports that no workcell manager is configured instead of waiting for one', async () => {
  vi.stubGlobal('fetch', async () => Response.json(createContextRecord(() => null)));
  const { page } = mountComponent(WorkflowsPanel);
  await vi.waitFor(() => expect(page.getAllByText(texts.actions.noManager)).toHaveLength(1));
  expect(page.queryByRole('table')).toBe(null);
  expect(page.queryByText(texts.list.waiting)).toBe(null);
});
