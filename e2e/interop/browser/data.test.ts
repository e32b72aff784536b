/** The Data panel in front of a real data manager: a datapoint is found, plotted and downloaded as it was stored. */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { dataPanelTexts as texts } from '../../../dashboard/panels/data/texts.ts';
import { dataTexts } from '../../../dashboard/managers/data/texts.ts';
import { data, fresh, idOf } from '../behaviour/lab.ts';
import { heading, LabPages, seen } from './labPage.ts';

let pages: LabPages;
beforeAll(async () => {
  pages = await LabPages.start();
});
afterAll(() => pages.stop());
afterEach(() => pages.close());

it('lists a datapoint, plots it, and saves its value', async () => {
  const label = fresh('curve');
  const values = [1, 2, 4, 8];
  const id = idOf(await data.addDatapoint({ body: { datapoint: { data_type: 'json', label, value: values } } }));
  const page = await pages.open('data');
  const line = page.getByRole('grid', { name: texts.caption }).getByRole('row').filter({ hasText: label });
  await seen(line, texts.values(4));
  await line.getByRole('link').first().click();
  const side = page.getByRole('complementary', { name: label });
  await seen(side.locator('canvas'));
  await side.getByRole('link', { name: texts.page.openFull }).click();
  await seen(heading(page), label);
  expect(page.url()).toContain(id);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: dataTexts.download(`${label}.json`) }).click();
  expect(JSON.parse(await readFile(await (await saved).path(), 'utf8'))).toEqual(values);
});

it('saves a file under its own name, byte by byte', async () => {
  const text = 'well,od\nA1,0.4\n';
  const datapoint = { data_type: 'file', label: fresh('plate'), path: 'plate.csv' } as const;
  const stored = await data.addDatapoint({ body: { datapoint }, files: { 'plate.csv': new Blob([text]) } });
  const page = await pages.open(`data/${idOf(stored)}`);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: dataTexts.download('plate.csv') }).click();
  expect((await saved).suggestedFilename()).toBe('plate.csv');
  expect(await readFile(await (await saved).path(), 'utf8')).toBe(text);
});
