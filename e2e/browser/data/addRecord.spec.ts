/** Data and notes that a user adds on the pages of the demo lab, and what its managers store. */
import { createClient } from '#api/client/client.ts';
import { dataApi } from '#api/managers/data.ts';
import { eventApi } from '#api/managers/event.ts';
import { experimentApi } from '#api/managers/experiment.ts';
import { dataPanelTexts } from '#dashboard/panels/data/texts.ts';
import { eventsTexts } from '#dashboard/panels/events/texts.ts';
import { recordsTexts } from '#dashboard/managers/records/texts.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { outcomes } from '../../support/browser/workcellsPage.ts';
import { expect, test } from '../../support/demoLab.ts';

const texts = recordsTexts.data;

test('a value, a photo and a note are stored with an experiment, and its page shows the value and the note', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo();
  const createApiClient = <A extends Parameters<typeof createClient>[0]>(api: A, baseUrl: string | null | undefined) =>
    createClient(api, { baseUrl: baseUrl ?? '', version: null });
  const { _id: id } = await createApiClient(experimentApi, lab.context.experiment_server_url).startExperiment({
    body: { experiment_design: { experiment_name: 'Salt series' }, run_name: 'Salt 7' },
  });
  await page.goto(`${url}experiments/${id}`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: recordsTexts.addData }).click();
  await expect(dialog).toContainText('Salt 7');
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: texts.kinds.value, exact: true }).click();
  await dialog.getByRole('textbox', { name: new RegExp(`^${texts.value}`) }).fill('7.2');
  await dialog.getByLabel(texts.name, { exact: true }).fill('pH');
  await dialog.getByRole('button', { name: texts.add, exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(outcomes(page)).toContainText(texts.stored('Experiment Salt series · Salt 7'));
  await expect(page.getByRole('columnheader', { name: 'pH' })).toBeVisible();
  await expect(page.getByRole('cell', { name: '7.2' })).toBeVisible();

  // Large enough for a progress bar: the page sends it in a different way.
  await page.getByRole('button', { name: recordsTexts.addData }).click();
  const photo = { name: 'plate.png', mimeType: 'image/png', buffer: Buffer.alloc(3_000_000, 7) };
  await dialog.locator('input[type="file"]').setInputFiles(photo);
  await expect(dialog.getByLabel(texts.name, { exact: true })).toHaveValue('plate.png');
  await dialog.getByRole('button', { name: texts.add, exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const stored = await createApiClient(dataApi, lab.context.data_server_url).queryDatapoints({
    body: { 'ownership_info.experiment_id': id },
  });
  expect(Object.values(stored)).toMatchObject([
    { label: 'pH', data_type: 'json', value: 7.2 },
    { label: 'plate.png', data_type: 'file' },
  ]);

  await page.getByRole('button', { name: recordsTexts.addNote }).click();
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  await dialog.getByLabel(recordsTexts.note.text).fill('The lid was open.');
  await dialog.getByRole('button', { name: recordsTexts.note.add, exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const region = page.getByRole('region', { name: /^Events/ });
  await expect(region).toContainText('The lid was open.');
  const events = Object.values(await createApiClient(eventApi, lab.context.event_server_url).getEvents({ number: 50 }));
  expect(events.filter(({ source }) => source['experiment_id'] === id).map((event) => event.event_data)).toEqual([
    expect.objectContaining({ message: 'The lid was open.', command: 'add_note', application: 'dashboard' }),
  ]);
});

test('a value is added on the data page, whose form stays when the manager fails, and a note on the event page', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo({ past: true });
  await page.goto(`${url}data`);
  await page.getByRole('button', { name: recordsTexts.addData }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: texts.kinds.value, exact: true }).click();
  await dialog.getByRole('textbox', { name: new RegExp(`^${texts.value}`) }).fill('3');
  await dialog.getByLabel(texts.name, { exact: true }).fill('Colonies');
  await dialog.getByLabel(texts.about).click();
  await page.getByRole('option').first().click();
  await lab.faults.setManager('data', { kind: 'error500' });
  await dialog.getByRole('button', { name: texts.add, exact: true }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByLabel(texts.name, { exact: true })).toHaveValue('Colonies');
  await lab.faults.setManager('data', null);
  await dialog.getByRole('button', { name: texts.add, exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const grid = page.getByRole('grid', { name: dataPanelTexts.caption });
  await expect(grid.getByRole('row').filter({ hasText: 'Colonies' })).toBeVisible();

  await page.goto(`${url}events`);
  await page.getByRole('button', { name: recordsTexts.addNote }).click();
  await dialog.getByLabel(recordsTexts.note.text).fill('Cleaned the deck');
  await dialog.getByRole('button', { name: recordsTexts.note.add, exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const log = page.getByRole('grid', { name: eventsTexts.caption });
  await expect(log.getByRole('row').filter({ hasText: 'Cleaned the deck' })).toHaveCount(1);
});
