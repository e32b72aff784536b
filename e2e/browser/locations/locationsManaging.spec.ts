/**
 * Managing locations on the demo lab: adding, importing and exporting, editing, reconciling, representations,
 * templates.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { createClient } from '#api/client/client.ts';
import { locationApi } from '#api/managers/location.ts';
import { resourceApi } from '#api/managers/resource.ts';
import { commonTexts } from '#dashboard/base/texts.ts';
import {
  addingTexts,
  editTexts,
  representationTexts,
  locationsTexts,
  reconciliationTexts,
  importingTexts,
  templatesTexts,
} from '#dashboard/panels/locations/texts.ts';
import type { DemoLab } from '#demo/lab/lab.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { outcomes } from '../../support/browser/workcellsPage.ts';
import { expect, test } from '../../support/demoLab.ts';

const locationClient = ({ context }: DemoLab) =>
  createClient(locationApi, { baseUrl: context.location_server_url ?? '', version: null });
const resourceClient = ({ context }: DemoLab) =>
  createClient(resourceApi, { baseUrl: context.resource_server_url ?? '', version: null });
const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a location is added by hand with its resource, and another one from a template', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await resourceClient(lab).addResource({ body: { base_type: 'asset', resource_name: 'microscope_7' } });
  await page.goto(`${url}locations`);
  await press(page, addingTexts.open);
  await dialog(page).getByLabel(addingTexts.name).fill('storage_rack');
  await expect(dialog(page)).toContainText('A location has this name already.');
  await dialog(page).getByLabel(addingTexts.name).fill('bench_2');
  await dialog(page).getByLabel(addingTexts.content).selectOption('A resource of the lab');
  await dialog(page).getByRole('combobox', { name: 'Resource' }).fill('microscope_7');
  await page.getByRole('option', { name: /microscope_7/ }).click();
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: addingTexts.add }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'bench_2' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'microscope_7' }).first()).toBeVisible();

  await page.goto(`${url}locations`);
  await press(page, addingTexts.open);
  await press(page, addingTexts.fromTemplate);
  await dialog(page).getByLabel(addingTexts.name).fill('liquidhandler_1.deck_9');
  await dialog(page).getByLabel(addingTexts.role('arm')).selectOption('robotarm_1');
  await dialog(page).getByLabel(addingTexts.role('deck')).selectOption('liquidhandler_1');
  await dialog(page).getByRole('button', { name: addingTexts.add }).click();
  await expect(dialog(page)).toContainText('Required.');
  await dialog(page).getByLabel('position', { exact: true }).fill('[1, 2, 3]');
  await dialog(page).getByLabel('deck_position', { exact: true }).fill('9');
  await dialog(page).getByRole('button', { name: addingTexts.add }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'liquidhandler_1.deck_9' })).toBeVisible();
  expect(await locationClient(lab).findLocation({ name: 'liquidhandler_1.deck_9' })).toMatchObject({
    representations: { robotarm_1: { position: [1, 2, 3] }, liquidhandler_1: { deck_position: 9 } },
  });
});

test('the choice between by hand and a template keeps its height in a dialog that scrolls', async ({ page, demo }) => {
  const { url } = await demo();
  await page.setViewportSize({ width: 1280, height: 560 });
  await page.goto(`${url}locations`);
  await press(page, addingTexts.open);
  const byHand = dialog(page).getByRole('button', { name: 'By hand' });
  await press(page, addingTexts.fromTemplate);
  await expect(dialog(page).getByLabel(addingTexts.role('arm'))).toBeVisible();
  const [choice, button] = await Promise.all([byHand.locator('..').boundingBox(), byHand.boundingBox()]);
  expect(choice?.height).toBeGreaterThanOrEqual(button?.height ?? Infinity);
});

test('exported locations can be imported again without losing a field', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const exported = await locationClient(lab).getLocations({});
  await page.goto(`${url}locations`);
  const saving = page.waitForEvent('download');
  await press(page, 'Export');
  const text = await readFile(await (await saving).path(), 'utf8');
  expect(JSON.parse(text)).toEqual(exported);
  await locationClient(lab).deleteLocation({ location_name: 'storage_rack', location_id: '' });
  const changed = exported.map((one) =>
    one.location_name === 'bench_1' ? { ...one, description: 'By the window' } : one,
  );
  const file = [...changed, { location_name: 'not a name' }];
  await press(page, importingTexts.open);
  await page.getByLabel(importingTexts.file, { exact: true }).setInputFiles({
    name: 'locations.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  });
  const row = (name: string) => dialog(page).getByRole('row', { name: new RegExp(name) });
  // The dialog can use a read from before the deletion until the next one.
  await expect(row('storage_rack')).toContainText(importingTexts.effect.new);
  await expect(row('bench_1')).toContainText(importingTexts.effect.unchanged);
  await expect(row('not a name')).toContainText('A name consists of letters, digits, “_”, “.” and “-”.');
  await expect(row('liquidhandler_1.deck_1')).toContainText(importingTexts.effect.same);
  await page.getByLabel(importingTexts.overwrite).check();
  await expect(row('bench_1')).toContainText('By the window');
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await dialog(page)
    .getByRole('button', { name: importingTexts.action(2) })
    .click();
  await expect(row('storage_rack')).toContainText(importingTexts.outcome.imported);
  const byName = (all: typeof exported) => Object.fromEntries(all.map((one) => [one.location_name, one]));
  expect(byName(await locationClient(lab).getLocations({}))).toEqual(byName(changed));
});

test('a long value in a file of locations leaves room for their names in the preview', async ({ page, demo }) => {
  const { url } = await demo();
  await page.goto(`${url}locations`);
  await press(page, importingTexts.open);
  await page.getByLabel(importingTexts.file, { exact: true }).setInputFiles({
    name: 'locations.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify([{ location_name: 'bench_1', description: 'x'.repeat(300) }])),
  });
  const row = dialog(page).getByRole('row', { name: /bench_1/ });
  await expect(row).toContainText('xxx');
  const lineHeight = 24;
  for (const text of [row.getByText('bench_1'), row.getByText(importingTexts.effect.unchanged)]) {
    const lines = await text.evaluate((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect().height;
    });
    expect(lines).toBeLessThanOrEqual(lineHeight);
  }
});

test('fields that only an import can change are edited without losing another user’s change', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const manager = locationClient(lab);
  const rack = await manager.findLocation({ name: 'storage_rack' });
  const owned_by = { user_id: '01M7YEYAJ62719KNN779TD4E0K' };
  const reservation = { owned_by, created: '2020-01-01T00:00:00Z', expires: '2020-01-02T00:00:00Z' };
  const body = [{ ...rack, representations: rack.representations ?? {}, reservation }];
  await manager.importLocations({ overwrite: true, body });
  await page.goto(`${url}locations/${rack.location_id}`);
  await page.getByRole('main').getByRole('button', { name: 'Edit…', exact: true }).first().click();
  await dialog(page).getByLabel(editTexts.description).fill('Mine');
  await dialog(page).getByLabel(editTexts.transfers).uncheck();
  await manager.setRepresentation({ location_name: 'storage_rack', location_id: '', node_name: 'mover', body: 7 });
  await dialog(page).getByRole('button', { name: editTexts.save }).click();
  await expect(outcomes(page)).toContainText(
    editTexts.savedWithOtherChanges([locationsTexts.field('representations.mover')]),
  );
  await press(page, editTexts.reservation.clear);
  await expect(page.getByRole('alertdialog')).toContainText(
    'The reservation has expired, but the scheduler of MADSci 0.8.1 does not check that: it starts no step at a reserved location.',
  );
  await page.getByRole('alertdialog').getByRole('button', { name: editTexts.reservation.action }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: editTexts.reservation.clear })).toHaveCount(0);
  expect(await manager.findLocation({ name: 'storage_rack' })).toMatchObject({
    ...rack,
    description: 'Mine',
    allow_transfers: false,
    reservation: null,
    representations: { mover: 7 },
  });
});

test('the page lists a location that waits for a template, and a reconciliation creates its resource', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  // Stops the periodic reconciliation, which would create the resource, too.
  lab.managers.location.stop();
  await page.goto(`${url}locations`);
  const card = page.getByRole('region', { name: 'Reconciliation' });
  await expect(card).toContainText(reconciliationTexts.unresolvedReason('bench_top', new Set()));
  const inRail = page.getByRole('navigation').getByRole('link', { name: /Locations.*1 needs attention/ });
  await expect(inRail).toBeVisible();
  const resource = { base_type: 'slot', resource_name: 'top' } as const;
  await resourceClient(lab).createTemplate({ body: { template_name: 'bench_top', resource } });
  await press(page, reconciliationTexts.now);
  await expect(outcomes(page)).toContainText('Reconciled: 1 resource created.');
  await expect(card.getByRole('listitem')).toHaveCount(0);
  await expect(inRail).toHaveCount(0);
  expect((await locationClient(lab).findLocation({ name: 'bench_1' })).resource_id).toMatch(/^\w+$/);
});

test('a representation is added as JSON that its template validates, and removed', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const manager = locationClient(lab);
  const schema_def = { type: 'object', properties: { height: { type: 'number', minimum: 0 } } };
  await manager.addRepresentationTemplate({
    body: { template_name: 'shelf_access', default_values: { height: 1 }, required_overrides: ['bay'], schema_def },
  });
  const { location_id: id } = await manager.findLocation({ name: 'bench_1' });
  await page.goto(`${url}locations/${id}`);
  await press(page, representationTexts.add);
  await dialog(page).getByLabel(representationTexts.node).selectOption('robotarm_1');
  await dialog(page).getByLabel('Template to check against').selectOption('shelf_access');
  await dialog(page).getByLabel(representationTexts.value).fill('{"height": -1}');
  await expect(dialog(page)).toContainText(representationTexts.missing(['bay']));
  await expect(dialog(page)).toContainText('height: ');
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await dialog(page).getByLabel(representationTexts.value).fill('{"bay": 3}');
  await dialog(page).getByRole('button', { name: 'Insert the template’s defaults' }).click();
  await dialog(page).getByRole('button', { name: representationTexts.save }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect
    .poll(async () => (await manager.findLocation({ name: 'bench_1' })).representations)
    .toEqual({ robotarm_1: { height: 1, bay: 3 } });
  await press(page, representationTexts.remove);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove representation' }).click();
  await expect(page.getByText('No node has a representation of this location.')).toBeVisible();
});

test('representation templates are listed, added, replaced and deleted', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const manager = locationClient(lab);
  await page.goto(`${url}locations/templates`);
  await expect(page.getByRole('grid').getByRole('link', { name: 'deck_slot' })).toBeVisible();
  await press(page, templatesTexts.kind.representation);
  const add = async (name: string) => {
    await press(page, templatesTexts.add.representation);
    await dialog(page).getByLabel(templatesTexts.fields.template_name, { exact: true }).fill(name);
    await dialog(page).getByLabel(templatesTexts.fields.default_values).fill('{"height": 1}');
    await dialog(page).getByRole('button', { name: templatesTexts.save }).click();
  };
  await add('shelf_access');
  await expect(dialog(page)).toHaveCount(0);
  await add('shelf_access');
  await expect(dialog(page).getByRole('alert')).toContainText('already exists');
  await dialog(page).getByRole('button', { name: commonTexts.cancel }).click();
  await page.getByRole('grid').getByRole('link', { name: 'shelf_access' }).click();
  const side = page.getByRole('complementary', { name: 'shelf_access' });
  await side.getByRole('button', { name: 'New version…' }).click();
  await dialog(page).getByLabel(templatesTexts.fields.version).fill('0.9.0');
  await dialog(page).getByLabel(templatesTexts.fields.description).fill('Lower');
  await dialog(page).getByRole('button', { name: templatesTexts.save }).click();
  await expect
    .poll(() => manager.getRepresentationTemplate({ template_name: 'shelf_access' }))
    .toMatchObject({ version: '0.9.0', description: 'Lower' });
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await side.getByRole('button', { name: templatesTexts.delete }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: templatesTexts.deleteAction }).click();
  await expect(side).toHaveCount(0);
  await expect(page.getByRole('grid').getByRole('link', { name: 'shelf_access' })).toHaveCount(0);
});
