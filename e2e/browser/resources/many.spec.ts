/** Many resources at once on the demo lab: by pattern, from a file, from templates, and by multiple selection. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { createClient } from '#api/client/client.ts';
import { resourceApi } from '#api/managers/resource.ts';
import { commonTexts } from '#dashboard/base/texts.ts';
import { componentTexts } from '#dashboard/components/texts.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import { resourcesTexts as texts, templateTexts } from '#dashboard/panels/resources/texts.ts';
import { batchTexts, bulkTexts, fillTexts } from '#dashboard/panels/resources/batch/texts.ts';
import { importTexts } from '#dashboard/panels/resources/import/texts.ts';
import type { DemoLab } from '#demo/lab/lab.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { delayResponses } from '../../support/browser/delayResponses.ts';
import { expect, test } from '../../support/demoLab.ts';
import { outcomes } from '../../support/browser/workcellsPage.ts';

const operation = texts.operations;
const resourceClient = ({ context }: DemoLab) =>
  createClient(resourceApi, { baseUrl: context.resource_server_url ?? '', version: null });
async function findResource(lab: DemoLab, name: string) {
  const [one] = await resourceClient(lab).queryResources({ body: { resource_name: name } });
  if (one === undefined) throw new Error(`The demo lab has no ${name}`);
  return one;
}
const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const result = (page: Page, text: string) => page.getByText(text, { exact: true });
async function chooseInMenu(page: Page, name: string, text: string): Promise<void> {
  await press(page, operation.menu(name));
  await page.getByRole('menuitem', { name: text, exact: true }).click();
}
const choose = (page: Page, name: string, content: string | Buffer) =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(content) });

test('resources are added by pattern to free wells and to a stack, and a well that was filled meanwhile is reported', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const plate = await findResource(lab, 'plate_101');
  await page.goto(`${url}resources/${plate.resource_id}`);
  await page.getByRole('link', { name: 'Add many…' }).click();
  await page.getByLabel(fillTexts.patternField).fill('extra_{01..03}');
  await page.getByLabel('Start at').fill('A8');
  await expect(page.getByText(fillTexts.occupant('A8', 'plate_101_A8'))).toBeVisible();
  await expect(page.getByRole('gridcell', { name: fillTexts.well('A9', 'extra_01') })).toBeVisible();
  expect.soft(await violationsInBothThemes(page), 'fill').toEqual([]);
  // Another client puts a tube into A10 during the preview; the page reads it only after it has filled the wells.
  const release = await delayResponses(page, '**/resource/query');
  // After the next request, no earlier one is pending.
  await page.waitForRequest('**/resource/query');
  const row = await findResource(lab, 'plate_101_row_0');
  const tube = {
    base_type: 'continuous_consumable',
    resource_name: 'theirs',
    parent_id: row.resource_id,
    key: '9',
  } as const;
  await resourceClient(lab).addResource({ body: tube });
  await press(page, fillTexts.add(3));
  // The first check waits up to 10 s for the reading that is delayed here.
  await expect(result(page, batchTexts.summary(2, 1, 0))).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Individual results' })).toContainText(texts.adding.filledMeanwhile);
  release();
  await page.getByRole('link', { name: 'Back to the resource' }).click();
  const map = page.getByRole('grid', { name: 'plate_101' });
  await expect(map.getByRole('gridcell', { name: /^A9, extra_01/ })).toBeVisible();
  await expect(map.getByRole('gridcell', { name: /^A10, theirs/ })).toBeVisible();

  // A stack is filled in order, up to its capacity.
  const stack = await findResource(lab, 'storage_rack');
  await page.goto(`${url}resources/${stack.resource_id}/fill`);
  await page.getByLabel(fillTexts.patternField).fill('new_{1..20}');
  await expect(page.getByText(fillTexts.noRoom(6, 'new_15'))).toBeVisible();
  await press(page, fillTexts.add(14));
  await expect(result(page, batchTexts.summary(14, 0, 0))).toBeVisible();
  const { children } = await resourceClient(lab).getResource({ resource_id: stack.resource_id });
  expect(Object.values(children ?? {}).at(-1)).toMatchObject({ resource_name: 'new_14', key: '15' });
});

test('an import shows the effect of each line before it runs, and a second import adds nothing', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await page.goto(`${url}resources`);
  await page.getByRole('link', { name: importTexts.menu }).click();
  const csv = [
    'Name;Type;In;Well;Volume;batch',
    'rack_9;grid;;;;',
    'box_9;collection;;;;',
    'tube_2;continuous_consumable;box_9;;1,5;B 7',
    'tube_3;continuous_consumable;plate_101;A9;12.5;B 7',
    'tube_4;continuous_consumable;plate_101;A1;1;',
    '',
  ].join('\n');
  await choose(page, 'tubes.csv', csv);
  await page.getByLabel('What “batch” is').selectOption({ label: importTexts.uses.attribute });
  const preview = page.getByRole('grid', { name: 'Lines of the file' });
  await expect(preview).toContainText(importTexts.problems.sizes);
  await expect(preview).toContainText(importTexts.problems.occupied('A1', 'plate_101_A1'));
  expect.soft(await violationsInBothThemes(page), 'import').toEqual([]);
  await press(page, importTexts.run(3));
  await expect(result(page, batchTexts.summary(3, 0, 0, 2))).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Individual results' })).toContainText(
    importTexts.skipped(importTexts.statuses.invalid, importTexts.problems.sizes),
  );
  expect(await findResource(lab, 'tube_2')).toMatchObject({ quantity: 1.5, key: 'tube_2' });
  const addedTube = await findResource(lab, 'tube_3');
  expect(addedTube).toMatchObject({ quantity: 12.5, key: '8', attributes: { batch: 'B 7' } });
  await press(page, importTexts.again);
  await choose(page, 'tubes.csv', csv);
  await expect(page.getByText(/: 3 already there, 2 invalid/)).toBeVisible();
  await expect(page.getByRole('button', { name: importTexts.run(0) })).toHaveAttribute('aria-disabled', 'true');

  // Importing the exported list finds every resource unchanged.
  await page.goto(`${url}resources?as=flat`);
  await expect(page.getByRole('grid', { name: texts.caption })).toContainText('plate_101');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: componentTexts.table.csv }).click();
  const saved = await readFile(await (await download).path());
  await page.goto(`${url}resources/import`);
  await choose(page, 'resources.csv', saved);
  await expect(page.getByText(importTexts.statuses.existing).first()).toBeVisible();
  await expect(page.getByRole('button', { name: importTexts.run(0) })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('checkbox', { name: /^Also update/ })).toHaveCount(0);
  await expect(page.getByText(/\d wrong/)).toHaveCount(0);
});

test('resource templates are created, used, changed, copied and deleted', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const manager = resourceClient(lab);
  await manager.createTemplate({
    body: { template_name: 'Lost', resource: { base_type: 'asset', resource_name: 'lost' } },
  });
  await page.goto(`${url}resources`);
  await page.getByRole('link', { name: templateTexts.caption, exact: true }).click();
  const list = page.getByRole('grid', { name: templateTexts.caption });
  await expect(list.getByRole('row').filter({ hasText: 'Lost' })).toContainText('No: capitals in its name');
  expect.soft(await violationsInBothThemes(page), 'templates').toEqual([]);
  await list.getByRole('link', { name: 'reagent_bottle' }).click();
  await press(page, 'Add resource…');
  await dialog(page).getByLabel(texts.adding.name, { exact: true }).fill('acid');
  await dialog(page).getByLabel('lot', { exact: true }).fill('L7');
  await press(page, texts.adding.add);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('acid');
  expect(await findResource(lab, 'acid')).toMatchObject({
    template_name: 'reagent_bottle',
    attributes: { lot: 'L7', unit: 'ml', low_mark: 100 },
  });

  await chooseInMenu(page, 'acid', templateTexts.fromResource);
  await dialog(page).getByLabel(templateTexts.fields.name, { exact: true }).fill('Acid');
  await press(page, templateTexts.save);
  await expect(dialog(page)).toContainText('Use lower case only: the resource manager couldn’t find it again.');
  await dialog(page).getByLabel(templateTexts.fields.name, { exact: true }).fill('acid_bottle');
  await press(page, templateTexts.save);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('acid_bottle');
  await press(page, 'Edit');
  await dialog(page).getByLabel(texts.adding.capacity, { exact: true }).fill('500');
  await press(page, templateTexts.save);
  await expect
    .poll(async () => (await manager.getTemplateInfo({ template_name: 'acid_bottle' })).default_values)
    .toMatchObject({ capacity: 500, resource_class: 'reagent', attributes: { lot: 'L7' } });
  await press(page, 'Save as…');
  await dialog(page).getByLabel(templateTexts.fields.name, { exact: true }).fill('acid_2');
  await press(page, templateTexts.save);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('acid_2');
  expect((await manager.getTemplateInfo({ template_name: 'acid_2' })).default_values).toMatchObject({ capacity: 500 });
  await press(page, templateTexts.remove);
  await press(page, 'Delete template');
  await expect(list.getByRole('link', { name: 'acid_bottle' })).toBeVisible();
  await expect(list.getByRole('link', { name: 'acid_2' })).toHaveCount(0);
  expect.soft(await violationsInBothThemes(page), 'templates').toEqual([]);
});

test('several resources are moved and get an attribute together, and one is shown in an earlier state', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await page.goto(`${url}resources?as=flat&q=plate_30`);
  const list = page.getByRole('grid', { name: texts.caption });
  for (const name of ['plate_307', 'plate_308'])
    await list.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  await press(page, bulkTexts.attributes);
  await dialog(page).getByLabel(bulkTexts.attributeField, { exact: true }).fill('lot');
  await dialog(page).getByLabel(bulkTexts.valueField, { exact: true }).fill('7');
  await press(page, bulkTexts.setAction(2));
  await expect(outcomes(page)).toContainText(batchTexts.summary(2, 0, 0));
  for (const name of ['plate_307', 'plate_308'])
    await list.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  await press(page, bulkTexts.move);
  await page.getByRole('combobox', { name: operation.target }).fill('deck_3');
  await page.getByRole('option', { name: /^liquidhandler_1.deck_3/ }).click();
  await expect(dialog(page)).toContainText(bulkTexts.room(1));
  await page.getByRole('combobox', { name: operation.target }).fill('storage_rack');
  await page.getByRole('option', { name: /^storage_rack/ }).click();
  await press(page, bulkTexts.moveAction(2));
  await expect.poll(async () => (await findResource(lab, 'storage_rack')).quantity).toBe(4);
  const moved = await findResource(lab, 'plate_307');
  expect(moved).toMatchObject({ attributes: { lot: 7, wells: 96 } });

  await page.goto(`${url}resources/${moved.resource_id}`);
  await page
    .getByRole('button', { name: /^Compare with now/ })
    .last()
    .click();
  await expect(
    dialog(page)
      .getByRole('row')
      .filter({ hasText: texts.columns.attribute('lot') }),
  ).toContainText(texts.history.nothing);
  await expect(dialog(page).getByRole('row').filter({ hasText: texts.columns.place })).toContainText('storage_rack');
  expect.soft(await violationsInBothThemes(page), 'compare').toEqual([]);
  await press(page, commonTexts.close);
  await page.goto(`${url}resources`);
  const plate = await findResource(lab, 'plate_103');
  await page.getByLabel(texts.scan.field).fill(String(plate.attributes?.['barcode']));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('plate_103');
  await expect(page.getByText(resourceTexts.type('grid')).first()).toBeVisible();
});
