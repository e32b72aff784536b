/** A large inventory: every operation of a batch is sent, saves need no second confirmation, and nothing logs an error. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { componentTexts } from '#dashboard/components/texts.ts';
import { resourcesTexts as texts } from '#dashboard/panels/resources/texts.ts';
import { batchTexts, bulkTexts } from '#dashboard/panels/resources/batch/texts.ts';
import { events, resources, uniqueName } from '../behaviour/lab.ts';
import { button, LabPages, expectVisible } from './labPage.ts';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
afterEach(() => pages.close());

const count = 250;

/** The messages of the errors in the lab's log. */
async function listErrors(): Promise<readonly string[]> {
  const logged = await events.queryEvents({ body: { log_level: { $gte: 40 } } });
  return Object.values(logged).map(({ event_data: data }) => JSON.stringify(data));
}

/** Adds the resources in sequence: the manager's in-memory database fails with parallel writes. */
async function addTubes(name: string): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await resources.addResource({
      body: {
        base_type: 'continuous_consumable',
        resource_name: `${name}_${number}`,
        resource_class: name,
        quantity: 50.5,
        capacity: 100,
      },
    });
}

it('saves and a bulk removal of 250 resources are sent without a false warning, and log no error', async () => {
  const name = uniqueName('tube');
  await addTubes(name);
  const errorsBefore = await listErrors();
  const [tube] = await resources.queryResources({ body: { resource_name: `${name}_7` } });
  const page = await pages.open(`resources/${tube?.resource_id}`);
  const warning = page.getByRole('alertdialog');
  for (const amount of ['60', '61', '62', '63', '64']) {
    await button(page, texts.operations.quantity).click();
    await page.getByLabel(texts.operations.amountField, { exact: true }).fill(amount);
    await button(page, texts.operations.save).click();
    await expectVisible(page.getByText(`${amount} of 100`));
    expect(await warning.count()).toBe(0);
  }
  await page.goto(new URL(`resources?as=flat&q=${name}`, new URL('/', page.url())).href);
  await page.getByLabel(componentTexts.table.selectAll).check();
  await button(page, bulkTexts.remove).click();
  await button(page, bulkTexts.removeAction(count)).click();
  await page
    .getByText(batchTexts.summary(count, 0, 0))
    .first()
    .waitFor({ timeout: 240_000 });
  const errors = await listErrors();
  expect(errors.slice(errorsBefore.length)).toEqual([]);
  // The manager logs this query as an error, because it finds nothing.
  pages.expectErrors(/404: Resource not found/);
  expect(await resources.queryResources({ body: { resource_class: name } })).toEqual([]);
}, 400_000);
