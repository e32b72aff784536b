/** The history of the managers: outages with their reasons, availability and maintenance. */
import { labHistory, type LabHistory } from '../../api/lab/lab.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { historyTexts as texts, overviewTexts } from '../../dashboard/panels/overview/texts.ts';
import { historyTitle } from '../../dashboard/panels/titles.ts';

async function readHistory(url: string): Promise<LabHistory> {
  return labHistory.parse(await (await fetch(new URL('lab_health/history?hours=168', url))).json());
}

/** Returns the availability of the Data Manager while the history has an outage that has not ended; otherwise 100. */
async function readOutagePercent(url: string): Promise<number> {
  const { incidents = [], managers } = await readHistory(url);
  const isDown = incidents.some((incident) => incident.kind === 'manager' && incident.id === 'data' && !incident.to);
  return isDown ? (managers.find(({ manager }) => manager === 'data')?.availability?.percent ?? 100) : 100;
}

test('the history lists each outage with its reason and shows the availability of every manager', async ({
  page,
  lab,
  service,
}) => {
  const started = await lab();
  const { url } = await service({ files: { 'settings.yaml': `${started.settings}\nlab_watch_interval: 1\n` } });
  await page.goto(url);
  // A manager without a check has no availability yet, and the history page reads the availability rarely.
  await expect(page.getByRole('banner')).toContainText('Managers 6/6');
  await page.getByRole('link', { name: 'Incidents' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(historyTitle);
  await expect(
    page.getByText('No manager and no node was down in this time, as far as the lab manager watched.'),
  ).toBeVisible();
  const managers = page.getByRole('table', { name: 'Managers' });
  await expect(managers.getByRole('row', { name: /^Data/ })).toContainText('100 %');

  await started.managers.data.stop();
  await page.getByRole('button', { name: texts.windows[168] }).click();
  await expect(page).toHaveURL(/hours=168/);
  const incidents = page.getByRole('grid', { name: texts.incidents });
  await expect.poll(() => readOutagePercent(url)).toBeLessThan(99);
  await page.reload();
  await expect(incidents.getByRole('row', { name: /Data Manager/ })).toContainText('ongoing');
  await expect(incidents).toContainText('connection refused');
  await expect(managers.getByRole('row', { name: /^Data/ })).not.toContainText('100 %');
  expect(await violationsInBothThemes(page)).toEqual([]);
  // The strip is operated by keyboard.
  const strip = managers.getByRole('row', { name: /^Data/ }).getByRole('slider');
  await strip.focus();
  await expect(strip).toHaveAttribute('aria-valuetext', /unreachable/);
});

test('the Overview and the history show maintenance separately from incidents, and a chosen period of the Overview is stored', async ({
  page,
  lab,
  service,
}) => {
  const started = await lab();
  const running = await service({ files: { 'settings.yaml': `${started.settings}\nlab_watch_interval: 1\n` } });
  await page.goto(running.url);
  await expect(page.getByRole('banner')).toContainText('Managers 6/6');
  await running.manager.watches?.maintenance.change({ kind: 'manager', id: 'data', until: Date.now() + 7_200_000 });
  await started.managers.data.stop();
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Data' }) });
  await expect(row).toContainText(/Maintenance.*until .*\(unreachable: connection refused/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All 5 managers healthy.');
  await expect(page.getByText(/^In maintenance: Data Manager until/)).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Managers 5/5');

  await page.getByRole('button', { name: overviewTexts.windows[24] }).click();
  await expect(page.getByRole('columnheader', { name: overviewTexts.strips[24] })).toBeVisible();
  await expect(row).toContainText('%');
  expect(await violationsInBothThemes(page)).toEqual([]);
  // The choice is stored in this browser.
  await page.reload();
  await expect(page.getByRole('columnheader', { name: overviewTexts.strips[24] })).toBeVisible();

  await page.getByRole('link', { name: 'Incidents' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(historyTitle);
  const maintenanceTable = page.getByRole('grid', { name: texts.maintenance });
  await expect.poll(async () => (await readHistory(running.url)).past_maintenance).toHaveLength(1);
  await page.reload();
  await expect(maintenanceTable.getByRole('row', { name: /Data Manager/ })).toBeVisible();
  await expect(
    page.getByText('No manager and no node was down in this time, as far as the lab manager watched.'),
  ).toBeVisible();
  expect(await violationsInBothThemes(page)).toEqual([]);
});
