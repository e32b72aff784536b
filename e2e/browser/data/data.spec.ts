/** The Data panel on the demo lab: stored datapoints, their origin, and comparisons. */
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { createClient } from '#api/client/client.ts';
import { dataApi } from '#api/managers/data.ts';
import { dataTitles } from '#dashboard/panels/titles.ts';
import { dataPanelTexts as texts, zipTexts } from '#dashboard/panels/data/texts.ts';
import type { DemoLab } from '#demo/lab/lab.ts';
import { violationsInBothThemes } from '../../support/browser/accessibility.ts';
import { expect, test } from '../../support/demoLab.ts';

const dataClient = ({ context }: DemoLab) =>
  createClient(dataApi, { baseUrl: context.data_server_url ?? '', version: null });

test('the data page lists and shows datapoints, plots two together and saves them as image, table and archive @fast', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo({ past: true });
  const store = (label: string, value: unknown) =>
    dataClient(lab).addDatapoint({ body: { datapoint: { data_type: 'json', label, value } } });
  await store('curve a', [1, 2, 4, 8]);
  // The data manager stores NaN as null.
  await store('curve b', [1, 3, null, 27]);
  await page.goto(`${url}data`);
  const grid = page.getByRole('grid', { name: texts.caption });
  const line = (label: string) => grid.getByRole('row').filter({ hasText: label });
  await expect(line('curve a')).toContainText(texts.values(4));
  expect.soft(await violationsInBothThemes(page)).toEqual([]);

  await line('curve a').getByRole('link').first().click();
  const side = page.getByRole('complementary', { name: 'curve a' });
  await expect(side.locator('canvas').first()).toBeVisible();
  await side.getByRole('link', { name: 'Open full page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('curve a');
  await expect(page.getByText('The data manager has no record of its origin.')).toBeVisible();
  expect.soft(await violationsInBothThemes(page)).toEqual([]);

  await page.goto(`${url}data`);
  await line('curve a').getByRole('checkbox').check();
  await line('curve b').getByRole('checkbox').check();
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(dataTitles.compare);
  const plot = page.getByRole('region', { name: texts.comparing.plot });
  await expect(plot.locator('canvas').first()).toBeVisible();
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
  const saved = async (name: string) => {
    const download = page.waitForEvent('download');
    await plot.getByRole('button', { name, exact: true }).click();
    return readFile(await (await download).path());
  };
  expect((await saved('PNG')).subarray(1, 4).toString()).toBe('PNG');
  expect((await saved('CSV')).toString()).toContain('4,8,27');

  await page.goto(`${url}data`);
  await line('curve a').getByRole('checkbox').check();
  await line('curve b').getByRole('checkbox').check();
  const archive = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as ZIP…' }).click();
  const files = unzipSync(await readFile(await (await archive).path()));
  expect(Object.keys(files).toSorted()).toEqual(['curve a.json', 'curve b.json', zipTexts.list]);
  expect(JSON.parse(Buffer.from(files['curve b.json'] ?? []).toString())).toEqual([1, 3, null, 27]);
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('3 files');
  expect.soft(await violationsInBothThemes(page)).toEqual([]);
});

test('a datapoint links to its experiment and to the other datapoints of its workflow, and an unknown ID is reported', async ({
  page,
  demo,
}) => {
  const { lab, url } = await demo({ past: true });
  const all = Object.values(await dataClient(lab).getDatapoints({ number: 50 }));
  const datapointOfWorkflow = all.find(({ ownership_info: owned }) => owned?.workflow_id);
  if (datapointOfWorkflow === undefined) throw new Error('No datapoint of the demo lab has a workflow');
  const { _id: id } = datapointOfWorkflow;
  await page.goto(`${url}data/${id}`);
  // Only the workflow of the datapoint has the ID of its experiment.
  const experiment = page.getByRole('main').locator('a[href*="/experiments/"]');
  await expect(experiment).toBeVisible();
  const experimentId = (await experiment.getAttribute('href'))?.split('/').at(-1) ?? '';
  await page.goto(`${url}data?experiment=${experimentId}`);
  await expect(page.getByRole('grid', { name: texts.caption }).getByRole('row').nth(1)).toBeVisible();
  await page.goto(`${url}data/${id}`);
  await page.getByRole('link', { name: 'Other datapoints of its workflow' }).click();
  await expect(page).toHaveURL(/workflow=/);
  await expect(page.getByRole('grid', { name: texts.caption }).getByRole('row').nth(1)).toBeVisible();
  await page.getByRole('button', { name: 'show all' }).click();
  await expect(page).not.toHaveURL(/workflow=/);
  await page.goto(`${url}data/01ABSENT000000000000000000`);
  await expect(page.getByText('No datapoint 01ABSENT000000000000000000')).toBeVisible();
});
