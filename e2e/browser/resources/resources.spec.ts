/** The Resources panel on the demo lab: search, plates, every operation, and what the manager refuses. */
import type { Page } from 'playwright';
import { resourceAppearances, stockAppearances } from '#api/states.ts';
import { createClient } from '#api/client/client.ts';
import { resourceApi } from '#api/managers/resource.ts';
import { appTexts } from '#dashboard/app/texts.ts';
import { resourcesTexts as texts } from '#dashboard/panels/resources/texts.ts';
import { batchTexts, bulkTexts } from '#dashboard/panels/resources/batch/texts.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import type { DemoLab } from '#demo/lab/lab.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { expect, test } from '../../support/demoLab.ts';
import { outcomes } from '../../support/browser/workcellsPage.ts';

const operation = texts.operations;
const verb = (text: string) => text.replace(/…$/, '');
const resourceClient = ({ context }: DemoLab) =>
  createClient(resourceApi, { baseUrl: context.resource_server_url ?? '', version: null });

async function findId(lab: DemoLab, name: string): Promise<string> {
  const [resource] = await resourceClient(lab).queryResources({ body: { resource_name: name } });
  if (resource === undefined) throw new Error(`The demo lab has no ${name}`);
  return resource.resource_id;
}
async function openResource(page: Page, url: string, lab: DemoLab, name: string): Promise<string> {
  const id = await findId(lab, name);
  await page.goto(`${url}resources/${id}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  return id;
}
async function chooseInMenu(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('button', { name: operation.menu(name) }).click();
  await page.getByRole('menuitem', { name: text, exact: true }).click();
}
const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));
const save = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();

test('resources are listed as a tree and as a list, and found by name and barcode', async ({ page, demo }) => {
  const { url } = await demo();
  await page.goto(`${url}resources`);
  const tree = page.getByRole('treegrid', { name: texts.caption });
  await expect(tree.getByRole('row').filter({ hasText: 'tip_rack_3' })).toContainText(stockAppearances.low.label);
  await expect(tree.getByRole('row').filter({ hasText: 'tip_rack_3' })).toContainText(
    resourceTexts.ofCapacity('6', '96'),
  );
  const search = page.getByRole('searchbox', { name: `Search in ${texts.caption}` });
  // A barcode, which is an attribute of a plate in a slot.
  await search.fill('plate_101 P');
  await expect(tree.getByRole('link', { name: 'liquidhandler_1.deck_1' })).toBeVisible();
  await expect(tree.getByRole('link', { name: 'plate_101', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/q=plate_101/);

  await page.getByRole('button', { name: 'List', exact: true }).click();
  const list = page.getByRole('grid', { name: texts.caption });
  await search.fill('tipp');
  await page.getByRole('button', { name: /^Search for “tip/ }).click();
  await expect(list.getByRole('row')).toHaveCount(5);
  await list.getByRole('link', { name: 'tip_rack_1' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('tip_rack_1');
  await page.goBack();
  await expect(list.getByRole('row')).toHaveCount(5);
});

test('names that differ only at their ends are shown in full in a window of 1280 px', async ({ page, demo }) => {
  const { url, lab } = await demo();
  await page.setViewportSize({ width: 1280, height: 800 });
  const names = [1, 2].map((shelf) => `robot_arm_1_gripper_storage_hotel_left_tower_position_${shelf}`);
  for (const name of names)
    await resourceClient(lab).addResource({ body: { resource_name: name, base_type: 'asset' } });
  for (const path of ['resources?q=gripper', 'resources?as=flat&q=gripper']) {
    await page.goto(url + path);
    for (const name of names) {
      const link = page.getByRole('link', { name, exact: true });
      await expect(link).toBeVisible();
      const cut = await link.locator('.name').evaluate((text) => {
        return text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight + 1;
      });
      expect(cut, `${name} at ${path}`).toBe(false);
    }
  }
});

test('a plate is shown as a grid of wells, navigated by keyboard, and several wells are edited together', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await openResource(page, url, lab, 'plate_101');
  const plate = page.getByRole('grid', { name: 'plate_101' });
  await expect(plate.getByRole('gridcell')).toHaveCount(96);
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('liquidhandler_1.deck_1');
  await plate.getByRole('gridcell', { name: /^A1, plate_101_A1/ }).click();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('region', { name: texts.page.place('A2') })).toContainText('plate_101_A2');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page.getByText(texts.page.selected(2))).toBeVisible();
  await page.getByRole('button', { name: bulkTexts.quantity }).click();
  await dialog(page).getByLabel(bulkTexts.quantityField).fill('301');
  await save(page, operation.save);
  await expect(dialog(page)).toContainText(operation.overCapacity('300'));
  await dialog(page).getByLabel(bulkTexts.quantityField).fill('12.5');
  await save(page, operation.save);
  await expect(outcomes(page)).toContainText(batchTexts.summary(2, 0, 0));
  await expect(plate.getByRole('gridcell', { name: /^A3, plate_101_A3, 12.5 of 300/ })).toBeVisible();
  // The same for capacity and attributes; a finished operation clears the selection.
  await plate.getByRole('gridcell', { name: /^A2,/ }).click();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByRole('button', { name: bulkTexts.capacity }).click();
  await dialog(page).getByLabel('Capacity').fill('400');
  await save(page, operation.save);
  await expect(plate.getByRole('gridcell', { name: /^A3, plate_101_A3, 12.5 of 400/ })).toBeVisible();
  await plate.getByRole('gridcell', { name: /^A2,/ }).click();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByRole('button', { name: bulkTexts.attributes }).click();
  await dialog(page).getByLabel(bulkTexts.attributeField, { exact: true }).fill('strain');
  await dialog(page).getByLabel(bulkTexts.valueField, { exact: true }).fill('K12');
  await save(page, bulkTexts.setAction(2));
  await expect(page.getByLabel(texts.page.colorBy)).toContainText('strain');
  await page.getByLabel(texts.page.colorBy).selectOption({ label: 'od600' });
  await expect(plate.locator('..')).toContainText('od600');
  await plate.getByRole('gridcell', { name: /^A2,/ }).dblclick();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts.page.wellTitle('plate_101_A2', 'A2'));
});

test('amount, capacity and low mark of a consumable are changed, and the history shows a change @fast', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const id = await openResource(page, url, lab, 'tip_rack_2');
  await page.getByRole('button', { name: operation.quantity }).click();
  await page.getByRole('button', { name: operation.decrease, exact: true }).click();
  await dialog(page).getByLabel(operation.amountField, { exact: true }).fill('30');
  await save(page, operation.save);
  await expect(page.getByText(resourceTexts.ofCapacity('10', '96'))).toBeVisible();
  await expect(page.getByText(stockAppearances.low.label, { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: operation.fill, exact: true }).click();
  await expect(page.getByText('96 of 96')).toBeVisible();
  await expect(page.getByRole('button', { name: operation.fill, exact: true })).toHaveAttribute(
    'title',
    resourceTexts.notAllowed.full,
  );
  await chooseInMenu(page, 'tip_rack_2', operation.lowMark);
  await dialog(page).getByLabel(operation.lowMarkField).fill('96');
  await save(page, operation.save);
  await expect
    .poll(async () => (await resourceClient(lab).getResource({ resource_id: id })).attributes)
    .toMatchObject({
      low_mark: 96,
      volume_ul: 1000,
    });
  await chooseInMenu(page, 'tip_rack_2', operation.capacity);
  await dialog(page).getByLabel(operation.capacityField).fill('');
  await save(page, operation.save);
  await expect.poll(async () => (await resourceClient(lab).getResource({ resource_id: id })).capacity).toBeNull();
  await chooseInMenu(page, 'tip_rack_2', operation.empty);
  await expect(dialog(page)).toContainText(operation.emptyConsumable('96'));
  await save(page, verb(operation.empty));
  await expect.poll(async () => (await resourceClient(lab).getResource({ resource_id: id })).quantity).toBe(0);
  const history = page.getByRole('region', { name: 'History' });
  await expect(history).toContainText(texts.history.changed(operation.amountField, '96', '0'));
});

test('a stack is popped from its top and pushed, and a push that a queue would refuse is disabled', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const stack = await openResource(page, url, lab, 'storage_rack');
  await page.getByRole('button', { name: operation.pop }).click();
  await expect(dialog(page)).toContainText(operation.popEffect('plate_105', texts.page.top));
  await save(page, verb(operation.pop));
  await expect.poll(async () => (await resourceClient(lab).getResource({ resource_id: stack })).quantity).toBe(1);
  await page.getByRole('button', { name: operation.push }).click();
  await page.getByRole('combobox', { name: operation.child }).fill('plate_105');
  await page
    .getByRole('option', { name: /^plate_105/ })
    .first()
    .click();
  await save(page, verb(operation.push));
  await expect.poll(async () => (await resourceClient(lab).getResource({ resource_id: stack })).quantity).toBe(2);

  await openResource(page, url, lab, 'read_queue');
  await page.getByRole('button', { name: operation.pop }).click();
  await save(page, verb(operation.pop));
  await expect(page.getByText(resourceTexts.children(2))).toBeVisible();
  await page.getByRole('button', { name: operation.push }).click();
  await expect(dialog(page)).toContainText(operation.pushCollides);
  await expect(dialog(page).getByRole('button', { name: verb(operation.push), exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('a plate is moved from one deck position to another', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const plate = await openResource(page, url, lab, 'plate_102');
  await chooseInMenu(page, 'plate_102', operation.move);
  await expect(dialog(page)).toContainText(operation.moveFrom('liquidhandler_1.deck_2'));
  await page.getByRole('combobox', { name: operation.target }).fill('deck_3');
  await page.getByRole('option', { name: /^liquidhandler_1.deck_3/ }).click();
  await save(page, verb(operation.move));
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('liquidhandler_1.deck_3');
  const manager = resourceClient(lab);
  const [from, to] = [await findId(lab, 'liquidhandler_1.deck_2'), await findId(lab, 'liquidhandler_1.deck_3')];
  expect((await manager.getResource({ resource_id: plate })).parent_id).toBe(to);
  expect((await manager.getResource({ resource_id: from })).quantity).toBe(0);
});

test('an edit keeps changes of others and requires a confirmation before it overwrites them', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const id = await openResource(page, url, lab, 'tip_rack_1');
  const manager = resourceClient(lab);
  await page.getByRole('button', { name: operation.edit, exact: true }).click();
  await expect(dialog(page).getByLabel(texts.edit.cls)).toHaveValue('tip_rack');
  const served = await manager.getResource({ resource_id: id });
  const otherUsersEdit = { ...served, resource_class: 'theirs', attributes: { ...served.attributes, lot: 7 } };
  await manager.updateResource({ body: otherUsersEdit as Parameters<typeof manager.updateResource>[0]['body'] });
  await dialog(page).getByLabel(texts.edit.cls).fill('mine');
  await save(page, texts.edit.save);
  await expect(dialog(page)).toContainText(texts.edit.conflict(texts.edit.cls, '“tip_rack”', '“theirs”', '“mine”'));
  expect((await manager.getResource({ resource_id: id })).resource_class).toBe('theirs');
  await save(page, texts.edit.overwrite);
  await expect(dialog(page)).toHaveCount(0);
  expect(await manager.getResource({ resource_id: id })).toMatchObject({
    resource_class: 'mine',
    attributes: { lot: 7, low_mark: 16 },
    locked_by: null,
  });
});

test('a resource is locked and unlocked, and the owner of a lock is named', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await openResource(page, url, lab, 'tool_drawer');
  await expect(page.getByText(resourceAppearances.locked.label, { exact: true })).toBeVisible();
  await expect(page.getByText(/Locked by maintenance until/)).toBeVisible();
  await page.getByRole('button', { name: operation.unlock, exact: true }).click();
  await expect(dialog(page)).toContainText(operation.unlockOther('maintenance'));
  await save(page, operation.unlock);
  await expect(page.getByText(resourceAppearances.locked.label, { exact: true })).toHaveCount(0);
  await openResource(page, url, lab, 'plate_101');
  await page.getByRole('button', { name: operation.lock, exact: true }).click();
  await page.getByRole('button', { name: operation.unlock, exact: true }).click();
  await expect(page.getByRole('button', { name: operation.lock, exact: true })).toBeVisible();
});

test('a resource is removed with its content, which the dialog names, and is restored', async ({ page, demo }) => {
  const { lab, url } = await demo();
  const id = await openResource(page, url, lab, 'storage_rack');
  await chooseInMenu(page, 'storage_rack', operation.remove);
  await expect(dialog(page)).toContainText('plate_105');
  await expect(dialog(page)).toContainText('will be removed too');
  await save(page, verb(operation.remove));
  await expect(page).toHaveURL(/\/resources$/);
  await page.goto(`${url}resources/${id}`);
  await page.getByRole('link', { name: texts.page.toRemoved }).click();
  await page.getByRole('button', { name: 'Restore “storage_rack”' }).click();
  await expect(outcomes(page)).toContainText(operation.done);
  await page.goto(`${url}resources/${id}`);
  await expect(page.getByText(resourceTexts.children(2))).toBeVisible();
});

test('a resource is added by type with its own fields, and another one from a template', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await page.goto(`${url}resources`);
  await page.getByRole('button', { name: texts.add }).click();
  await dialog(page)
    .getByLabel(texts.adding.type, { exact: true })
    .selectOption({ label: resourceTexts.type('grid') });
  await save(page, texts.adding.add);
  await dialog(page).getByLabel(texts.adding.name, { exact: true }).fill('plate_200');
  await dialog(page).getByLabel(texts.adding.rows, { exact: true }).fill('16');
  await dialog(page).getByLabel(texts.adding.columns, { exact: true }).fill('24');
  await save(page, texts.adding.add);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('plate_200');
  await expect(page.getByText(resourceTexts.places(0, 384))).toBeVisible();

  await page.goto(`${url}resources`);
  await page.getByRole('button', { name: texts.add }).click();
  await page.getByRole('button', { name: texts.adding.fromTemplate }).click();
  await dialog(page).getByLabel(texts.adding.name, { exact: true }).fill('made_from_template');
  // The field that the template requires.
  await dialog(page).getByLabel(texts.adding.cls, { exact: true }).fill('waste');
  await save(page, texts.adding.add);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('made_from_template');
  expect(await findId(lab, 'made_from_template')).toMatch(/^[0-9A-Z]{26}$/);
});

test('the palette finds a resource by its barcode, and low resources appear on the Overview and in the rail', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const plate = await resourceClient(lab).getResource({ resource_id: await findId(lab, 'plate_103') });
  await page.goto(url);
  await expect(page.getByText(/tip_rack_4/).first()).toBeVisible();
  await expect(page.getByRole('link', { name: /^Resources/ })).toContainText('3');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type(String(plate.attributes?.['barcode']));
  await expect(page.getByRole('option', { name: /plate_103/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('plate_103');
});

test('the resource page stays visible, is marked as stale and disables commands while the manager is down', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  await openResource(page, url, lab, 'tip_rack_1');
  await lab.faults.setManager('resource', { kind: 'down' });
  await expect(page.getByText(/last seen/i).first()).toBeVisible();
  await expect(page.getByText('96 of 96')).toBeVisible();
  await expect(page.getByRole('button', { name: operation.quantity })).toHaveAttribute('aria-disabled', 'true');
  await lab.faults.setManager('resource', null);
  await expect(page.getByRole('button', { name: operation.quantity })).not.toHaveAttribute('aria-disabled', 'true', {});
});

test('list, plate, stack and forms of resources pass axe', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await page.goto(`${url}resources`);
  await expect(page.getByText('tip_rack_3')).toBeVisible();
  expect.soft(await violationsInBothThemes(page), 'list').toEqual([]);
  await page.getByRole('button', { name: texts.add }).click();
  await expect(dialog(page).getByLabel(texts.adding.name, { exact: true })).toBeVisible();
  expect.soft(await violationsInBothThemes(page), 'add').toEqual([]);
  await openResource(page, url, lab, 'storage_rack');
  expect.soft(await violationsInBothThemes(page), 'stack').toEqual([]);
  await openResource(page, url, lab, 'plate_101');
  await expect(page.getByRole('grid', { name: 'plate_101' })).toBeVisible();
  expect.soft(await violationsInBothThemes(page), 'plate').toEqual([]);
  await page.getByRole('button', { name: operation.edit, exact: true }).click();
  await expect(dialog(page).getByLabel(texts.edit.name, { exact: true })).toHaveValue('plate_101');
  expect.soft(await violationsInBothThemes(page), 'edit').toEqual([]);
});

test('a plate prints without the rail and buttons, and in light colours', async ({ page, demo }) => {
  const { lab, url } = await demo();
  await page.emulateMedia({ colorScheme: 'dark' });
  await openResource(page, url, lab, 'plate_101');
  const plate = page.getByRole('grid', { name: 'plate_101' });
  await expect(plate.getByRole('gridcell')).toHaveCount(96);
  await plate.getByRole('gridcell').first().focus();
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await page.evaluate(() => globalThis.dispatchEvent(new Event('beforeprint')));
  await expect(plate).toBeVisible();
  await expect(plate.getByRole('gridcell').first()).toHaveCSS('outline-style', 'none');
  // Paper has no tooltips: the contents of the wells are listed.
  await expect(page.locator('.printed')).toContainText(/A1, .*\d/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The ID is also a button that copies it.
  await expect(page.getByRole('button')).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Add many…' })).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: appTexts.app.panels })).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');

  await page.goto(`${url}resources`);
  const list = page.getByRole('treegrid', { name: texts.caption });
  await expect(list.getByRole('row').nth(1)).toBeVisible();
  await expect(list.getByRole('checkbox')).toHaveCount(0);
});
