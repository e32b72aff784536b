/**
 * Commands on an outdated premise, with real managers: the page shows the change, and nothing is sent without
 * confirmation.
 */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright';
import { listChildren } from '#api/managers/resourceTypes.ts';
import { outcomeAppearances } from '#api/states.ts';
import { componentTexts } from '#dashboard/components/texts.ts';
import { experimentsTexts } from '#dashboard/panels/experiments/texts.ts';
import { locationsTexts } from '#dashboard/panels/locations/texts.ts';
import { resourcesTexts } from '#dashboard/panels/resources/texts.ts';
import { workflowsTexts } from '#dashboard/panels/workflows/texts.ts';
import { experiments, fetchRaw, uniqueName, getId, locations, resources } from '../behaviour/lab.ts';
import { waitForWorkflow, waitUntilEnded, waitUntilOnNode, slow, submit } from '../behaviour/workflows.ts';
import { button, LabPages, outcomes, expectVisible } from './labPage.ts';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
afterEach(() => pages.close());

const operation = resourcesTexts.operations;
const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));

async function createStack(...plates: readonly string[]): Promise<string> {
  const { resource_id: id } = await resources.addResource({
    body: { base_type: 'stack', resource_name: uniqueName('stack'), capacity: 9 },
  });
  for (const name of plates) await push(id, name);
  return id;
}

async function push(stack: string, name: string): Promise<void> {
  const plate = await resources.addResource({ body: { base_type: 'asset', resource_name: name } });
  await resources.pushResource({ resource_id: stack, body: { child_id: plate.resource_id } });
}

const names = async (stack: string) =>
  listChildren(await resources.getResource({ resource_id: stack })).map(({ child }) => child.resource_name);

it('a pop is not sent when another plate than the one in the dialog is on top', async () => {
  const [first, second, third] = [uniqueName('first'), uniqueName('second'), uniqueName('third')];
  const stack = await createStack(first, second);
  const page = await pages.open(`resources/${stack}`);
  await button(page, operation.pop).click();
  await expectVisible(dialog(page), second);
  await push(stack, third);
  await dialog(page)
    .getByRole('button', { name: operation.pop.replace('…', ''), exact: true })
    .click();
  await expectVisible(page.getByRole('alertdialog'), third);
  expect(await names(stack)).toHaveLength(3);
  await page.getByRole('alertdialog').getByRole('button', { name: componentTexts.confirm.back }).click();
  expect(await names(stack)).toHaveLength(3);
});

it('an amount that changed meanwhile is not overwritten', async () => {
  const { resource_id: id } = await resources.addResource({
    body: { base_type: 'discrete_consumable', resource_name: uniqueName('tips'), quantity: 38, capacity: 1000 },
  });
  const page = await pages.open(`resources/${id}`);
  await button(page, operation.quantity).click();
  await dialog(page).getByLabel(operation.amountField, { exact: true }).fill('138');
  await resources.setQuantity({ resource_id: id, quantity: 900 });
  await dialog(page).getByRole('button', { name: operation.save, exact: true }).click();
  await expectVisible(page.getByText('This has changed since it was shown:'));
  expect((await resources.getResource({ resource_id: id })).quantity).toBe(900);
});

it('an experiment that was completed meanwhile is not paused', async () => {
  const experiment = await experiments.startExperiment({
    body: { experiment_design: { experiment_name: 'Premise' }, run_name: uniqueName('run') },
  });
  const id = getId(experiment);
  const page = await pages.open(`experiments/${id}`);
  await button(page, `${experimentsTexts.changes.pause.verb}…`).click();
  await expectVisible(page.getByRole('alertdialog'));
  await experiments.endExperiment({ experiment_id: id });
  await page.getByRole('alertdialog').getByRole('button', { name: experimentsTexts.changes.pause.title }).click();
  await expect
    .poll(
      async () => (await outcomes(page).allTextContents()).join() + (await dialog(page).allTextContents()).join(),
      {},
    )
    .toMatch(/Not sent|has changed/);
  expect((await experiments.getExperiment({ experiment_id: id })).status).toBe('completed');
});

it('a workflow that has ended meanwhile is not cancelled', async () => {
  const { workflow_id: id } = await submit([slow(8)]);
  await waitUntilOnNode(id);
  const page = await pages.open(`workflows/${id}`);
  await button(page, `${workflowsTexts.actions.names.cancel}…`).click();
  await expectVisible(page.getByRole('alertdialog'));
  // The page must not read the end of the workflow before the press, nor find the manager unavailable.
  const { text: body, json: active } = await fetchRaw('workcell', 'workflows/active');
  expect(active).toHaveProperty(id);
  const headers = { 'access-control-allow-origin': '*' };
  await page.route('**/workflows/active*', (route) =>
    route.fulfill({ body, headers, contentType: 'application/json' }),
  );
  // The manager's interval between two reads of a result grows to 10 s.
  await waitForWorkflow(id, ({ status }) => status.terminal, 40_000);
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: new RegExp(`^${workflowsTexts.actions.names.cancel}`) })
    .first()
    .click({ force: true });
  await expect
    .poll(
      async () => (await outcomes(page).allTextContents()).join() + (await dialog(page).allTextContents()).join(),
      {},
    )
    .toMatch(/Not sent|has changed|has ended|Could not check/);
  expect(pages.requests.filter((url) => /\/cancel(\?|$)/.test(url))).toEqual([]);
  expect((await waitUntilEnded(id)).status).toMatchObject({ completed: true, cancelled: false });
});

it('a resource is not attached to a location where another one was attached meanwhile', async () => {
  const [ours, theirs] = [uniqueName('ours'), uniqueName('theirs')];
  const [, otherResource] = await Promise.all(
    [ours, theirs].map((name) => resources.addResource({ body: { base_type: 'asset', resource_name: name } })),
  );
  const named = await locations.addLocation({ body: { location_name: uniqueName('bench') } });
  const page = await pages.open(`locations/${named.location_id}`);
  await page.getByRole('combobox', { name: locationsTexts.page.attach }).fill(ours);
  await page.getByRole('option', { name: new RegExp(ours) }).click();
  const { location_name, location_id } = named;
  await locations.attachResource({ location_name, location_id, resource_id: otherResource?.resource_id ?? '' });
  await button(page, locationsTexts.page.attachAction).click();
  await expectVisible(outcomes(page), outcomeAppearances.notSent.label);
  expect((await locations.findLocation({ location_id })).resource_id).toBe(otherResource?.resource_id);
});
