/** The alternatives that are offered while MADSci cannot cancel a workflow directly: a busy node, and a transfer. */
import type { Page } from 'playwright';
import { guardTexts } from '#dashboard/managers/guards/texts.ts';
import { workflowsTexts } from '#dashboard/panels/workflows/texts.ts';
import { expect, test } from '../../support/demoLab.ts';
import {
  waitUntilRunning,
  waitUntilEnded,
  testNode,
  slowStep,
  submit,
  waitStep,
  waitForWorkflow,
  workcellClient,
} from './workflowsLab.ts';
import { overviewTitle } from '#dashboard/panels/titles.ts';

const texts = workflowsTexts.actions;
const openPage = (page: Page, url: string, id: string) => page.goto(new URL(`workflows/${id}`, url).href);
const dialog = (page: Page) => page.getByRole('alertdialog');
const cancel = (page: Page) => page.getByRole('button', { name: `${texts.names.cancel}…`, exact: true });

test('the cancel of a waiting workflow is deferred until its node is free, and shown as deferred', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const victim = await submit(lab, 'Victim', [slowStep(2)]);
  await waitUntilRunning(lab, victim.workflow_id);
  // The paused node holds the workflow until the page has shown the deferred cancel.
  const node = lab.nodes.find(({ name }) => name === testNode);
  node?.command('pause');
  const { workflow_id: id } = await submit(lab, 'Waits', [slowStep(60), slowStep(1)]);
  await openPage(page, url, id);
  await cancel(page).press('Enter');
  await page.getByRole('button', { name: `Cancel when ${testNode} is free…` }).click();
  await expect(dialog(page)).toContainText(guardTexts.whenFreeUntil(testNode, 'Victim'));
  await expect(dialog(page)).toContainText(
    'This page holds it until then: when the page is closed or reloaded, nothing is cancelled.',
  );
  await dialog(page).getByRole('button', { name: 'Cancel when free' }).click();
  // The deferred cancel is shown on every page of the dashboard.
  await page.getByRole('link', { name: overviewTitle }).click();
  const deferredRegion = page.getByRole('region', { name: 'Held by this page' });
  await expect(deferredRegion).toContainText(`is held until ${testNode} is free.`);
  await expect(deferredRegion).toContainText(
    'This page holds it: when the page is closed or reloaded, nothing is cancelled.',
  );
  node?.command('resume');
  expect((await waitUntilEnded(lab, id)).status.cancelled).toBe(true);
  expect((await workcellClient(lab).getWorkflow({ workflow_id: victim.workflow_id })).status.completed).toBe(true);
  await expect(deferredRegion).toHaveCount(0);
});

test('a waiting workflow is cancelled immediately only after the name of the affected workflow is typed', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const victim = await submit(lab, 'Victim', [slowStep(60)]);
  await waitUntilRunning(lab, victim.workflow_id);
  const { workflow_id: id } = await submit(lab, 'Waits', [slowStep(1)]);
  await openPage(page, url, id);
  await cancel(page).press('Enter');
  await page.getByRole('button', { name: 'Cancel both now…' }).click();
  await expect(dialog(page)).toContainText(
    `${testNode} gets the cancel command and ends its action: step 1 of “Victim”, which ends as cancelled, too.`,
  );
  const confirmButton = dialog(page).getByRole('button', { name: 'Cancel both now' });
  await expect(confirmButton).toHaveAttribute('aria-disabled', 'true');
  await dialog(page).getByLabel('Type Victim to confirm').fill('Victim');
  await confirmButton.click();
  expect((await waitUntilEnded(lab, id)).status.cancelled).toBe(true);
  expect((await waitUntilEnded(lab, victim.workflow_id)).status.cancelled).toBe(true);
});

test('a transfer that waits for a robot arm in an error state shows the arm, and fails when its child workflow is cancelled', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const arm = 'robotarm_1';
  await lab.faults.setNode(arm, 'errored');
  const args = { source: 'platereader_1.plate_carriage', target: 'liquidhandler_1.deck_1' };
  const { workflow_id: id } = await submit(lab, 'Assay', [
    waitStep(0.1),
    { name: 'Fetch', action: 'transfer', args },
    slowStep(1),
  ]);
  await waitForWorkflow(lab, id, ({ status }) => status.current_step_index === 1 && status.running);
  await openPage(page, url, id);
  const facts = page.locator('.workflow-facts');
  await expect(facts).toContainText('Running step 2 of 3: Fetch');
  await expect(facts).toContainText(/moved by Transfer: .*: robotarm_1 in error/);
  // The arm's lane is on the parent's axis.
  await expect(page.getByRole('region', { name: workflowsTexts.page.time })).toContainText(arm);

  await cancel(page).press('Enter');
  const child = facts.getByRole('link', { name: /^Transfer: / });
  const name = (await child.textContent())?.trim() ?? '';
  await page.getByRole('link', { name: `Cancel “${name}”…` }).click();
  await expect(dialog(page)).toContainText(`Cancel “${name}”?`);
  await dialog(page).getByRole('button', { name: guardTexts.cancelVerb }).click();
  const { status, steps } = await waitUntilEnded(lab, id);
  expect(status.failed).toBe(true);
  expect(steps[1]?.result?.errors?.[0]?.message).toContain('was cancelled on step 0');
  // The link back to the parent works although both have ended.
  await page.getByRole('link', { name: 'Assay, step 2' }).click();
  await expect(page.getByText('Failed at step 2 of 3: Fetch').first()).toBeVisible();
  await expect(page.getByText(workflowsTexts.steps.child(false)).first()).toBeVisible();
});
