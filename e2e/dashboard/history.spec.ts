/** Days of the managers: what was down, how long and why. */
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { historyTexts as texts } from '../../dashboard/panels/overview/history/texts.ts';
import { historyTitle } from '../../dashboard/panels/overview/titles.ts';
import { overviewTexts } from '../../dashboard/panels/overview/texts.ts';

test('what was down is listed with its reason, and how much everybody was there is said', async ({
  page,
  lab,
  service,
}) => {
  const started = await lab();
  const { url } = await service({ files: { 'settings.yaml': `${started.settings}\nlab_watch_interval: 1\n` } });
  await page.goto(url);
  // What nobody was asked for yet has no availability, and this page reads it seldom.
  await expect(page.getByRole('banner')).toContainText('Healthy 6/6');
  await page.getByRole('link', { name: overviewTexts.longer }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(historyTitle);
  await expect(page.getByText(texts.noIncidents)).toBeVisible();
  const managers = page.getByRole('table', { name: texts.managers });
  await expect(managers.getByRole('row', { name: /^Data/ })).toContainText('100 %');

  await started.managers.data.stop();
  await page.getByRole('button', { name: texts.windows[168] }).click();
  await expect(page).toHaveURL(/hours=168/);
  const incidents = page.getByRole('grid', { name: texts.incidents });
  await expect(async () => {
    await page.reload();
    await expect(incidents.getByRole('row', { name: /Data Manager/ })).toContainText(texts.stillSo, { timeout: 1000 });
  }).toPass({ timeout: 15_000 });
  await expect(incidents).toContainText('connection refused');
  await expect(managers.getByRole('row', { name: /^Data/ })).not.toContainText('100 %');
  expect(await violationsInBothThemes(page)).toEqual([]);
  // The strip is read by keyboard.
  const strip = managers.getByRole('row', { name: /^Data/ }).getByRole('slider');
  await strip.focus();
  await expect(strip).toHaveAttribute('aria-valuetext', /unreachable/);
});
