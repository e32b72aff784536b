/** The Data panel with a real data manager: a datapoint is found, plotted and downloaded as it was stored. */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { dataPanelTexts as texts } from '#dashboard/panels/data/texts.ts';
import { recordsTexts } from '#dashboard/managers/records/texts.ts';
import { dataTexts } from '#dashboard/managers/data/texts.ts';
import { data, events, experiments, uniqueName, getId } from '../behaviour/lab.ts';
import { button, heading, LabPages, expectVisible } from './labPage.ts';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
afterEach(() => pages.close());

it('a datapoint is listed, plotted and saved', async () => {
  const label = uniqueName('curve');
  const values = [1, 2, 4, 8];
  const id = getId(await data.addDatapoint({ body: { datapoint: { data_type: 'json', label, value: values } } }));
  const page = await pages.open('data');
  const row = page.getByRole('grid', { name: texts.caption }).getByRole('row').filter({ hasText: label });
  await expectVisible(row, texts.values(4));
  await row.getByRole('link').first().click();
  const sidePanel = page.getByRole('complementary', { name: label });
  await expectVisible(sidePanel.locator('canvas'));
  await sidePanel.getByRole('link', { name: 'Open full page' }).click();
  await expectVisible(heading(page), label);
  expect(page.url()).toContain(id);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: dataTexts.download(`${label}.json`) }).click();
  expect(JSON.parse(await readFile(await (await saved).path(), 'utf8'))).toEqual(values);
});

it('a file is saved under its own name with identical bytes', async () => {
  const text = 'well,od\nA1,0.4\n';
  const datapoint = { data_type: 'file', label: uniqueName('plate'), path: 'plate.csv' } as const;
  const stored = await data.addDatapoint({ body: { datapoint }, files: { 'plate.csv': new Blob([text]) } });
  const page = await pages.open(`data/${getId(stored)}`);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: dataTexts.download('plate.csv') }).click();
  expect((await saved).suggestedFilename()).toBe('plate.csv');
  expect(await readFile(await (await saved).path(), 'utf8')).toBe(text);
});

const startRun = async () =>
  getId(
    await experiments.startExperiment({
      body: { experiment_design: { experiment_name: 'Records' }, run_name: uniqueName('run') },
    }),
  );

it('a typed value and a file are stored with their experiment', async () => {
  const run = await startRun();
  const page = await pages.open(`experiments/${run}`);
  const dialog = page.getByRole('dialog');
  const stored = async (label: string) => {
    const all = Object.values(await data.queryDatapoints({ body: { label } }));
    return all.map(({ data_type: type, ownership_info: owner }) => [type, owner?.experiment_id]);
  };

  await button(page, recordsTexts.addData).click();
  await dialog.getByRole('button', { name: recordsTexts.data.kinds.value, exact: true }).click();
  await dialog.getByRole('textbox', { name: new RegExp(`^${recordsTexts.data.value}`) }).fill('7.2');
  const value = uniqueName('pH');
  await dialog.getByLabel(recordsTexts.data.name, { exact: true }).fill(value);
  await dialog.getByRole('button', { name: recordsTexts.data.add, exact: true }).click();
  await expect.poll(() => stored(value)).toEqual([['json', run]]);
  await dialog.waitFor({ state: 'hidden' });

  await button(page, recordsTexts.addData).click();
  await dialog.getByRole('button', { name: recordsTexts.data.kinds.file, exact: true }).click();
  const file = { name: 'plate.csv', mimeType: 'text/csv', buffer: Buffer.from('well,od\nA1,0.4\n') };
  await dialog.locator('input[type="file"]').first().setInputFiles(file);
  const label = `${uniqueName('plate')}.csv`;
  const name = dialog.getByLabel(recordsTexts.data.name, { exact: true });
  // The name of the file is suggested first.
  await expect.poll(() => name.inputValue()).toBe('plate.csv');
  await name.fill(label);
  await dialog.getByRole('button', { name: recordsTexts.data.add, exact: true }).click();
  await expect.poll(() => stored(label)).toEqual([['file', run]]);
});

it('a note about an experiment is stored in the event log', async () => {
  const run = await startRun();
  const page = await pages.open(`experiments/${run}`);
  await button(page, recordsTexts.addNote).click();
  const dialog = page.getByRole('dialog');
  const text = uniqueName('The lid was open');
  await dialog.getByLabel(recordsTexts.note.text, { exact: true }).fill(text);
  await dialog.getByRole('button', { name: recordsTexts.note.add, exact: true }).click();
  await expect
    .poll(async () => JSON.stringify(await events.queryEvents({ body: { 'source.experiment_id': run } })))
    .toContain(text);
});
