/** Kiosk mode offers no submission. */
import { afterEach, expect, it, vi } from 'vitest';
import { answerAsLab } from '../../fixtures/answers.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { workflowsTexts as texts } from './texts.ts';
import WorkflowsPanel from './WorkflowsPanel.vue';

afterEach(() => void vi.unstubAllGlobals());

async function panel(path: string) {
  answerAsLab();
  const shown = mountComponent(WorkflowsPanel);
  await shown.router.push(path);
  await vi.waitFor(() => expect(shown.page.getAllByText(texts.list.archiveUnread)).toHaveLength(1));
  return shown.page.queryAllByRole('link', { name: texts.submit });
}

it('the workflow page links to the submit page', async () => {
  expect(await panel('/workflows')).toHaveLength(1);
});

it('the wall screen has no link to the submit page', async () => {
  expect(await panel('/workflows?kiosk')).toEqual([]);
});
