/** The location pages with a real location manager: every edit is stored completely, and no other data is lost. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { commonTexts } from '#dashboard/base/texts.ts';
import {
  addingTexts,
  editTexts,
  representationTexts,
  reconciliationTexts,
  graphTexts,
  locationsTexts as texts,
  importingTexts,
} from '#dashboard/panels/locations/texts.ts';
import { submitTexts } from '#dashboard/panels/workflows/submit/texts.ts';
import { uniqueName, locations, resources } from '../behaviour/lab.ts';
import { button, heading, LabPages, outcomes, expectVisible } from './labPage.ts';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
afterEach(() => pages.close());

const expectEventually = (check: () => Promise<unknown>) => expect.poll(check);

it('a location is added with its resource, edited and given a representation for a node', async () => {
  const asset = uniqueName('microscope');
  const { resource_id } = await resources.addResource({ body: { base_type: 'asset', resource_name: asset } });
  const page = await pages.open('locations');
  await button(page, addingTexts.open).click();
  const dialog = page.getByRole('dialog');
  const name = uniqueName('shelf');
  await dialog.getByLabel(addingTexts.name, { exact: true }).fill(name);
  await dialog.getByLabel(addingTexts.content).selectOption('A resource of the lab');
  await dialog.getByRole('combobox', { name: 'Resource' }).fill(asset);
  await page.getByRole('option', { name: new RegExp(asset) }).click();
  await dialog.getByRole('button', { name: addingTexts.add, exact: true }).click();
  await expectVisible(heading(page), name);
  await expectEventually(async () => (await locations.findLocation({ name })).resource_id).toBe(resource_id);

  await button(page, representationTexts.add).click();
  await dialog.getByLabel(representationTexts.node, { exact: true }).selectOption('careful');
  await dialog.getByLabel(representationTexts.value).fill('{"slot": 9}');
  await dialog.getByRole('button', { name: representationTexts.save, exact: true }).click();
  await expectEventually(async () => (await locations.findLocation({ name })).representations).toEqual({
    careful: { slot: 9 },
  });

  await button(page, 'Edit…').first().click();
  await dialog.getByLabel(editTexts.description).fill('By the door');
  await dialog.getByLabel(editTexts.transfers).uncheck();
  await dialog.getByRole('button', { name: editTexts.save, exact: true }).click();
  await expectEventually(() => locations.findLocation({ name })).toMatchObject({
    description: 'By the door',
    allow_transfers: false,
    resource_id,
    representations: { careful: { slot: 9 } },
  });
});

it('an import has the result of its preview, and new locations are reconciled', async () => {
  const old = await locations.addLocation({ body: { location_name: uniqueName('old'), description: 'Stored' } });
  const locationName = uniqueName('made');
  const file = [
    { ...old, description: 'From the file' },
    {
      location_name: locationName,
      resource_template_name: 'interop_nest',
      resource_template_overrides: { resource_name: uniqueName('nest') },
    },
    { location_name: 'not a name' },
  ];
  const page = await pages.open('locations');
  await button(page, importingTexts.open).click();
  const dialog = page.getByRole('dialog');
  await page.getByLabel(importingTexts.file, { exact: true }).setInputFiles({
    name: 'locations.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  });
  await dialog.getByLabel(importingTexts.overwrite).check();
  const row = (name: string) => dialog.getByRole('row', { name: new RegExp(name) });
  await expectVisible(row(old.location_name), 'From the file');
  await dialog.getByRole('button', { name: importingTexts.action(2), exact: true }).click();
  await expectVisible(row(locationName), importingTexts.outcome.imported);
  expect(await locations.findLocation({ name: old.location_name })).toEqual({ ...old, description: 'From the file' });
  await dialog.getByRole('button', { name: commonTexts.close, exact: true }).click();
  // The manager also reconciles by itself every 2 s (`realLab.ts`), so only the outcome shows that the button works.
  await button(page, reconciliationTexts.now).click();
  await expectVisible(outcomes(page), 'Reconciled');
  await expectEventually(async () => (await locations.findLocation({ name: locationName })).resource_id).toMatch(
    /^\w+$/,
  );
});

it('the routes of the real nodes are drawn, and a planned transfer opens in the submit page', async () => {
  const { location_id: from } = await locations.findLocation({ name: 'bench.1' });
  const { location_id: to } = await locations.findLocation({ name: 'bench.2' });
  const page = await pages.open('locations?as=graph');
  const graph = page.getByRole('region', { name: graphTexts.caption });
  await expectVisible(graph.getByRole('link', { name: 'careful', exact: true }));
  await graph.locator('.location').filter({ hasText: 'bench.1' }).getByRole('link').focus();
  await expectVisible(graph.locator('.location').filter({ hasText: 'bench.2' }), 'by careful');
  await pages.open(`locations/plan?from=${from}&to=${to}`);
  await expectVisible(page.getByRole('list', { name: texts.planner.steps }), 'careful');
  await button(page, 'Open in the submit page').click();
  await expectVisible(heading(page), submitTexts.title);
  await expectVisible(page.locator('.cm-content'), 'bench.2');
});
