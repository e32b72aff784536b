/** The resource pages with a real resource manager: every edit is stored, and changes by other clients are shown. */
import { ulid } from 'ulid';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { listChildren } from '#api/managers/resourceTypes.ts';
import { componentTexts } from '#dashboard/components/texts.ts';
import { resourcesTexts as texts } from '#dashboard/panels/resources/texts.ts';
import { batchTexts, fillTexts } from '#dashboard/panels/resources/batch/texts.ts';
import { importTexts } from '#dashboard/panels/resources/import/texts.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import { events, uniqueName, resources } from '../behaviour/lab.ts';
import { button, heading, LabPages, expectVisible } from './labPage.ts';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
afterEach(() => pages.close());

const operation = texts.operations;
const verb = (text: string) => text.replace(/…$/, '');
const read = (id: string) => resources.getResource({ resource_id: id });
const expectEventually = (check: () => Promise<unknown>) => expect.poll(check);

it('the amount of tips is reduced and filled, and a low amount is marked', async () => {
  const { resource_id: id } = await resources.addResource({
    body: { base_type: 'discrete_consumable', resource_name: uniqueName('tips'), quantity: 40, capacity: 96 },
  });
  const page = await pages.open(`resources/${id}`);
  await expectVisible(page.getByText(resourceTexts.ofCapacity('40', '96')));
  await button(page, operation.quantity).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: operation.decrease, exact: true }).click();
  await dialog.getByLabel(operation.amountField, { exact: true }).fill('30');
  await dialog.getByRole('button', { name: operation.save, exact: true }).click();
  await expectEventually(async () => (await read(id)).quantity).toBe(10);
  await page.getByRole('button', { name: /^More operations on/ }).click();
  await page.getByRole('menuitem', { name: operation.lowMark, exact: true }).click();
  await dialog.getByLabel(operation.lowMarkField).fill('12');
  await dialog.getByRole('button', { name: operation.save, exact: true }).click();
  await expectEventually(async () => (await read(id)).attributes).toMatchObject({ low_mark: 12 });
  // The lock for saving is released last.
  await expectEventually(() => read(id)).toMatchObject({ quantity: 10, capacity: 96, locked_by: null });
  await expectVisible(page.getByText('Low', { exact: true }));
  await button(page, operation.fill).click();
  await expectVisible(page.getByText('96 of 96'));
  const history = page.getByRole('region', { name: 'History' });
  await expectVisible(history, texts.history.changed(operation.amountField, '40', '10'));
});

it('a plate is drawn from the manager’s data, and two of its wells are set together', async () => {
  const well = (name: string) => ({
    base_type: 'continuous_consumable',
    resource_name: name,
    quantity: 5,
    capacity: 300,
  });
  const { resource_id: id } = await resources.addResource({
    body: { base_type: 'grid', resource_name: uniqueName('plate'), rows: 2, columns: 3 },
  });
  for (const key of ['A1', 'B2'])
    await resources.setChild({
      resource_id: id,
      body: { key, child: well(key) as Parameters<typeof resources.addResource>[0]['body'] },
    });
  const page = await pages.open(`resources/${id}`);
  await expectVisible(page.getByText(resourceTexts.places(2, 6)));
  const plate = page.getByRole('grid');
  expect(await plate.getByRole('gridcell').count()).toBe(6);
  await plate.getByRole('gridcell', { name: /^A1, A1, 5 of 300/ }).click();
  await page.keyboard.press('Space');
  await plate.getByRole('gridcell', { name: /^B2/ }).click({ modifiers: ['Shift'] });
  await button(page, operation.quantity).click();
  await page.getByLabel(operation.amountField, { exact: true }).fill('120');
  await page.getByRole('button', { name: operation.save, exact: true }).click();
  await expectVisible(plate.getByRole('gridcell', { name: /^B2, B2, 120 of 300/ }));
});

it('a stack is pushed, popped, removed with its content and restored', async () => {
  const name = uniqueName('stack');
  const { resource_id: id } = await resources.addResource({ body: { base_type: 'stack', resource_name: name } });
  const child = await resources.addResource({ body: { base_type: 'asset', resource_name: uniqueName('plate') } });
  const page = await pages.open(`resources/${id}`);
  await button(page, operation.push).click();
  await page.getByRole('combobox', { name: operation.child }).fill(child.resource_name);
  await page.getByRole('option').first().click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: verb(operation.push), exact: true })
    .click();
  await expectEventually(async () => (await read(id)).quantity).toBe(1);
  await expectVisible(page.getByRole('link', { name: child.resource_name }));
  await button(page, operation.pop).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: verb(operation.pop), exact: true })
    .click();
  await expectEventually(async () => (await read(id)).quantity).toBe(0);
  // Before the page shows the change, the dialog would describe the earlier content and require a second confirmation.
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: child.resource_name }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: operation.menu(name) }).click();
  await page.getByRole('menuitem', { name: operation.remove, exact: true }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: verb(operation.remove), exact: true })
    .click();
  await page.waitForURL(/\/resources$/);
  await page.getByRole('button', { name: 'Removed', exact: true }).click();
  const restore = page.getByRole('button', { name: `Restore “${name}”` });
  await restore.click();
  // Before that, reading the resource would be an error in the lab's log.
  await restore.waitFor({ state: 'hidden' });
  await expectEventually(() => read(id).then(({ removed }) => removed)).toBe(false);
  await page.goto(new URL(`${page.url().replace(/resources.*$/, '')}resources/${id}`).href);
  await expectVisible(heading(page), name);
});

it('saving a form keeps a change that another user made meanwhile', async () => {
  const { resource_id: id } = await resources.addResource({
    body: { base_type: 'asset', resource_name: uniqueName('drawer'), resource_class: 'drawer', attributes: { lot: 1 } },
  });
  const page = await pages.open(`resources/${id}`);
  await button(page, operation.edit).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(texts.edit.description).waitFor();
  const current = await read(id);
  await resources.updateResource({
    body: { ...current, attributes: { lot: 2 } } as Parameters<typeof resources.updateResource>[0]['body'],
  });
  await dialog.getByLabel(texts.edit.description).fill('Pipettes');
  await dialog.getByRole('button', { name: texts.edit.save, exact: true }).click();
  await expectEventually(async () => (await read(id)).resource_description).toBe('Pipettes');
  expect(await read(id)).toMatchObject({ attributes: { lot: 2 }, resource_class: 'drawer' });
});

it('saving a form of a resource that another user removed keeps the text, and the manager logs no error', async () => {
  const name = uniqueName('drawer');
  const { resource_id: id } = await resources.addResource({ body: { base_type: 'asset', resource_name: name } });
  const page = await pages.open(`resources/${id}`);
  await button(page, operation.edit).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(texts.edit.description).fill('Pipettes');
  await resources.deleteResource({ resource_id: id });
  await dialog.getByRole('button', { name: texts.edit.save, exact: true }).click();
  await expectVisible(dialog.getByRole('alert'), componentTexts.object.removed(name));
  expect(await dialog.getByRole('alert').count()).toBe(1);
  expect(await dialog.getByLabel(texts.edit.description).inputValue()).toBe('Pipettes');
  // The log is written later: an error that the test causes arrives after those of the page.
  const unknownId = ulid();
  pages.expectErrors(new RegExp(unknownId));
  await resources.getResource({ resource_id: unknownId }).catch(() => undefined);
  const logged = async () => JSON.stringify(await events.queryEvents({ body: { log_level: { $gte: 40 } } }));
  await expectEventually(logged).toContain(unknownId);
});

it('a plate is moved between two stacks', async () => {
  const stack = (name: string) =>
    resources.addResource({ body: { base_type: 'stack', resource_name: uniqueName(name) } });
  const [from, to] = [await stack('from'), await stack('to')];
  const plate = await resources.addResource({ body: { base_type: 'asset', resource_name: uniqueName('plate') } });
  await resources.pushResource({ resource_id: from.resource_id, body: { child_id: plate.resource_id } });
  const page = await pages.open(`resources/${plate.resource_id}`);
  await page.getByRole('button', { name: operation.menu(plate.resource_name) }).click();
  await page.getByRole('menuitem', { name: operation.move, exact: true }).click();
  await page.getByRole('combobox', { name: operation.target }).fill(to.resource_name);
  await page.getByRole('option').first().click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: verb(operation.move), exact: true })
    .click();
  await expectEventually(async () => (await read(plate.resource_id)).parent_id).toBe(to.resource_id);
  expect((await read(from.resource_id)).quantity).toBe(0);
});

it('many wells are added by pattern around existing ones', async () => {
  const { resource_id: id } = await resources.addResource({
    body: { base_type: 'grid', resource_name: uniqueName('plate'), rows: 2, columns: 3 },
  });
  const child = { base_type: 'continuous_consumable', resource_name: 'held', quantity: 1 } as const;
  await resources.setChild({ resource_id: id, body: { key: 'A2', child } });
  const page = await pages.open(`resources/${id}/fill`);
  await page.getByLabel(fillTexts.patternField).fill('t_{1..6}');
  await expectVisible(page.getByText(fillTexts.occupant('A2', 'held')));
  await page.getByLabel('Quantity', { exact: true }).fill('4');
  await page.getByRole('button', { name: fillTexts.add(5), exact: true }).click();
  await expectVisible(page.getByText(batchTexts.summary(5, 0, 0), { exact: true }));
  await expectEventually(async () => (await read(id)).quantity).toBe(21);
  await page.getByRole('link', { name: 'Back to the resource' }).click();
  await expectVisible(page.getByRole('gridcell', { name: /^B3, t_5, 4/ }));
});

it('a plate is imported with its content, and a second import adds nothing', async () => {
  const [plate, stack, template_name] = [uniqueName('plate'), uniqueName('stack'), uniqueName('template')];
  await resources.createTemplate({
    body: {
      template_name,
      resource: { base_type: 'discrete_consumable', resource_name: 'tips', quantity: 96, capacity: 96 },
    },
  });
  const lines = [
    'Name,Type,In,Position,Rows,Columns,Quantity,Template,lot (attribute)',
    `w2,Continuous consumable,${plate},B2,,,2.5,,L1`,
    `${plate},Grid,,,2,2,,,`,
    `b,Asset,${stack},2,,,,,`,
    `a,Asset,${stack},1,,,,,`,
    `${stack},Stack,,,,,,,`,
    `${plate}_tips,,,,,,,${template_name},`,
    '',
  ];
  const page = await pages.open('resources/import');
  const file = { name: 'plates.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
  await page.setInputFiles('input[type=file]', file);
  await page.getByRole('button', { name: importTexts.run(6), exact: true }).click();
  await expectVisible(page.getByText(batchTexts.summary(6, 0, 0), { exact: true }));
  const findResource = async (resource_name: string) =>
    (await resources.queryResources({ body: { resource_name } }))[0];
  const plateResource = await findResource(plate);
  expect(plateResource).toMatchObject({ quantity: 2.5 });
  const stacked = listChildren(await read((await findResource(stack))?.resource_id ?? ''));
  expect(stacked.map(({ child }) => child.resource_name)).toEqual(['a', 'b']);
  expect(await findResource(`${plate}_tips`)).toMatchObject({ quantity: 96, template_name });
  await page.getByRole('button', { name: importTexts.again }).click();
  await page.setInputFiles('input[type=file]', file);
  await expectVisible(page.getByRole('button', { name: importTexts.run(0), exact: true }));
  await expectVisible(page.getByText(/6 already there/));
});

it('two plates from one template have separate rows', async () => {
  const template_name = uniqueName('template');
  const resource = { base_type: 'grid', resource_name: 'plate', rows: 2, columns: 2 } as const;
  await resources.createTemplate({ body: { template_name, resource } });
  const rows: (readonly string[])[] = [];
  for (const name of [uniqueName('plate'), uniqueName('plate')]) {
    const page = await pages.open(`resources/templates/${template_name}`);
    await button(page, 'Add resource…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(texts.adding.name, { exact: true }).fill(name);
    await dialog.getByRole('button', { name: texts.adding.add, exact: true }).click();
    await expectVisible(heading(page), name);
    const [added] = await resources.queryResources({ body: { resource_name: name } });
    expect(added).toMatchObject({ template_name });
    if (added !== undefined) rows.push(listChildren(added).map(({ child }) => child.resource_id));
  }
  // The children of the first resource still belong to it after the second was created.
  expect(rows.map(({ length }) => length)).toEqual([2, 2]);
  expect(new Set(rows.flat()).size).toBe(4);
});
