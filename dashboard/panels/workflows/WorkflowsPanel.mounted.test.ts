/** Tests the workflows page, also in kiosk mode and without a workcell manager. */
import { expect, it, vi } from 'vitest';
import { createContextRecord } from '#api/managers.ts';
import { createPublishedHistory } from '../../fixtures/managerResponses.ts';
import { respondAsLab } from '../../fixtures/workcellResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { workflowsTexts as texts } from './texts.ts';
import WorkflowsPanel from './WorkflowsPanel.vue';

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

it('the workflows page lists the workflows that the workcell manager lost', async () => {
  respondAsLab();
  const respond = fetch;
  const [seen, missed] = [new Date(2026, 10, 21, 4, 56), new Date(2026, 10, 21, 4, 57)].map((at) => at.toISOString());
  const lost = { seen, missed, total: 2, workflows: [{ id: '01JA', name: 'Assay 3', state: 'running' }] };
  const activity = { nodes: null, ended_workflows: [], lost_workflows: lost };
  vi.stubGlobal('fetch', async (input: string | URL, init?: RequestInit) =>
    new URL(input).pathname === '/lab_health/history'
      ? Response.json({ ...createPublishedHistory({}), activity })
      : await respond(input, init),
  );
  const { page } = mountComponent(WorkflowsPanel);
  const notice = (await page.findByText(/^2 active workflows were lost between .*4:56.* and .*4:57/)).closest(
    'details',
  );
  expect([...(notice?.querySelectorAll('li') ?? [])].map((line) => line.textContent)).toEqual([
    texts.list.lostWorkflow('Assay 3', 'running', '01JA'),
    texts.queue.more(1),
  ]);
});
