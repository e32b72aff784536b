/** The Locations panel on the demo lab: contents, positions of nodes, attaching, and the planner. */
import type { Page } from 'playwright';
import { createClient } from '#api/client/client.ts';
import { locationApi } from '#api/managers/location.ts';
import { resourceApi } from '#api/managers/resource.ts';
import { locationAppearances } from '#api/states.ts';
import { locationTitles } from '#dashboard/panels/titles.ts';
import { locationsTexts as texts } from '#dashboard/panels/locations/texts.ts';
import type { DemoLab } from '#demo/lab/lab.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { outcomes } from '../../support/browser/workcellsPage.ts';
import { expect, test } from '../../support/demoLab.ts';

const locationClient = ({ context }: DemoLab) =>
  createClient(locationApi, { baseUrl: context.location_server_url ?? '', version: null });
const resourceClient = ({ context }: DemoLab) =>
  createClient(resourceApi, { baseUrl: context.resource_server_url ?? '', version: null });
async function find(lab: DemoLab, name: string) {
  return locationClient(lab).findLocation({ name });
}
async function openLocation(page: Page, url: string, lab: DemoLab, name: string): Promise<string> {
  const { location_id: id } = await find(lab, name);
  await page.goto(`${url}locations/${id}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  return id;
}
const row = (page: Page, name: string) =>
  page.getByRole('grid', { name: texts.caption }).getByRole('row').filter({ hasText: name });

test('the location page shows the content of each location and which nodes have a representation of it', async ({
  page,
  demo,
}) => {
  const { url } = await demo();
  await page.goto(`${url}locations`);
  await expect(row(page, 'liquidhandler_1.deck_1')).toContainText('plate_101');
  await expect(row(page, 'liquidhandler_1.deck_1')).toContainText(locationAppearances.occupied.label);
  await expect(row(page, 'liquidhandler_1.deck_1')).toContainText('robotarm_1');
  await expect(row(page, 'platereader_1.plate_carriage')).toContainText(locationAppearances.empty.label);
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await row(page, 'liquidhandler_1.deck_1').getByRole('link').first().click();
  await expect(page.getByRole('region', { name: 'Resource here' })).toContainText('plate_101');
  await expect(page.getByRole('region', { name: 'Direct transfers to' }).getByRole('link').first()).toBeVisible();
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'plate_101' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('plate_101');
  await page.getByRole('main').getByRole('link', { name: 'liquidhandler_1.deck_1' }).last().click();
  await expect(page).toHaveURL(/\/locations\//);
});

test('a dialog shows the stored position before the position that is read from the node replaces it', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await openLocation(page, url, lab, 'liquidhandler_1.deck_1');
  const positionBefore = (await find(lab, 'liquidhandler_1.deck_1')).representations?.['robotarm_1'];
  const card = page.getByRole('region', { name: 'Representations' });
  await card
    .locator('.representation')
    .filter({ hasText: 'robotarm_1' })
    .getByRole('button', { name: texts.page.readPosition })
    .click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Stored');
  await expect(dialog).toContainText(JSON.stringify(positionBefore));
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect(outcomes(page)).toContainText('The location manager confirmed it.');
  await expect
    .poll(async () => (await find(lab, 'liquidhandler_1.deck_1')).representations?.['robotarm_1'])
    .not.toEqual(positionBefore);
});

test('a resource is found by search, attached to a location and detached, and the location is deleted @fast', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const place = await locationClient(lab).addLocation({ body: { location_name: 'bench_by_the_window' } });
  await resourceClient(lab).addResource({ body: { base_type: 'asset', resource_name: 'microscope_7' } });
  await openLocation(page, url, lab, place.location_name);
  await page.getByRole('combobox', { name: texts.page.attach }).fill('microscope_7');
  await page.getByRole('option', { name: /microscope_7/ }).click();
  await page.getByRole('button', { name: texts.page.attachAction, exact: true }).click();
  await expect(page.getByRole('link', { name: 'microscope_7' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Detach', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: texts.page.detachAction }).click();
  await expect(page.getByText('Nothing is attached.')).toBeVisible();
  expect((await find(lab, place.location_name)).resource_id).toBeNull();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: texts.page.deleteAction }).click();
  await expect(page).toHaveURL(/\/locations$/);
  await expect(row(page, place.location_name)).toHaveCount(0);
});

test('the planner shows the route of a transfer with the current state of each node, or why it finds no route', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const unreachableLocation = await locationClient(lab).addLocation({ body: { location_name: 'shelf_nobody_knows' } });
  const { location_id: from } = await find(lab, 'liquidhandler_1.deck_1');
  await lab.faults.setNode('robotarm_1', 'errored');
  await page.goto(`${url}locations/plan?from=${from}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(locationTitles.planner);
  await page.getByRole('combobox', { name: texts.planner.to }).fill('plate_carriage');
  await page.getByRole('option', { name: /platereader_1.plate_carriage/ }).click();
  const steps = page.getByRole('list', { name: texts.planner.steps });
  await expect(steps).toContainText('robotarm_1');
  await expect(steps).toContainText('Error');
  await page.goto(`${url}locations/plan?from=${from}&to=${unreachableLocation.location_id}`);
  await expect(page.getByText(`No node has a representation of ${unreachableLocation.location_name}`)).toBeVisible();
});
