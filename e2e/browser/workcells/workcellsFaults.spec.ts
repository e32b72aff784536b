/** The Workcells panel during faults: unreadable responses, a busy or lost manager, a node that refuses. */
import { expect, test } from '../../support/demoLab.ts';
import { card, openMenu, outcomes, failedRequestMessages, pressCommand } from '../../support/browser/workcellsPage.ts';
import { delayResponses } from '../../support/browser/delayResponses.ts';
import { nodeCommandTexts as commands } from '#dashboard/managers/commands/nodeCommandTexts.ts';
import { nodeCommandEffects, nodeCommandTable } from '#dashboard/managers/guards/nodeCommandTable.ts';
import { componentTexts } from '#dashboard/components/texts.ts';
import { workcellTexts } from '#dashboard/panels/workcells/texts.ts';

test('an unreadable response is reported together with the state afterwards', async ({ page, guard, demo }) => {
  guard.expected.push(failedRequestMessages);
  const { lab, url } = await demo();
  await lab.faults.setNode('robotarm_1', 'unreachable');
  await page.goto(`${url}workcells`);
  await card(page, 'robotarm_1').getByRole('button', { name: 'Reset… robotarm_1' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(nodeCommandEffects.resetAway);
  await dialog.getByRole('button', { name: commands.button(nodeCommandTable.reset.verb, 'robotarm_1') }).click();
  await expect(outcomes(page)).toContainText('Not confirmed');
  await expect(outcomes(page)).toContainText(/No readable answer: .*Afterwards: robotarm_1 is shown as \w+/);
  // Once it is reachable again, the manager reads it at once.
  await lab.faults.setNode('robotarm_1', null);
  await expect(card(page, 'robotarm_1')).toContainText('Ready');
});

test('the message of a manager that limits requests is shown', async ({ page, guard, demo }) => {
  guard.expected.push(/429/);
  const { lab, url } = await demo();
  await page.route('**/admin/**', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'access-control-allow-origin': '*' },
      json: { detail: 'Rate limit exceeded: 50 requests per 1 seconds (burst limit)' },
    }),
  );
  await page.goto(`${url}workcells`);
  await pressCommand(page, 'robotarm_1', nodeCommandTable.lock.verb);
  await expect(outcomes(page)).toContainText('answered 429: Rate limit exceeded');
  await expect(card(page, 'robotarm_1')).toContainText('Ready');
  expect(lab.nodes.some((node) => node.status().locked)).toBe(false);
});

test('the refusal of a node is shown with the node’s own message', async ({ page, demo }) => {
  const { url } = await demo();
  await page.route('**/admin/lock/robotarm_1', (route) =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: { success: false, errors: [{ message: 'door is open', error_type: 'Interlock' }], data: null },
    }),
  );
  await page.goto(`${url}workcells`);
  await pressCommand(page, 'robotarm_1', nodeCommandTable.lock.verb);
  await expect(outcomes(page)).toContainText('Failed');
  await expect(outcomes(page)).toContainText('The node refused: door is open');
});

test('the workcell page is stale and disables commands while the manager is down, and recovers', async ({
  page,
  guard,
  demo,
}) => {
  guard.expected.push(failedRequestMessages);
  const { lab, url } = await demo();
  await page.goto(`${url}workcells`);
  await expect(card(page, 'robotarm_1')).toContainText('Ready');
  await lab.faults.setManager('workcell', { kind: 'down' });
  await expect(page.getByText(/^Workcell Manager last seen/)).toBeVisible();
  await expect(card(page, 'robotarm_1')).toContainText('Ready');
  const all = page.getByRole('button', { name: nodeCommandTable.lock.toAll.verb });
  await expect(all).toHaveAttribute('aria-disabled', 'true');
  await expect(all).toHaveAttribute('title', workcellTexts.blocked('Workcell manager'));
  const entry = (await openMenu(page, 'robotarm_1')).getByRole('menuitem', { name: /^Lock/ });
  await expect(entry).toContainText('nothing can be sent now');
  await page.keyboard.press('Escape');
  // The response is held until the button is pressed; otherwise the page would recover by itself first.
  const release = await delayResponses(page, '**/state');
  await lab.faults.setManager('workcell', null);
  await page.getByRole('button', { name: componentTexts.error.retry }).click();
  release();
  await expect(page.getByText(/^Workcell Manager last seen/)).toHaveCount(0);
  await expect(all).toHaveAttribute('aria-disabled', 'false');
});

test('the workcell page reports that the engine has failed', async ({ page, demo }) => {
  const { lab, url } = await demo();
  lab.faults.setWorkcell('errored');
  await page.goto(`${url}workcells`);
  await expect(page.getByRole('alert')).toContainText(workcellTexts.stateText.errored);
  await expect(page.getByRole('alert')).toContainText('the store of the workcell does not answer');
});
