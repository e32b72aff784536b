/** The page of a node on the demo lab: filling in and sending actions, their results, and past steps. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import { expect, test } from '../../support/demoLab.ts';
import { outcomes, failedRequestMessages } from '../../support/browser/workcellsPage.ts';
import { locationAppearances } from '#api/states.ts';
import { workcellTexts } from '#dashboard/panels/workcells/texts.ts';
import { schemaFormTexts } from '#dashboard/components/form/texts.ts';
import { workflowStateTexts } from '#dashboard/managers/workcell/workflowState.ts';
import { nodeCommandTexts as commands } from '#dashboard/managers/commands/nodeCommandTexts.ts';
import { nodeCommandTable } from '#dashboard/managers/guards/nodeCommandTable.ts';
import { componentTexts } from '#dashboard/components/texts.ts';

const sentActions = (page: Page): Locator => page.getByRole('region', { name: workcellTexts.send.sent });
const form = (page: Page, action: string, node = 'advanced_example_node'): Locator =>
  page.getByRole('form', { name: `Send ${action} to ${node}` });

async function open(page: Page, url: string, action: string, node = 'advanced_example_node'): Promise<Locator> {
  await page.goto(`${url}workcells/nodes/${node}`);
  await page.getByRole('button', { name: action }).click();
  await expect(page).toHaveURL(new RegExp(`action=${action}$`));
  return form(page, action, node);
}

test('an action is sent with typed arguments, and its result is shown', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const actionForm = await open(page, url, 'every_argument');
  await actionForm.getByRole('button', { name: workcellTexts.send.send }).click();
  await expect(actionForm).toContainText(schemaFormTexts.problems.missing);
  await expect(actionForm.getByLabel('whole')).toBeFocused();
  await actionForm.getByLabel('whole').fill('7.5');
  await expect(actionForm).toContainText('7.5 is not a whole number.');
  await actionForm.getByLabel('whole').fill('7');
  await actionForm.getByLabel('text', { exact: true }).fill('123');
  await actionForm.getByRole('button', { name: workcellTexts.send.send }).click();
  await expect(outcomes(page)).toContainText('It is in the queue as a workflow of one step.');
  await expect(sentActions(page)).toContainText(workflowStateTexts.completed);
  const result = sentActions(page).getByRole('tree', { name: 'json_result' });
  await expect(result).toContainText('whole: 7');
  await expect(result).toContainText('text: 123');
  // Omitted arguments are not sent. Past steps are read with the page, so the workflow must be in the archive by then.
  const { archived } = lab.managers.workcell.store;
  await expect.poll(() => [...archived.values()].at(-1)?.steps[0]?.filled.args).toEqual({ whole: 7, text: '123' });
  // A reload keeps everything, and the workflow has its own page.
  await page.reload();
  await expect(result).toContainText('whole: 7');
  await expect(sentActions(page).getByRole('link').first()).toHaveAttribute('href', /\/workflows\/\w{26}$/);
  await expect(page.getByRole('region', { name: workcellTexts.past.title })).toContainText(
    workcellTexts.past.step(1, 'every_argument'),
  );
  await expect(page.getByRole('region', { name: workcellTexts.log.title })).toContainText(
    'Running workflow step: every_argument',
  );
});

test('an action accepts a file and offers its result files for download', async ({ page, demo }) => {
  const { url } = await demo();
  const count = await open(page, url, 'count_bytes');
  await count.getByLabel('document').setInputFiles({
    name: 'layout µ.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('0123456789'),
  });
  await count.getByRole('button', { name: workcellTexts.send.send }).click();
  await expect(sentActions(page).getByRole('tree', { name: 'json_result' })).toContainText('count: 10', {});

  const make = await open(page, url, 'make_files');
  await make.getByLabel('text').fill('hello lab');
  await make.getByRole('button', { name: workcellTexts.send.send }).click();
  const download = sentActions(page).getByRole('button', { name: /^Download .*first/ });
  await expect(download).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
  expect(await readFile(await file.path(), 'utf8')).toBe('hello lab');
  expect(file.suggestedFilename()).toMatch(/first.*\.txt$/);
});

test('an action form offers the locations that have a representation for the node', async ({ page, demo }) => {
  const { url } = await demo();
  const actionForm = await open(page, url, 'transfer', 'robotarm_1');
  await expect(actionForm).toContainText(/\d+ locations have a representation for robotarm_1\./);
  await actionForm.getByRole('button', { name: workcellTexts.send.send }).click();
  await expect(actionForm).toContainText(schemaFormTexts.problems.missingLocation);
  await actionForm.getByLabel('source').fill('no_such_place');
  // Each option shows the content of its location, and the search includes it.
  await actionForm.getByLabel('target').click();
  const offered = page.getByRole('option');
  await expect(offered.filter({ hasText: locationAppearances.empty.label }).first()).toBeVisible();
  expect(await offered.count()).toBeGreaterThan(1);
  await actionForm.getByLabel('target').fill(locationAppearances.empty.label);
  await offered.first().click();
  await expect(actionForm.getByLabel('target')).not.toHaveValue(locationAppearances.empty.label);
  await actionForm.getByRole('button', { name: workcellTexts.send.send }).click();
  // The manager's own message for the refusal.
  await expect(outcomes(page)).toContainText('Location no_such_place not found in Workcell');
});

test('a failed action shows its error, and an action for a node in error waits until the node is reset', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const fail = await open(page, url, 'fail');
  await fail.getByRole('button', { name: workcellTexts.send.send }).click();
  await expect(sentActions(page)).toContainText('out of tips');
  await expect(sentActions(page)).toContainText(workflowStateTexts.failed(1, 1));

  const crash = await open(page, url, 'crash');
  await crash.getByRole('button', { name: workcellTexts.send.send }).click();
  await expect(page.getByText('Current error')).toBeVisible();
  await expect(crash).toContainText(`It will wait in the queue: ${workcellTexts.send.waitReasons.errored}.`);
  const slow = await open(page, url, 'slow');
  await slow.getByRole('button', { name: workcellTexts.send.send }).click();
  await expect(sentActions(page)).toContainText('advanced_example_node in error: motor stalled');
  await page.getByRole('button', { name: 'Reset…' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: commands.button(nodeCommandTable.reset.verb, 'advanced_example_node') })
    .click();
  await expect(sentActions(page).getByText(workflowStateTexts.completed)).toBeVisible();
  expect(lab.nodes.some((node) => node.status().errored)).toBe(false);
});

test('an action is copied as a step of a workflow', async ({ page, context, demo }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { url } = await demo();
  const actionForm = await open(page, url, 'count_bytes');
  await actionForm
    .getByLabel('document')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a') });
  await actionForm.getByLabel('unit').fill('yes');
  await actionForm.getByRole('button', { name: workcellTexts.send.copy }).click();
  await expect(actionForm).toContainText('Copied: paste it below steps: in a workflow');
  expect(await page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`# needs a file parameter: parameters: file_inputs: - key: document
- name: count_bytes
  node: advanced_example_node
  action: count_bytes
  args:
    unit: "yes"
  files:
    document: document
`);
});

test('the node page follows a sent action through an outage of the manager', async ({ page, guard, demo }) => {
  guard.expected.push(failedRequestMessages);
  const { lab, url } = await demo();
  const actionForm = await open(page, url, 'slow');
  // Long enough that a page with a 3 s interval shows it running.
  await actionForm.getByLabel('seconds').fill('12');
  await actionForm.getByRole('button', { name: workcellTexts.send.send }).click();
  await expect(sentActions(page)).toContainText(workflowStateTexts.running(1, 1));
  await lab.faults.setManager('workcell', { kind: 'down' });
  await expect(page.getByText(/^Workcell Manager last seen/).first()).toBeVisible();
  await expect(actionForm.getByRole('button', { name: workcellTexts.send.send })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expect(actionForm).toContainText('nothing can be sent now');
  await expect(sentActions(page)).toContainText(workflowStateTexts.running(1, 1));
  await lab.faults.setManager('workcell', null);
  await expect(sentActions(page)).toContainText(workflowStateTexts.completed);
});

test('an action is sent only once when its response is lost', async ({ page, guard, demo }) => {
  guard.expected.push(failedRequestMessages);
  const { lab, url } = await demo();
  const actionForm = await open(page, url, 'slow');
  await page.route('**/workflow', async (route) => {
    // The request arrives, its response does not.
    await route.fetch();
    await route.abort('connectionreset');
  });
  await actionForm.getByRole('button', { name: workcellTexts.send.send }).click();
  await expect(outcomes(page)).toContainText('Not confirmed');
  await expect(outcomes(page)).toContainText('Afterwards: advanced_example_node is shown as');
  const { active, archived } = lab.managers.workcell.store;
  expect(active.size + archived.size).toBe(1);
});

test('the position that a node reports is shown next to the list', async ({ page, demo }) => {
  const { url } = await demo();
  await page.goto(`${url}workcells`);
  await page.getByRole('button', { name: commands.menu('robotarm_1') }).click();
  await page.getByRole('menuitem', { name: nodeCommandTable.get_location.verb }).click();
  const side = page.getByRole('complementary', { name: 'robotarm_1' });
  await expect(side.getByRole('tree', { name: commands.describePosition('robotarm_1') })).toContainText('rail: 0');
  await expect(side.getByRole('button', { name: componentTexts.json.copyValue }).first()).toBeVisible();
});

test('the page of an unknown node reports it as missing', async ({ page, demo }) => {
  const { url } = await demo();
  await page.goto(`${url}workcells/nodes/ghost`);
  await expect(page.getByText(workcellTexts.page.missing('ghost'))).toBeVisible();
  await page.getByRole('link', { name: 'All nodes of the workcell' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Demo Workcell');
});
